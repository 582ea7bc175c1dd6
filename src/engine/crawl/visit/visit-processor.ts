// Runs the steps of visits (visit-steps.ts), one visit after the other. Most visits have a single step and finish at
// once. A long visit yields to the event loop between steps, while the visits behind it wait. A visit that is blocked,
// because a document reader, the renderer or decompression has not finished, lets the others pass.

import type { Clock } from '../../../lib/clock.ts'
import type { LeasedUrl } from '../../../ports/frontier.ts'
import {
  type BlockedBy,
  type BlockedStep,
  type StepPause,
  type Visit,
  type VisitDependencies,
  type VisitResult,
  visitSteps,
} from './visit-steps.ts'

export interface VisitEvents {
  onDone(visitResult: VisitResult): void
  /** The visit is blocked, or no longer. */
  onBlocked(isBlocked: boolean, by: BlockedBy): void
  /** The visit was blocked and is dropped. */
  onDropped(by: BlockedBy): void
}

interface VisitJob {
  visit: Visit
  steps: Generator<StepPause, VisitResult, void>
  events: VisitEvents
}

/** Called before and after each step, so that the watchdog knows which URL a hung step was reading. */
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
  readonly #blocked = new Map<VisitJob, BlockedBy>()
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
    this.#blocked.clear()
    this.#queue.length = 0
    this.#current = null
  }

  /** Drops the blocked visits. */
  dropBlocked(): void {
    for (const [visitJob, by] of this.#blocked) {
      this.#blocked.delete(visitJob)
      visitJob.events.onDropped(by)
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
      // Only this crawl fails. An exception from here would end the thread and the other crawls on it.
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
    else this.#block(visitJob, step.value)
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

  #block(visitJob: VisitJob, { by, start }: BlockedStep): void {
    this.#current = null
    this.#blocked.set(visitJob, by)
    visitJob.events.onBlocked(true, by)
    start(() => {
      // The visit was dropped in the meantime.
      if (!this.#blocked.delete(visitJob)) return
      visitJob.events.onBlocked(false, by)
      this.#queue.unshift(visitJob)
      this.#startNext()
    })
  }
}
