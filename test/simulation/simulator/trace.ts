// The events of a run, line by line, and the first broken guarantee.

import { createHash } from 'node:crypto'
import type { FaultKind } from './planned-faults.ts'
import type { VirtualTimeline } from './virtual-timeline.ts'

export interface Violation {
  promise: string
  detail: string
}

export class Trace {
  readonly lines: string[] = []
  readonly faults = new Map<FaultKind, number>()
  readonly #timeline: VirtualTimeline
  violation: Violation | null = null

  constructor(virtualTimeline: VirtualTimeline) {
    this.#timeline = virtualTimeline
  }

  readonly recordEvent = (who: string, what: string): void => {
    this.lines.push(`${String(this.#timeline.elapsedMs).padStart(7)}  ${who.padEnd(6)} ${what}`)
  }

  readonly countFault = (kind: FaultKind): void => {
    this.faults.set(kind, (this.faults.get(kind) ?? 0) + 1)
  }

  /** Only the first violation is reported: later ones may be its consequences. */
  readonly reportViolation = (promise: string, detail: string): void => {
    if (this.violation !== null) return
    this.violation = { promise, detail }
    this.recordEvent('!', `${promise}: ${detail}`)
  }

  /** An error that no fault of the plan can cause. */
  readonly reportFailure = (error: unknown): void => {
    this.reportViolation('no failure', error instanceof Error ? (error.stack ?? error.message) : String(error))
  }

  /** Equal for two runs of the same plan. */
  get hash(): string {
    return createHash('sha256').update(this.lines.join('\n')).digest('hex')
  }
}
