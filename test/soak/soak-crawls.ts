// The crawls of the soak test: one after the other, each on new hosts.

import { hostAddress } from '../sites/bench-site.ts'
import type { ApiServer } from '../testing/api-server.ts'

export const HOSTS = 10
const SETTINGS = {
  per_host: 8,
  concurrency: 32,
  delay: 0,
  cooldown: 0,
  ignore_robots: true,
  allow_private: true,
  traps: false,
}

export class SoakCrawls {
  readonly #api: ApiServer
  readonly #sitePort: number
  #started = 0
  #pagesBefore = 0
  current = ''

  constructor(apiServer: ApiServer, sitePort: number) {
    this.#api = apiServer
    this.#sitePort = sitePort
  }

  async startNext(): Promise<void> {
    const first = 1 + this.#started++ * HOSTS
    const urls = Array.from({ length: HOSTS }, (_, i) => `http://${hostAddress(first + i)}:${this.#sitePort}/`)
    const body = JSON.stringify({ urls, settings: SETTINGS })
    const headers = { 'content-type': 'application/json' }
    const created = await this.#api.request('/api/v1/crawls', { method: 'POST', headers, body })
    this.current = String(created['crawl_id'])
  }

  /** Starts the next crawl when one has ended; returns the total number of pages. */
  async countPages(): Promise<number> {
    const crawl = await this.#api.request(`/api/v1/crawls/${this.current}`)
    const pages = Number(crawl['pages'])
    if (crawl['status'] === 'running') return this.#pagesBefore + pages
    if (crawl['status'] !== 'completed') throw new Error(`The crawl is ${crawl['status']}.`)
    this.#pagesBefore += pages
    await this.startNext()
    return this.#pagesBefore
  }
}
