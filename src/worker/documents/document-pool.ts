// The document readers of a process. Each crawl on each thread is a client with its own port. Clients take turns, so
// that a client with a backlog does not delay the others. The documents of a closed client are dropped.

import { availableParallelism } from 'node:os'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { ExtractedContent } from '../../engine/media/content-type.ts'
import type { DocumentLimits, DocumentRequest } from '../../engine/media/document-types.ts'
import type { Clock } from '../../lib/clock.ts'
import { AppError, asAppError } from '../../lib/errors.ts'
import { addLoad, newLoadCell, removeLoad } from './document-load.ts'
import { DocumentReader } from './document-reader.ts'
import type { ReadRequest } from './document-thread.ts'

export type TransferredDocument = ReadRequest['document']

/** Transferred to another thread, which opens a DocumentClient on it. */
export interface DocumentPort {
  port: MessagePort
  loadCell: SharedArrayBuffer
}

export interface PoolRequest {
  id: number
  document: TransferredDocument
}

export type PoolReply = { id: number; extracted: ExtractedContent } | { id: number; failed: string }

interface PoolJob {
  document: TransferredDocument
  bytes: number
  settle: { resolve: (extractedContent: ExtractedContent) => void; reject: (error: unknown) => void }
}

interface PoolClient {
  waiting: PoolJob[]
  reading: Set<DocumentReader>
}

const MAX_READERS = 4

/** One per core: readers have a lower priority than crawl threads. Each may use the memory limit of a document. */
export function defaultReaderCount(cores = availableParallelism()): number {
  return Math.min(MAX_READERS, cores)
}

export class DocumentPool {
  readonly #readers: readonly DocumentReader[]
  readonly #loadCell = newLoadCell()
  /** Clients in the order of their turns. */
  #clients: PoolClient[] = []
  readonly #ports = new Set<MessagePort>()
  #isClosed = false

  constructor(readers: number, limits: DocumentLimits, clock: Clock) {
    this.#readers = Array.from({ length: readers }, () => new DocumentReader(limits, clock))
  }

  connect(): DocumentPort {
    const { port1, port2 } = new MessageChannel()
    const poolClient = this.#addClient()
    port1.on('message', ({ id, document }: PoolRequest) => {
      this.#enqueue(poolClient, document).then(
        (extractedContent) => port1.postMessage({ id, extracted: extractedContent } satisfies PoolReply),
        (error: unknown) => port1.postMessage({ id, failed: asAppError(error).message } satisfies PoolReply),
      )
    })
    port1.on('close', () => {
      this.#ports.delete(port1)
      this.#dropClient(poolClient)
    })
    // The port does not keep the process alive; callers that wait for a document do.
    port1.unref()
    this.#ports.add(port1)
    return { port: port2, loadCell: this.#loadCell }
  }

  /** Called by the thread that owns the pool. A broken document has a `problem`; rejects only if the pool is closed. */
  async read({ body, ...about }: DocumentRequest): Promise<ExtractedContent> {
    const poolClient = this.#addClient()
    // Copied, because the buffer may be part of a larger one.
    const document = { ...about, body: new Uint8Array(body) }
    addLoad(this.#loadCell, body.length)
    try {
      return await this.#enqueue(poolClient, document)
    } finally {
      this.#clients = this.#clients.filter((one) => one !== poolClient)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const port of this.#ports) port.close()
    for (const { waiting } of this.#clients)
      for (const { settle } of waiting.splice(0)) settle.reject(readerStoppedError())
    await Promise.all(this.#readers.map((reader) => reader.stop()))
  }

  #addClient(): PoolClient {
    const poolClient: PoolClient = { waiting: [], reading: new Set() }
    this.#clients.push(poolClient)
    return poolClient
  }

  #enqueue(poolClient: PoolClient, document: TransferredDocument): Promise<ExtractedContent> {
    const { promise, resolve, reject } = Promise.withResolvers<ExtractedContent>()
    const bytes = document.body.length
    if (this.#isClosed) reject(readerStoppedError())
    else poolClient.waiting.push({ document, bytes, settle: { resolve, reject } })
    this.#startNext()
    return promise.finally(() => removeLoad(this.#loadCell, bytes))
  }

  #startNext(): void {
    for (const reader of this.#readers) {
      if (!reader.isFree) continue
      const client = this.#clients.find(({ waiting }) => waiting.length > 0)
      const job = client?.waiting.shift()
      if (client === undefined || job === undefined) return
      this.#clients = [...this.#clients.filter((one) => one !== client), client]
      this.#start(reader, client, job)
    }
  }

  #start(reader: DocumentReader, poolClient: PoolClient, { document, settle }: PoolJob): void {
    poolClient.reading.add(reader)
    reader
      .read(document)
      .then(settle.resolve, settle.reject)
      .finally(() => {
        poolClient.reading.delete(reader)
        this.#startNext()
      })
  }

  #dropClient(poolClient: PoolClient): void {
    this.#clients = this.#clients.filter((one) => one !== poolClient)
    for (const { settle } of poolClient.waiting.splice(0)) settle.reject(readerStoppedError())
    // Terminated during the read: the result is not wanted any more, and others may be waiting.
    for (const reader of poolClient.reading) void reader.stop()
  }
}

export function readerStoppedError(): AppError {
  return new AppError('INTERRUPTED', 'The document reader was stopped.')
}
