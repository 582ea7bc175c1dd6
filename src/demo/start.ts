// The sample site inside the process: served on loopback from the first time it is asked for until the process ends.

import { makeGarden } from './garden.ts'
import { type ServedWeb, serveSites } from './serve.ts'

/** About ten seconds to watch, at four requests a time. */
const PACE_MS = 100
const SEED = 2026

export class DemoSite {
  #web: Promise<ServedWeb> | null = null

  /** The url of its front page. */
  async start(): Promise<string> {
    this.#web ??= serveSites([makeGarden(SEED, PACE_MS)])
    const [first] = (await this.#web).placed
    return `${first?.origin}/`
  }

  async close(): Promise<void> {
    await (await this.#web)?.close()
  }
}
