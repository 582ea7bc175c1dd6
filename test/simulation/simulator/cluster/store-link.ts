// The connection between a worker and the store. Calls and replies take time and keep their order; a fault affects the
// next call of its kind. Once a call has failed, the connection is broken: nothing sent later arrives.

import { AppError } from '../../../../src/lib/errors.ts'
import type { SeededRandom } from '../../../../src/lib/seeded-random.ts'
import type { CallFault, FaultKind, PlannedFault, StoreCall } from '../planned-faults.ts'
import type { VirtualTimeline } from '../virtual-timeline.ts'
import type { SimulatedProcess } from './simulated-process.ts'
import type { StoreQueue } from './store-queue.ts'

export interface StoreLinkDependencies {
  process: SimulatedProcess
  timeline: VirtualTimeline
  storeQueue: StoreQueue
  random: SeededRandom
  onEvent(who: string, what: string): void
  onFault(kind: CallFault): void
  /** Whether the store was reopened since: everything in transit is lost then. */
  isCut(): boolean
}

const LATENCY_MS = 4
/** Timeout of a worker for a call without a reply. */
const TIMEOUT_MS = 4000

const BREAKING: ReadonlySet<FaultKind> = new Set(['request lost', 'reply lost', 'error before', 'error after'] as const)

export class StoreLink {
  readonly #dependencies: StoreLinkDependencies
  readonly #faults: PlannedFault[] = []
  #isBroken = false
  #requestAt = 0
  #replyAt = 0

  constructor(parts: StoreLinkDependencies) {
    this.#dependencies = parts
  }

  addFault(plannedFault: PlannedFault): void {
    this.#faults.push(plannedFault)
  }

  call<T>(name: StoreCall, perform: () => Promise<T>): Promise<T> {
    const { timeline, storeQueue, process, isCut, onEvent } = this.#dependencies
    const fault = this.#takeFault(name)
    const kind = fault?.kind ?? null
    const ms = fault?.ms ?? 0
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const wasBroken = this.#isBroken
    this.#isBroken ||= kind !== null && BREAKING.has(kind)
    const fail = (afterMs: number) =>
      this.#reply(afterMs, () => reject(new AppError('STORE_FAILED', `The store did not respond: ${kind}.`)))
    if (wasBroken || kind === 'request lost') fail(TIMEOUT_MS)
    else if (kind === 'error before') fail(0)
    else {
      const serve = (reply: (outcome: PromiseSettledResult<T>) => void) =>
        storeQueue.enqueue(async () => {
          if (isCut()) return
          const [outcome] = await Promise.allSettled([perform()])
          reply(outcome)
        })
      this.#send(kind === 'request late' ? ms : 0, () => {
        serve((outcome) => {
          if (kind === 'reply lost') fail(TIMEOUT_MS)
          else if (kind === 'error after') fail(0)
          else if (outcome.status === 'rejected') this.#reply(0, () => reject(outcome.reason))
          else this.#reply(kind === 'reply late' ? ms : 0, () => resolve(outcome.value))
        })
        if (kind === 'delivered twice')
          timeline.after(ms, () => serve(() => onEvent(process.name, `${name} came again`)))
      })
    }
    return promise
  }

  #takeFault(name: StoreCall): PlannedFault | null {
    const at = this.#faults.findIndex((plannedFault) => plannedFault.call === name)
    const [fault] = at === -1 ? [] : this.#faults.splice(at, 1)
    if (fault === undefined) return null
    this.#dependencies.onEvent(this.#dependencies.process.name, `fault: ${fault.kind}, ${name}, ${fault.ms} ms`)
    this.#dependencies.onFault(fault.kind as CallFault)
    return fault
  }

  #send(extraMs: number, arrive: () => void): void {
    const { timeline } = this.#dependencies
    this.#requestAt = Math.max(this.#requestAt, timeline.now() + this.#latency() + extraMs)
    timeline.after(this.#requestAt - timeline.now(), arrive)
  }

  #reply(extraMs: number, arrive: () => void): void {
    const { timeline, process } = this.#dependencies
    this.#replyAt = Math.max(this.#replyAt, timeline.now() + this.#latency() + extraMs)
    timeline.after(this.#replyAt - timeline.now(), () => process.run(arrive))
  }

  #latency(): number {
    return this.#dependencies.random.below(LATENCY_MS)
  }
}
