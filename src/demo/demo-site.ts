// The sample site inside the process: served on loopback from the first time it is asked for until the process ends.

import { makeMagazineSite } from './magazine-site.ts'
import { type ServedSites, serveSites } from './serve-sites.ts'

/** About ten seconds to watch, at four requests a time. */
const PACE_MS = 100
const SEED = 2026
/** The same after a restart, so that a crawl of it can go on or be run again; another one only when it is taken. */
const PORT = 8089
const USUAL_URL = `http://127.0.0.1:${PORT}/`

export class DemoSite {
  #served: Promise<ServedSites> | null = null

  /** The url of its front page. */
  async start(): Promise<string> {
    this.#served ??= serveSites([makeMagazineSite(SEED, PACE_MS)], { port: PORT })
    const [first] = (await this.#served).sites
    return `${first?.origin}/`
  }

  /** Serves it if one of these urls, at which crawls began, is its own. */
  async startIfCrawled(rootUrls: string[]): Promise<void> {
    if (rootUrls.includes(USUAL_URL)) await this.start()
  }

  async close(): Promise<void> {
    await (await this.#served)?.close()
  }
}
