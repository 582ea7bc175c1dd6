// The demo site: served by this process on loopback, from its first use until the process ends.

import { makeMagazineSite } from './magazine-site.ts'
import { type ServedSites, serveSites } from './serve-sites.ts'

/** A crawl takes about ten seconds at four concurrent requests. */
const PACE_MS = 100
const SEED = 2026
/** Fixed, so that a crawl can be resumed or repeated after a restart. If it is taken, another port is used. */
const PORT = 8089
const DEFAULT_URL = `http://127.0.0.1:${PORT}/`

export class DemoSite {
  #served: Promise<ServedSites> | null = null

  /** Returns the URL of the front page. */
  async start(): Promise<string> {
    this.#served ??= serveSites([makeMagazineSite(SEED, PACE_MS)], { port: PORT })
    const [first] = (await this.#served).sites
    return `${first?.origin}/`
  }

  /** Starts serving if a crawl of the store started at the demo site. */
  async startIfCrawled(rootUrls: string[]): Promise<void> {
    if (rootUrls.includes(DEFAULT_URL)) await this.start()
  }

  async close(): Promise<void> {
    await (await this.#served)?.close()
  }
}
