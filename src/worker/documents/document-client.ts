// The client side of the document pool in a crawl thread: one client per crawl.

import type { MessagePort } from 'node:worker_threads'
import type { ExtractedContent } from '../../engine/media/content-type.ts'
import type { DocumentRequest } from '../../engine/media/document-types.ts'
import { AppError } from '../../lib/errors.ts'
import { addLoad, type DocumentLoad, readLoad } from './document-load.ts'
import { type DocumentPort, type PoolReply, type PoolRequest, readerStoppedError } from './document-pool.ts'

export class DocumentClient {
  readonly #port: MessagePort
  readonly #loadCell: SharedArrayBuffer
  readonly #waiting = new Map<
    number,
    { resolve: (extractedContent: ExtractedContent) => void; reject: (error: AppError) => void }
  >()
  #lastId = 0

  constructor({ port, loadCell }: DocumentPort) {
    this.#port = port
    this.#loadCell = loadCell
    port.on('message', (reply: PoolReply) => {
      const waiting = this.#waiting.get(reply.id)
      this.#waiting.delete(reply.id)
      if ('extracted' in reply) waiting?.resolve(reply.extracted)
      else waiting?.reject(new AppError('INTERRUPTED', reply.failed))
    })
    port.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(readerStoppedError())
      this.#waiting.clear()
    })
  }

  /** The load of the whole process. */
  load(): DocumentLoad {
    return readLoad(this.#loadCell)
  }

  /** A broken document is returned with its `problem`. Rejects only if the readers are stopped. */
  read({ body, ...about }: DocumentRequest): Promise<ExtractedContent> {
    this.#lastId += 1
    const id = this.#lastId
    const { promise, resolve, reject } = Promise.withResolvers<ExtractedContent>()
    this.#waiting.set(id, { resolve, reject })
    addLoad(this.#loadCell, body.length)
    // Copied, because the crawl needs the bytes for the archive.
    const document = { ...about, body: new Uint8Array(body) }
    this.#port.postMessage({ id, document } satisfies PoolRequest, [document.body.buffer])
    return promise
  }

  /** Drops the documents that are not read yet. */
  close(): void {
    this.#port.close()
  }
}
