// Runs the steps of visits (visit-steps.ts), one visit after the other. Most visits have a single step and finish at
// once. A long visit yields to the event loop between steps, while the visits behind it wait. A visit that waits
// for a document reader, the renderer, a hook or decompression lets the others pass.

import type { Clock } from '../../../lib/clock.ts'
import type { LeasedUrl } from '../../../ports/leases.ts'
import {
  type StepPause,
  type Visit,
  type VisitDependencies,
  type VisitResult,
  visitSteps,
  type WaitingStep,
  type WaitsFor,
} from './visit-steps.ts'

export interface VisitEvents {
  onDone(visitResult: VisitResult): void
  /** The visit waits, or no longer. */
  onWaiting(isWaiting: boolean, waitsFor: WaitsFor): void
  /** The visit was waiting and is dropped. */
  onDropped(waitsFor: WaitsFor): void
}

interface VisitJob {
  visit: Visit
  steps: Generator<StepPause, VisitResult, void>
  events: VisitEvents
}

/** Called before and after each step, so that the stall detector knows which URL a hung step was processing. */
export interface StepRecorder {
  begin(token: number, url: LeasedUrl): void
  end(): void
}

export interface VisitProcessorDependencies extends VisitDependencies {
  stepRecorder: StepRecorder
  clock: Clock
}

/** A step, during which the thread did nothing else. */
export interface LongStep {
  url: LeasedUrl
  tookMs: number
  endedAt: number
}

export class VisitProcessor {
  readonly #dependencies: VisitProcessorDependencies
  readonly #onFailed: (error: unknown, visit: Visit) => void
  readonly #queue: VisitJob[] = []
  readonly #waiting = new Map<VisitJob, WaitsFor>()
  #current: VisitJob | null = null
  #longestStep: LongStep | null = null

  /** `onFailed` is called if a step throws, which is a bug. */
  constructor(dependencies: VisitProcessorDependencies, onFailed: (error: unknown, visit: Visit) => void) {
    this.#dependencies = dependencies
    this.#onFailed = onFailed
  }

  /** Calls `onDone` before it returns if the visit has a single step and none is ahead of it. */
  process(visit: Visit, events: VisitEvents): void {
    const job = { visit, steps: visitSteps(visit, this.#dependencies), events }
    if (this.#current !== null || this.#queue.length > 0) {
      this.#queue.push(job)
      return
    }
    this.#current = job
    this.#step(job)
  }

  get longestStep(): LongStep | null {
    return this.#longestStep
  }

  forgetStepsBefore(time: number): void {
    if (this.#longestStep !== null && this.#longestStep.endedAt <= time) this.#longestStep = null
  }

  /** Drops all visits without calling their events. */
  clear(): void {
    this.#waiting.clear()
    this.#queue.length = 0
    this.#current = null
  }

  /** Drops the visits that wait. */
  dropWaiting(): void {
    for (const [visitJob, waitsFor] of this.#waiting) {
      this.#waiting.delete(visitJob)
      visitJob.events.onDropped(waitsFor)
    }
  }

  #startNext(): void {
    while (this.#current === null) {
      const next = this.#queue.shift()
      if (next === undefined) return
      this.#current = next
      this.#step(next)
    }
  }

  #step(visitJob: VisitJob): void {
    let step: IteratorResult<StepPause, VisitResult>
    const { stepRecorder, clock } = this.#dependencies
    const startedAt = clock.now()
    stepRecorder.begin(visitJob.visit.token, visitJob.visit.url)
    try {
      step = visitJob.steps.next()
    } catch (error) {
      // Fails only this crawl. An exception from here would end the thread and the other crawls on it.
      return this.#onFailed(error, visitJob.visit)
    } finally {
      stepRecorder.end()
      this.#recordStepTime(visitJob.visit.url, startedAt, clock.now())
    }
    if (step.done) {
      this.#current = null
      return visitJob.events.onDone(step.value)
    }
    if (step.value === null) setImmediate(() => this.#resume(visitJob))
    else this.#wait(visitJob, step.value)
  }

  #recordStepTime(url: LeasedUrl, startedAt: number, endedAt: number): void {
    const tookMs = endedAt - startedAt
    if (tookMs > (this.#longestStep?.tookMs ?? 0)) this.#longestStep = { url, tookMs, endedAt }
  }

  #resume(visitJob: VisitJob): void {
    if (this.#current !== visitJob) return
    this.#step(visitJob)
    this.#startNext()
  }

  #wait(visitJob: VisitJob, { waitsFor, start }: WaitingStep): void {
    this.#current = null
    this.#waiting.set(visitJob, waitsFor)
    visitJob.events.onWaiting(true, waitsFor)
    start(() => {
      // The visit was dropped in the meantime.
      if (!this.#waiting.delete(visitJob)) return
      visitJob.events.onWaiting(false, waitsFor)
      this.#queue.unshift(visitJob)
      this.#startNext()
    })
  }
}
