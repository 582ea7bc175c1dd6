// The demo site: served by this process on loopback, from its first use until the process ends. The data directory keeps
// its port, so that a crawl can be resumed or repeated after a restart, also if the default port was taken.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PRIVATE_FILE } from '../lib/private-files.ts'
import { makeMagazineSite } from './magazine-site.ts'
import { type ServedSites, serveSites } from './serve-sites.ts'

/** A crawl takes about ten seconds at four concurrent requests. */
const PACE_MS = 100
const SEED = 2026
/** If it is taken, another one is used. */
const DEFAULT_PORT = 8089
const PORT_FILE = 'demo.port'

export class DemoSite {
  readonly #portFile: string
  #served: Promise<ServedSites> | null = null

  constructor(dataDir: string) {
    this.#portFile = join(dataDir, PORT_FILE)
  }

  /** Returns the URL of the front page. */
  async start(): Promise<string> {
    this.#served ??= this.#serve()
    const [first] = (await this.#served).sites
    return `${first?.origin}/`
  }

  /** Starts serving if a crawl of the store started at the demo site. */
  async startIfCrawled(rootUrls: string[]): Promise<void> {
    if (rootUrls.includes(`http://127.0.0.1:${this.#readPort()}/`)) await this.start()
  }

  async close(): Promise<void> {
    await (await this.#served)?.close()
  }

  async #serve(): Promise<ServedSites> {
    const served = await serveSites([makeMagazineSite(SEED, PACE_MS)], { port: this.#readPort() })
    const { port } = new URL(served.sites[0]?.origin ?? '')
    writeFileSync(this.#portFile, `${port}\n`, { mode: PRIVATE_FILE })
    return served
  }

  #readPort(): number {
    if (!existsSync(this.#portFile)) return DEFAULT_PORT
    const port = Number(readFileSync(this.#portFile, 'utf8'))
    return Number.isInteger(port) && port > 0 && port < 65_536 ? port : DEFAULT_PORT
  }
}
