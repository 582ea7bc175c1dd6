// Reads documents in a thread, one at a time. The thread is started for the first document. If a document takes too
// long or too much memory, the thread is terminated, the document ends with that problem, and the next one gets a new
// thread.

import type { Worker } from 'node:worker_threads'
import { type ExtractedContent, NO_CONTENT } from '../../engine/media/content-type.ts'
import type { DocumentFailure, DocumentLimits, DocumentRequest } from '../../engine/media/document-types.ts'
import type { Clock } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import { spawnThread } from '../../lib/threads.ts'
import type { ReadRequest } from './document-thread.ts'

interface ReadJob {
  type: DocumentRequest['type']
  resolve: (extractedContent: ExtractedContent) => void
  reject: (error: AppError) => void
}

type ReadFailure = 'broken' | 'timeout' | 'too_large_for_memory'

/**
 * V8 cannot enforce the memory limit: buffers are outside of its heap, and when objects reached the heap limit, it
 * ended the whole process in one run of four (2026-11). So the thread is checked from here, and V8's own limit is far
 * higher.
 */
const CHECK_MS = 50
const HEAP_LIMIT_FACTOR = 8
const MEGABYTE = 1 << 20

export class DocumentReader {
  readonly #limits: DocumentLimits
  readonly #clock: Clock
  #job: ReadJob | null = null
  #worker: Worker | null = null
  #cancelTimers: () => void = () => undefined

  constructor(limits: DocumentLimits, clock: Clock) {
    this.#limits = limits
    this.#clock = clock
  }

  get isFree(): boolean {
    return this.#job === null
  }

  /**
   * May be called only while `isFree`. A broken document is returned with its `problem`; rejects only if the reader is
   * stopped. The body is transferred, so it must be in a separate buffer.
   */
  read(document: ReadRequest['document']): Promise<ExtractedContent> {
    const { promise, resolve, reject } = Promise.withResolvers<ExtractedContent>()
    this.#job = { type: document.type, resolve, reject }
    const worker = this.#worker ?? this.#start()
    worker.ref()
    worker.postMessage({ document, limits: this.#limits } satisfies ReadRequest, [document.body.buffer])
    this.#enforceLimits(worker, this.#job)
    return promise
  }

  /** Terminates the thread. A document being read is rejected as interrupted. */
  async stop(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    const job = this.#end()
    job?.reject(new AppError('INTERRUPTED', 'The document reader was stopped.'))
    await worker?.terminate()
  }

  #start(): Worker {
    const resourceLimits = { maxOldGenerationSizeMb: HEAP_LIMIT_FACTOR * this.#limits.memoryMb }
    const options = { resourceLimits, env: {}, execArgv: [] }
    const worker = spawnThread('document', new URL('./document-thread.ts', import.meta.url), options)
    this.#worker = worker
    // A terminated thread may still send messages.
    const isOurs = () => this.#worker === worker
    worker.on('message', (extractedContent: ExtractedContent) => {
      if (!isOurs()) return
      worker.unref()
      this.#end()?.resolve(extractedContent)
    })
    worker.on('error', (error: unknown) => {
      if (isOurs()) this.#fail(toReadFailure(error))
    })
    worker.on('exit', () => {
      if (isOurs()) this.#fail('broken')
    })
    return worker
  }

  #enforceLimits(worker: Worker, readJob: ReadJob): void {
    const { timeMs } = this.#limits
    const cancelLimit = this.#clock.after(timeMs, () => this.#fail('timeout'))
    let cancelCheck: () => void = () => undefined
    let cpuAtStartMs: number | null = null
    const check = async () => {
      const used = await usageOf(worker)
      if (this.#job !== readJob) return
      cpuAtStartMs ??= used.cpuMs
      if (used.bytes > this.#limits.memoryMb * MEGABYTE) return this.#fail('too_large_for_memory')
      if (used.cpuMs - cpuAtStartMs > this.#limits.cpuMs) return this.#fail('timeout')
      cancelCheck = this.#clock.after(CHECK_MS, () => void check())
    }
    cancelCheck = this.#clock.after(CHECK_MS, () => void check())
    this.#cancelTimers = () => {
      cancelLimit()
      cancelCheck()
    }
  }

  #fail(readFailure: ReadFailure): void {
    const worker = this.#worker
    this.#worker = null
    void worker?.terminate()
    const job = this.#end()
    job?.resolve({ ...NO_CONTENT, problem: `${job.type}_${readFailure}` satisfies DocumentFailure })
  }

  #end(): ReadJob | null {
    this.#cancelTimers()
    const job = this.#job
    this.#job = null
    return job
  }
}

/** Zero if the thread has exited, which is handled elsewhere. */
async function usageOf(worker: Worker): Promise<{ bytes: number; cpuMs: number }> {
  try {
    const [heap, cpu] = await Promise.all([worker.getHeapStatistics(), worker.cpuUsage()])
    return { bytes: heap.used_heap_size + heap.external_memory, cpuMs: (cpu.user + cpu.system) / 1000 }
  } catch {
    return { bytes: 0, cpuMs: 0 }
  }
}

function toReadFailure(error: unknown): ReadFailure {
  const isMemory = error instanceof Error && Reflect.get(error, 'code') === 'ERR_WORKER_OUT_OF_MEMORY'
  return isMemory ? 'too_large_for_memory' : 'broken'
}
