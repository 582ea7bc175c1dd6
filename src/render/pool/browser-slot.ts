// A place for one browser of the pool. The browser is started for the first page, replaced when it has served enough
// pages, has grown too large or has died, and closed when there is nothing to do.

import { type Clock, repeat } from '../../lib/clock.ts'
import { Browser } from '../browser/browser.ts'
import type { BrowserProcess } from '../browser/browser-process.ts'
import { descendants, readUsage } from '../browser/process-usage.ts'
import type { PoolSettings } from './messages.ts'
import { rendererStoppedError } from './render-client.ts'

const MEGABYTE = 1 << 20
const CHECK_MS = 1000

/** The signal kills the process, also while it is starting. */
export type StartBrowser = (signal: AbortSignal) => Promise<BrowserProcess>

export class BrowserSlot {
  readonly #settings: PoolSettings
  readonly #start: StartBrowser
  readonly #clock: Clock
  #browser: Promise<Browser> | null = null
  /** Kills `#browser`. */
  #killing = new AbortController()
  #running = 0
  #served = 0
  #isRetiring = false
  #cancelIdle: () => void = () => undefined

  constructor(settings: PoolSettings, start: StartBrowser, clock: Clock) {
    this.#settings = settings
    this.#start = start
    this.#clock = clock
  }

  get isFree(): boolean {
    return !this.#isRetiring && this.#running < this.#settings.pagesPerBrowser
  }

  get isStarted(): boolean {
    return this.#browser !== null
  }

  get running(): number {
    return this.#running
  }

  /** May be called only while `isFree`. Rejects with BROWSER_FAILED if no browser can be started. */
  async use<T>(task: (browser: Browser) => Promise<T>): Promise<T> {
    this.#cancelIdle()
    this.#running += 1
    this.#served += 1
    try {
      return await task(await this.#open())
    } finally {
      this.#running -= 1
      await this.#review()
    }
  }

  async close(): Promise<void> {
    this.#cancelIdle()
    const browser = this.#browser
    this.#browser = null
    this.#served = 0
    this.#isRetiring = false
    // It may never answer.
    this.#killing.abort()
    const opened = await browser?.catch(() => null)
    await opened?.process.kill()
  }

  /** The connection closes a moment before the process has exited. */
  async #open(): Promise<Browser> {
    const current = this.#browser
    const known = await current
    return known !== null && !known.process.connection.isClosed ? known : this.#replace(current)
  }

  #replace(current: Promise<Browser> | null): Promise<Browser> {
    // Another page may have replaced it already.
    if (this.#browser !== null && this.#browser !== current) return this.#browser
    this.#killing = new AbortController()
    const opening = this.#startBrowser(this.#killing.signal)
    this.#browser = opening
    const forget = () => {
      if (this.#browser !== opening) return
      this.#browser = null
      this.#served = 0
      this.#isRetiring = false
    }
    opening.then((browser) => {
      const stop = repeat(this.#clock, CHECK_MS, () => this.#checkMemory(browser))
      return browser.process.exited.then(stop).then(forget)
    }, forget)
    return opening
  }

  async #startBrowser(signal: AbortSignal): Promise<Browser> {
    try {
      const browser = new Browser(await this.#start(signal), this.#settings.pagesPerBrowser)
      await browser.prepare()
      return browser
    } catch (error) {
      throw signal.aborted ? rendererStoppedError() : error
    }
  }

  /** Retires the browser if it is due; it is closed once no page runs in it. */
  async #review(): Promise<void> {
    const browser = await this.#browser?.catch(() => null)
    if (browser === null || browser === undefined) {
      if (this.#running === 0) this.#isRetiring = false
      return
    }
    this.#isRetiring ||= this.#served >= this.#settings.pagesPerProcess
    if (this.#running > 0) return
    if (this.#isRetiring) return this.close()
    this.#cancelIdle = this.#clock.after(this.#settings.idleMs, () => void this.close())
  }

  /** Some memory of a page, such as its blobs, is in the browser's main process, where no page limit counts it. */
  #checkMemory({ process }: Browser): void {
    const usage = readUsage(process.pid)
    const isTooLarge = usage !== null && usage.ownBytes > (this.#settings.browserMemoryMb / 2) * MEGABYTE
    if (isTooLarge) void process.kill()
    else if (this.#isTooLarge(process.pid)) {
      this.#isRetiring = true
      if (this.#running === 0) void this.close()
    }
  }

  #isTooLarge(pid: number): boolean {
    const bytes = [pid, ...descendants(pid)].map((one) => readUsage(one)?.ownBytes ?? 0)
    return bytes.reduce((sum, one) => sum + one, 0) > this.#settings.browserMemoryMb * MEGABYTE
  }
}
