// A thread that reads PDFs, one after the other. It starts with the first file. A file that takes too long or too much
// memory costs the thread its life: the file has its answer, and the next one gets a new thread.

import { Worker } from 'node:worker_threads'
import type { PdfLimits, PdfProblem } from '../../engine/media/pdf/limits.ts'
import { type Extracted, NOTHING } from '../../engine/media/type.ts'
import type { Clock } from '../../lib/clock.ts'
import type { PdfRequest } from './worker.ts'

interface Job {
  body: Buffer
  resolve: (extracted: Extracted) => void
}

/**
 * V8 cannot be left to keep the limit of memory: buffers are outside of its own, and when objects reach that one, it
 * ended the whole process in one run of four (2026-11). So the thread is watched from here, and V8's is far away.
 */
const MEMORY_CHECK_MS = 50
const FAR_AWAY = 8
const MEGABYTE = 1 << 20

export class PdfThread {
  readonly #limits: PdfLimits
  readonly #clock: Clock
  readonly #waiting: Job[] = []
  #current: Job | null = null
  #worker: Worker | null = null
  #isClosed = false
  #cancelTimers: () => void = () => undefined

  constructor(limits: PdfLimits, clock: Clock) {
    this.#limits = limits
    this.#clock = clock
  }

  /** How many files wait for their turn. Each holds its bytes until then. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Always answers, in the order of asking; what went wrong is the `problem`. Bound, so that it can be handed on. */
  readonly read = (body: Buffer): Promise<Extracted> => {
    if (this.#isClosed) return Promise.resolve(failedBy('pdf_stopped'))
    return new Promise((resolve) => {
      this.#waiting.push({ body, resolve })
      this.#next()
    })
  }

  /** Files not read yet are answered with `pdf_stopped`. */
  async close(): Promise<void> {
    this.#isClosed = true
    const worker = this.#worker
    this.#worker = null
    for (const { resolve } of this.#waiting.splice(0)) resolve(failedBy('pdf_stopped'))
    if (this.#current !== null) this.#finish(failedBy('pdf_stopped'))
    await worker?.terminate()
  }

  #next(): void {
    if (this.#current !== null) return
    this.#current = this.#waiting.shift() ?? null
    if (this.#current === null) {
      this.#worker?.unref()
      return
    }
    const worker = this.#worker ?? this.#start()
    worker.ref()
    // A copy, since the buffer may be part of a larger one.
    const bytes = new Uint8Array(this.#current.body)
    worker.postMessage({ bytes, limits: this.#limits } satisfies PdfRequest, [bytes.buffer])
    this.#watch(worker)
  }

  #start(): Worker {
    const resourceLimits = { maxOldGenerationSizeMb: FAR_AWAY * this.#limits.memoryMb }
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { resourceLimits, env: {}, execArgv: [] })
    this.#worker = worker
    // One that was given up may still have something to say.
    const isOurs = () => this.#worker === worker
    worker.on('message', (extracted: Extracted) => {
      if (isOurs()) this.#finish(extracted)
    })
    worker.on('error', (error: unknown) => {
      if (isOurs()) this.#abandon(problemOf(error))
    })
    worker.on('exit', () => {
      if (isOurs()) this.#abandon('pdf_broken')
    })
    return worker
  }

  #watch(worker: Worker): void {
    const { timeMs, memoryMb } = this.#limits
    const cancelLimit = this.#clock.after(timeMs, () => this.#abandon('pdf_timeout'))
    const job = this.#current
    const isOver = () => this.#current !== job || this.#worker !== worker
    const check = async () => {
      // It fails when the thread has ended, which is heard of elsewhere.
      const used = await worker.getHeapStatistics().then(
        (heap) => heap.used_heap_size + heap.external_memory,
        () => 0,
      )
      if (isOver()) return
      if (used > memoryMb * MEGABYTE) this.#abandon('pdf_too_large_for_memory')
      else cancelCheck = this.#clock.after(MEMORY_CHECK_MS, () => void check())
    }
    let cancelCheck = this.#clock.after(MEMORY_CHECK_MS, () => void check())
    this.#cancelTimers = () => {
      cancelLimit()
      cancelCheck()
    }
  }

  #abandon(problem: PdfProblem): void {
    const worker = this.#worker
    this.#worker = null
    void worker?.terminate()
    if (this.#current !== null) this.#finish(failedBy(problem))
  }

  #finish(extracted: Extracted): void {
    this.#cancelTimers()
    const job = this.#current
    this.#current = null
    job?.resolve(extracted)
    this.#next()
  }
}

function failedBy(problem: PdfProblem): Extracted {
  return { ...NOTHING, problem }
}

function problemOf(error: unknown): PdfProblem {
  const isMemory = error instanceof Error && Reflect.get(error, 'code') === 'ERR_WORKER_OUT_OF_MEMORY'
  return isMemory ? 'pdf_too_large_for_memory' : 'pdf_broken'
}
