// The renderer of a process, as its main thread sees it: browsers and their connections live in a thread of their own.

import { totalmem } from 'node:os'
import { MessageChannel, type Worker } from 'node:worker_threads'
import { spawnThread } from '../../lib/threads.ts'
import { type Containment, detectContainment } from '../browser/containment.ts'
import type { BrowserLocation } from '../find-browser.ts'
import type { PoolSettings, ToThread } from './messages.ts'
import type { RenderPort } from './render-client.ts'
import { newRenderLoadCell } from './render-load.ts'
import type { RenderThreadData } from './render-thread.ts'

const MAX_BROWSERS = 2
const BYTES_PER_BROWSER = 2 ** 30

/** Two, or one on a machine with little memory. */
export function defaultBrowserCount(memoryBytes = totalmem()): number {
  return Math.max(1, Math.min(MAX_BROWSERS, Math.floor(memoryBytes / BYTES_PER_BROWSER) - 1))
}

export function defaultPoolSettings(): PoolSettings {
  return {
    browsers: defaultBrowserCount(),
    pagesPerBrowser: 4,
    pagesPerProcess: 500,
    browserMemoryMb: 1500,
    idleMs: 60_000,
    cacheBytes: 64 * 2 ** 20,
  }
}

export class RenderPool {
  readonly #worker: Worker
  readonly #loadCell = newRenderLoadCell()
  #closing: Promise<void> | null = null

  /** Browsers are started when the first page needs them. */
  constructor(
    location: BrowserLocation,
    settings: PoolSettings = defaultPoolSettings(),
    containment: Containment = detectContainment(),
  ) {
    const workerData: RenderThreadData = { location, settings, containment }
    this.#worker = spawnThread('render', new URL('./render-thread.ts', import.meta.url), { workerData })
    // Whoever waits for a page keeps the process alive.
    this.#worker.unref()
  }

  /** Clients of the same crawl share a cache. */
  connect(crawl: string): RenderPort {
    const { port1, port2 } = new MessageChannel()
    this.#worker.postMessage({ kind: 'connect', port: port1, crawl } satisfies ToThread, [port1])
    return { port: port2, loadCell: this.#loadCell }
  }

  /** Drops the pages that are not rendered yet, and kills the browsers. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#worker.once('message', () => resolve())
    this.#worker.once('exit', () => resolve())
    this.#worker.ref()
    this.#worker.postMessage({ kind: 'close' } satisfies ToThread)
    await promise
    await this.#worker.terminate()
  }
}
