// The crawls of the soak: one after the other, each on hosts that nobody has visited before.

import type { Api } from '../../bench/api-server.ts'
import { addressOf } from '../../bench/fixture.ts'

export const HOSTS = 10
const SETTINGS = {
  ...{ per_host: 8, concurrency: 32, delay: 0, cooldown: 0 },
  ...{ ignore_robots: true, allow_private: true, traps: false },
}

export class Crawls {
  readonly #api: Api
  readonly #sitePort: number
  #started = 0
  #pagesBefore = 0
  current = ''

  constructor(api: Api, sitePort: number) {
    this.#api = api
    this.#sitePort = sitePort
  }

  async startNext(): Promise<void> {
    const first = 1 + this.#started++ * HOSTS
    const urls = Array.from({ length: HOSTS }, (_, i) => `http://${addressOf(first + i)}:${this.#sitePort}/`)
    const body = JSON.stringify({ urls, settings: SETTINGS })
    const headers = { 'content-type': 'application/json' }
    const made = await this.#api.ask('/api/v1/crawls', { method: 'POST', headers, body })
    this.current = String(made['crawl_id'])
  }

  /** Starts the next crawl when one has ended; answers how many pages there are in all. */
  async look(): Promise<number> {
    const crawl = await this.#api.ask(`/api/v1/crawls/${this.current}`)
    const pages = Number(crawl['pages'])
    if (crawl['status'] === 'running') return this.#pagesBefore + pages
    if (crawl['status'] !== 'completed') throw new Error(`the crawl is ${crawl['status']}`)
    this.#pagesBefore += pages
    await this.startNext()
    return this.#pagesBefore
  }
}
