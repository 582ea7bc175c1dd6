// Takes the steps of visits (visit.ts), one visit after the other. Most have a single step and are done at once; a long
// one lets the thread turn to its sockets between steps, while the visits behind it wait.

import type { VisitReport } from '../../ports/frontier.ts'
import { type Pause, type Visit, type VisitParts, visitSteps } from './visit.ts'

type Done = (report: VisitReport) => void

export class Reading {
  readonly #parts: VisitParts
  readonly #waiting: { visit: Visit; done: Done }[] = []
  readonly #onFailed: (error: unknown) => void
  #current: Generator<Pause, VisitReport, void> | null = null

  /** `onFailed` hears of a defect: a page that cannot be read at all. */
  constructor(parts: VisitParts, onFailed: (error: unknown) => void) {
    this.#parts = parts
    this.#onFailed = onFailed
  }

  /** `done` is called before this returns if the visit has a single step and none is before it. */
  read(visit: Visit, done: Done): void {
    this.#waiting.push({ visit, done })
    this.#turnToNext()
  }

  /** Forgets everything that is not done. */
  clear(): void {
    this.#waiting.length = 0
    this.#current = null
  }

  #turnToNext(): void {
    while (this.#current === null) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      this.#current = visitSteps(next.visit, this.#parts)
      this.#take(this.#current, next.done)
    }
  }

  #take(steps: Generator<Pause, VisitReport, void>, done: Done): void {
    if (this.#current !== steps) return
    let step: IteratorResult<Pause, VisitReport>
    try {
      step = steps.next()
    } catch (error) {
      // The client that called us would swallow it, and the crawl would wait for ever.
      return this.#onFailed(error)
    }
    if (step.done) {
      this.#current = null
      done(step.value)
      return
    }
    const resume = () => {
      this.#take(steps, done)
      this.#turnToNext()
    }
    if (step.value === null) setImmediate(resume)
    else step.value(resume)
  }
}
