// Takes the steps of visits (visit.ts), one visit after the other. Most have a single step and are done at once; a long
// one lets the thread turn to its sockets between steps, while the visits behind it wait. One that waits for something
// else lets them pass.

import type { LeasedUrl } from '../../ports/frontier.ts'
import { type Pause, type Visit, type Visited, type VisitParts, visitSteps } from './visit.ts'

interface Job {
  visit: Visit
  steps: Generator<Pause, Visited, void>
  done: (visited: Visited) => void
}

/** Hears of every step before it is taken and after it, so that a step without an end can be told from outside. */
export interface StepNote {
  begin(token: number, url: LeasedUrl): void
  end(): void
}

export interface ReadingParts extends VisitParts {
  stepNote: StepNote
}

export class Reading {
  readonly #parts: ReadingParts
  readonly #onFailed: (error: unknown, visit: Visit) => void
  readonly #waiting: Job[] = []
  #current: Job | null = null
  /** Jobs of an earlier era have been forgotten. */
  #era = 0

  /** `onFailed` hears of a defect: a page that cannot be read at all. */
  constructor(parts: ReadingParts, onFailed: (error: unknown, visit: Visit) => void) {
    this.#parts = parts
    this.#onFailed = onFailed
  }

  /** `done` is called before this returns if the visit has a single step and none is before it. */
  read(visit: Visit, done: (visited: Visited) => void): void {
    const job = { visit, steps: visitSteps(visit, this.#parts), done }
    if (this.#current !== null || this.#waiting.length > 0) {
      this.#waiting.push(job)
      return
    }
    this.#current = job
    this.#step(job)
  }

  /** Forgets everything that is not done. */
  clear(): void {
    this.#era += 1
    this.#waiting.length = 0
    this.#current = null
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
    const { stepNote } = this.#parts
    stepNote.begin(job.visit.token, job.visit.url)
    try {
      step = job.steps.next()
    } catch (error) {
      // The crawl ends with it; thrown on from here it would end the thread, and the other crawls on it.
      return this.#onFailed(error, job.visit)
    } finally {
      stepNote.end()
    }
    if (step.done) {
      this.#current = null
      return job.done(step.value)
    }
    if (step.value === null) setImmediate(() => this.#goOn(job))
    else this.#wait(job, step.value)
  }

  #goOn(job: Job): void {
    if (this.#current !== job) return
    this.#step(job)
    this.#turnToNext()
  }

  #wait(job: Job, until: (resume: () => void) => void): void {
    const era = this.#era
    this.#current = null
    until(() => {
      if (era !== this.#era) return
      this.#waiting.unshift(job)
      this.#turnToNext()
    })
  }
}
