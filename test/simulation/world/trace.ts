// What happened in a world, line by line, and the first promise that was broken.

import { createHash } from 'node:crypto'
import type { FaultKind } from './faults.ts'
import type { Timeline } from './timeline.ts'

export interface Broken {
  promise: string
  detail: string
}

export class Trace {
  readonly lines: string[] = []
  readonly faults = new Map<FaultKind, number>()
  readonly #timeline: Timeline
  broken: Broken | null = null

  constructor(timeline: Timeline) {
    this.#timeline = timeline
  }

  readonly event = (who: string, what: string): void => {
    this.lines.push(`${String(this.#timeline.elapsedMs).padStart(7)}  ${who.padEnd(6)} ${what}`)
  }

  readonly fault = (kind: FaultKind): void => {
    this.faults.set(kind, (this.faults.get(kind) ?? 0) + 1)
  }

  /** Only the first counts: what comes after may follow from it. */
  readonly breach = (promise: string, detail: string): void => {
    if (this.broken !== null) return
    this.broken = { promise, detail }
    this.event('!', `${promise}: ${detail}`)
  }

  /** Something threw that nothing in the plan can make throw. */
  readonly failure = (error: unknown): void => {
    this.breach('no failure', error instanceof Error ? (error.stack ?? error.message) : String(error))
  }

  /** Two runs of one plan have the same. */
  get hash(): string {
    return createHash('sha256').update(this.lines.join('\n')).digest('hex')
  }
}
