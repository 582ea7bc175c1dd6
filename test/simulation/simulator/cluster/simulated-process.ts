// A simulated process: every event (timers, replies of the store, responses of the web) passes through `run`. While the
// process is paused, events wait, and then run in order; once it has ended, none of them ever runs.

import type { Clock } from '../../../../src/lib/clock.ts'
import type { VirtualTimeline } from '../virtual-timeline.ts'

export class SimulatedProcess {
  readonly name: string
  readonly clock: Clock
  readonly #timeline: VirtualTimeline
  readonly #backlog: (() => void)[] = []
  #state: 'running' | 'paused' | 'ended' = 'running'

  /** `wallMs` is the time that its clock shows. */
  constructor(name: string, virtualTimeline: VirtualTimeline, wallMs: () => number) {
    this.name = name
    this.#timeline = virtualTimeline
    this.clock = { now: wallMs, after: (delayMs, callback) => this.#after(delayMs, callback) }
  }

  get isAlive(): boolean {
    return this.#state !== 'ended'
  }

  run(work: () => void): void {
    if (this.#state === 'running') work()
    else if (this.#state === 'paused') this.#backlog.push(work)
  }

  pause(ms: number): void {
    if (this.#state !== 'running') return
    this.#state = 'paused'
    this.#timeline.after(ms, () => this.#resume())
  }

  end(): void {
    this.#state = 'ended'
    this.#backlog.length = 0
  }

  #resume(): void {
    if (this.#state !== 'paused') return
    this.#state = 'running'
    // Runs one after the other, as in an event loop.
    for (const work of this.#backlog.splice(0)) this.#timeline.after(0, () => this.run(work))
  }

  #after(delayMs: number, callback: () => void): () => void {
    let isCancelled = false
    const cancel = this.#timeline.after(delayMs, () =>
      this.run(() => {
        if (!isCancelled) callback()
      }),
    )
    return () => {
      isCancelled = true
      cancel()
    }
  }
}
