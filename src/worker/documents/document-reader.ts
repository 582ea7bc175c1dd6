// Reads documents in a thread, one at a time. The thread starts with the first document. A document that takes too long
// or too much memory costs the thread its life: the document has its answer, and the next one gets a new thread.

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
 * V8 cannot be left to keep the limit of memory: buffers are outside of its own, and when objects reach that one, it
 * ended the whole process in one run of four (2026-11). So the thread is watched from here, and V8's is far away.
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
   * Only when it is free. What is wrong with the document is told by `problem`; it fails only when it was stopped. The
   * bytes are taken over: they must have a buffer of their own.
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

  /** Ends the thread. A document that is being read counts as not read. */
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
    // One that was given up may still have something to say.
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

/** Nothing when the thread has ended, which is heard of elsewhere. */
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
