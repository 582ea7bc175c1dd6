// The client side of the render pool in a crawl thread: one client per crawl. It answers the requests of its pages.

import type { MessagePort } from 'node:worker_threads'
import { AppError } from '../../lib/errors.ts'
import type { RenderedPage, Renderer, RenderRequest, SubresourceSource } from '../../ports/renderer.ts'
import { INTERRUPTED_RESPONSE, type ToClient, type ToPool } from './messages.ts'
import { addRenderLoad, type RenderLoad, readRenderLoad } from './render-load.ts'

/** Transferred to another thread, which opens a RenderClient on it. */
export interface RenderPort {
  port: MessagePort
  loadCell: SharedArrayBuffer
}

interface WaitingPage {
  subresources: SubresourceSource
  resolve: (renderedPage: RenderedPage) => void
  reject: (error: AppError) => void
}

export class RenderClient implements Renderer {
  readonly #port: MessagePort
  readonly #loadCell: SharedArrayBuffer
  readonly #waiting = new Map<number, WaitingPage>()
  #lastId = 0
  #isClosed = false

  constructor({ port, loadCell }: RenderPort) {
    this.#port = port
    this.#loadCell = loadCell
    port.on('message', (message: ToClient) => this.#receive(message))
    port.on('close', () => {
      this.#isClosed = true
      for (const id of [...this.#waiting.keys()]) this.#take(id)?.reject(rendererStoppedError())
    })
  }

  /** The load of the whole process. */
  load(): RenderLoad {
    return readRenderLoad(this.#loadCell)
  }

  render(renderRequest: RenderRequest, subresources: SubresourceSource): Promise<RenderedPage> {
    if (this.#isClosed) return Promise.reject(rendererStoppedError())
    this.#lastId += 1
    const id = this.#lastId
    const { promise, resolve, reject } = Promise.withResolvers<RenderedPage>()
    this.#waiting.set(id, { subresources, resolve, reject })
    addRenderLoad(this.#loadCell, 1)
    this.#post({ kind: 'render', id, request: renderRequest })
    return promise
  }

  forgetResponses(): void {
    if (!this.#isClosed) this.#post({ kind: 'forget' })
  }

  /** Drops the pages that are not rendered yet. */
  async close(): Promise<void> {
    this.#port.close()
  }

  #receive(message: ToClient): void {
    switch (message.kind) {
      case 'rendered':
        return this.#take(message.id)?.resolve(message.page)
      case 'failed':
        return this.#take(message.id)?.reject(new AppError(message.code, message.message))
      case 'fetch':
        return void this.#answer(message)
    }
  }

  async #answer({ id, fetchId, request }: ToClient & { kind: 'fetch' }): Promise<void> {
    const answer = this.#waiting.get(id)?.subresources.fetch(request)
    // A source that breaks its promise must not end the thread.
    const response = (await answer?.catch(() => INTERRUPTED_RESPONSE)) ?? INTERRUPTED_RESPONSE
    if (!this.#isClosed) this.#post({ kind: 'answer', fetchId, response })
  }

  #take(id: number): WaitingPage | undefined {
    const waiting = this.#waiting.get(id)
    if (this.#waiting.delete(id)) addRenderLoad(this.#loadCell, -1)
    return waiting
  }

  #post(message: ToPool): void {
    this.#port.postMessage(message)
  }
}

export function rendererStoppedError(): AppError {
  return new AppError('INTERRUPTED', 'The renderer was stopped.')
}
