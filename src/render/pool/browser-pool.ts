// The browsers of a process, in the render thread. Each crawl on each thread is a client. Clients take turns, so that a
// client with a backlog does not delay the others. The pages of a closed client are dropped.

import type { Clock } from '../../lib/clock.ts'
import type { RenderedPage, RenderRequest, SubresourceSource } from '../../ports/renderer.ts'
import type { Browser } from '../browser/browser.ts'
import { renderPage } from '../page/render-page.ts'
import { BrowserSlot, type StartBrowser } from './browser-slot.ts'
import type { PoolSettings } from './messages.ts'
import { rendererStoppedError } from './render-client.ts'

interface PoolJob {
  request: RenderRequest
  subresources: SubresourceSource
  settle: { resolve: (renderedPage: RenderedPage) => void; reject: (error: unknown) => void }
}

export class PoolClient {
  readonly crawl: string
  readonly waiting: PoolJob[] = []
  readonly dropped = new AbortController()
  readonly #name: string
  #epoch = 0

  constructor(name: string, crawl: string) {
    this.#name = name
    this.crawl = crawl
  }

  /** Pages that are kept for the next one have the same owner. */
  get owner(): string {
    return `${this.#name}.${this.#epoch}`
  }

  /** Kept pages, and the caches of their processes, are not used again. */
  forgetPages(): void {
    this.#epoch += 1
  }
}

export class BrowserPool {
  readonly #slots: readonly BrowserSlot[]
  readonly #clock: Clock
  /** Clients in the order of their turns. */
  #clients: PoolClient[] = []
  #lastClient = 0
  #isClosed = false

  constructor(settings: PoolSettings, start: StartBrowser, clock: Clock) {
    this.#slots = Array.from({ length: settings.browsers }, () => new BrowserSlot(settings, start, clock))
    this.#clock = clock
  }

  addClient(crawl: string): PoolClient {
    this.#lastClient += 1
    const client = new PoolClient(String(this.#lastClient), crawl)
    this.#clients.push(client)
    return client
  }

  dropClient(client: PoolClient): void {
    this.#clients = this.#clients.filter((one) => one !== client)
    for (const { settle } of client.waiting.splice(0)) settle.reject(rendererStoppedError())
    client.dropped.abort()
  }

  /**
   * Forgets the pages of all clients of the crawl: responses that one of them requested, but did not report, may be
   * cached by the others.
   */
  forgetPages(crawl: string): void {
    for (const client of this.#clients) if (client.crawl === crawl) client.forgetPages()
  }

  render(client: PoolClient, renderRequest: RenderRequest, subresources: SubresourceSource): Promise<RenderedPage> {
    const { promise, resolve, reject } = Promise.withResolvers<RenderedPage>()
    if (this.#isClosed || client.dropped.signal.aborted) reject(rendererStoppedError())
    else client.waiting.push({ request: renderRequest, subresources, settle: { resolve, reject } })
    this.#startNext()
    return promise
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const client of this.#clients) this.dropClient(client)
    await Promise.all(this.#slots.map((slot) => slot.close()))
  }

  #startNext(): void {
    for (let slot = this.#freeSlot(); slot !== undefined; slot = this.#freeSlot()) {
      const client = this.#clients.find(({ waiting }) => waiting.length > 0)
      const job = client?.waiting.shift()
      if (client === undefined || job === undefined) return
      this.#clients = [...this.#clients.filter((one) => one !== client), client]
      this.#start(slot, client, job)
    }
  }

  /** A browser that runs is filled before another is started. */
  #freeSlot(): BrowserSlot | undefined {
    const free = this.#slots.filter((slot) => slot.isFree)
    const rank = (slot: BrowserSlot) => (slot.isStarted ? slot.running : 1000)
    return free.sort((one, other) => rank(one) - rank(other))[0]
  }

  #start(slot: BrowserSlot, client: PoolClient, { request, subresources, settle }: PoolJob): void {
    const { signal } = client.dropped
    const render = async (browser: Browser) => {
      const context = { clock: this.#clock, owner: client.owner, signal }
      const { rendered, release } = await renderPage(browser, request, subresources, context)
      if (signal.aborted) settle.reject(rendererStoppedError())
      else settle.resolve(rendered)
      await release()
    }
    slot
      .use(render)
      .catch(settle.reject)
      .finally(() => this.#startNext())
  }
}
