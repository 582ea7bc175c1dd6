// Takes the steps of visits (visit.ts), one visit after the other. Most have a single step and are done at once; a long
// one lets the thread turn to its sockets between steps, while the visits behind it wait. One that waits for something
// else, which is a document reader, steps aside and lets them pass.

import type { Clock } from '../../lib/clock.ts'
import type { LeasedUrl } from '../../ports/frontier.ts'
import { type Pause, type Visit, type Visited, type VisitParts, visitSteps } from './visit.ts'

export interface ReadingEvents {
  onDone(visited: Visited): void
  /** It waits for something else, or does no longer. */
  onAside(isAside: boolean): void
  /** It was aside and is not read any more. */
  onDropped(): void
}

interface Job {
  visit: Visit
  steps: Generator<Pause, Visited, void>
  events: ReadingEvents
}

/** Called before and after each step, so that the watchdog knows which URL a hung step was reading. */
export interface StepNote {
  begin(token: number, url: LeasedUrl): void
  end(): void
}

export interface ReadingParts extends VisitParts {
  stepNote: StepNote
  clock: Clock
}

/** A step of a reading, during which the thread did nothing else. */
export interface LongStep {
  url: LeasedUrl
  tookMs: number
  endedAt: number
}

export class Reading {
  readonly #parts: ReadingParts
  readonly #onFailed: (error: unknown, visit: Visit) => void
  readonly #waiting: Job[] = []
  readonly #aside = new Set<Job>()
  #current: Job | null = null
  #longest: LongStep | null = null

  /** `onFailed` hears of a defect: a page that cannot be read at all. */
  constructor(parts: ReadingParts, onFailed: (error: unknown, visit: Visit) => void) {
    this.#parts = parts
    this.#onFailed = onFailed
  }

  /** `onDone` is called before this returns if the visit has a single step and none is before it. */
  read(visit: Visit, events: ReadingEvents): void {
    const job = { visit, steps: visitSteps(visit, this.#parts), events }
    if (this.#current !== null || this.#waiting.length > 0) {
      this.#waiting.push(job)
      return
    }
    this.#current = job
    this.#step(job)
  }

  /** The longest step that was not forgotten. */
  get longestStep(): LongStep | null {
    return this.#longest
  }

  forgetStepsBefore(time: number): void {
    if (this.#longest !== null && this.#longest.endedAt <= time) this.#longest = null
  }

  /** Forgets everything that is not done. */
  clear(): void {
    this.#aside.clear()
    this.#waiting.length = 0
    this.#current = null
  }

  /** Gives up what waits for something else. */
  dropAside(): void {
    for (const job of this.#aside) {
      this.#aside.delete(job)
      job.events.onDropped()
    }
  }

  #turnToNext(): void {
    while (this.#current === null) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      this.#current = next
      this.#step(next)
    }
  }

  #step(job: Job): void {
    let step: IteratorResult<Pause, Visited>
    const { stepNote, clock } = this.#parts
    const startedAt = clock.now()
    stepNote.begin(job.visit.token, job.visit.url)
    try {
      step = job.steps.next()
    } catch (error) {
      // The crawl ends with it; thrown on from here it would end the thread, and the other crawls on it.
      return this.#onFailed(error, job.visit)
    } finally {
      stepNote.end()
      this.#time(job.visit.url, startedAt, clock.now())
    }
    if (step.done) {
      this.#current = null
      return job.events.onDone(step.value)
    }
    if (step.value === null) setImmediate(() => this.#goOn(job))
    else this.#wait(job, step.value)
  }

  #time(url: LeasedUrl, startedAt: number, endedAt: number): void {
    const tookMs = endedAt - startedAt
    if (tookMs > (this.#longest?.tookMs ?? 0)) this.#longest = { url, tookMs, endedAt }
  }

  #goOn(job: Job): void {
    if (this.#current !== job) return
    this.#step(job)
    this.#turnToNext()
  }

  #wait(job: Job, until: (resume: () => void) => void): void {
    this.#current = null
    this.#aside.add(job)
    job.events.onAside(true)
    until(() => {
      // It was dropped, or everything was forgotten.
      if (!this.#aside.delete(job)) return
      job.events.onAside(false)
      this.#waiting.unshift(job)
      this.#turnToNext()
    })
  }
}
