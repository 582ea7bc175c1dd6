// The renderer of a process, as its main thread sees it: browsers and their connections are in a separate thread.

import { totalmem } from 'node:os'
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads'
import { spawnThread } from '../../lib/threads.ts'
import { type Containment, detectContainment } from '../browser/containment.ts'
import type { BrowserLocation } from '../find-browser.ts'
import type { PoolSettings, ToPool, ToThread } from './messages.ts'
import type { RenderPort } from './render-client.ts'
import { newRenderLoadCell } from './render-load.ts'
import type { RenderThreadData } from './render-thread.ts'

const MAX_BROWSERS = 2
const BYTES_PER_BROWSER = 2 ** 30

/** Two browsers, or one on a machine with little memory. */
export function defaultBrowserCount(memoryBytes = totalmem()): number {
  return Math.max(1, Math.min(MAX_BROWSERS, Math.floor(memoryBytes / BYTES_PER_BROWSER) - 1))
}

export function defaultPoolSettings(): PoolSettings {
  return {
    browsers: defaultBrowserCount(),
    pagesPerBrowser: 6,
    pagesPerProcess: 500,
    browserMemoryMb: 1500,
    idleMs: 60_000,
    cacheBytes: 64 * 2 ** 20,
  }
}

export class RenderPool {
  readonly #location: BrowserLocation
  readonly #settings: PoolSettings
  readonly #containment: Containment | null
  readonly #loadCell = newRenderLoadCell()
  /** Ports of clients that have rendered nothing yet. */
  readonly #idlePorts = new Set<MessagePort>()
  #worker: Worker | null = null
  #closing: Promise<void> | null = null

  /** The thread is started with the first page to render. `containment`: detected then, unless it is given. */
  constructor(
    location: BrowserLocation,
    settings: PoolSettings = defaultPoolSettings(),
    containment: Containment | null = null,
  ) {
    this.#location = location
    this.#settings = settings
    this.#containment = containment
  }

  get isStarted(): boolean {
    return this.#worker !== null
  }

  /** Clients of the same crawl share a cache. */
  connect(crawl: string): RenderPort {
    const { port1, port2 } = new MessageChannel()
    if (this.#closing === null) this.#connectAtFirstPage(port1, crawl)
    else port1.close()
    return { port: port2, loadCell: this.#loadCell }
  }

  #connectAtFirstPage(port: MessagePort, crawl: string): void {
    this.#idlePorts.add(port)
    port.on('message', (first: ToPool) => {
      // Nothing was rendered, so there is nothing to forget.
      if (first.kind === 'forget') return
      this.#idlePorts.delete(port)
      port.removeAllListeners()
      this.#worker ??= this.#startThread()
      // The messages that follow are received by the thread.
      this.#worker.postMessage({ kind: 'connect', port, crawl, first } satisfies ToThread, [port])
    })
    port.on('close', () => this.#idlePorts.delete(port))
    // Callers that wait for a page keep the process alive.
    port.unref()
  }

  #startThread(): Worker {
    const workerData: RenderThreadData = {
      location: this.#location,
      settings: this.#settings,
      containment: this.#containment ?? detectContainment(),
    }
    const worker = spawnThread('render', new URL('./render-thread.ts', import.meta.url), { workerData })
    worker.unref()
    return worker
  }

  /** Drops the pages that are not rendered yet, and kills the browsers. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    for (const port of this.#idlePorts) port.close()
    const worker = this.#worker
    if (worker === null) return
    const { promise, resolve } = Promise.withResolvers<void>()
    worker.once('message', () => resolve())
    worker.once('exit', () => resolve())
    worker.ref()
    worker.postMessage({ kind: 'close' } satisfies ToThread)
    await promise
    await worker.terminate()
  }
}
