// Heartbeats of the workers, and the check for workers whose heartbeats stopped. The lease model determines the
// expected effect.

import { IDLE_FIGURES } from '../../../../src/ports/contracts/testing/idle-figures.ts'
import type { LostWorker } from '../../../../src/ports/workers.ts'
import { HEARTBEAT_TIMEOUT_MS } from '../../../../src/ports/workers.ts'
import type { LeaseModel } from '../checks/lease-model.ts'
import type { VirtualTimeline } from '../virtual-timeline.ts'
import type { SimulatedProcess } from './simulated-process.ts'
import type { SimulatedStore } from './simulated-store.ts'
import type { StoreLink } from './store-link.ts'
import type { StoreQueue } from './store-queue.ts'

export interface HeartbeatsDependencies {
  timeline: VirtualTimeline
  storeQueue: StoreQueue
  leaseModel: LeaseModel
  store(): SimulatedStore
  wallMs(): number
  onEvent(who: string, what: string): void
  onViolation(promise: string, detail: string): void
}

/** Less often than real workers, because each heartbeat costs a few statements. */
const BEAT_MS = 3000
const CHECK_MS = 1000

export class Heartbeats {
  readonly #dependencies: HeartbeatsDependencies
  readonly #lastBeatAt = new Map<string, number>()
  readonly #lost = new Set<string>()

  constructor(parts: HeartbeatsDependencies) {
    this.#dependencies = parts
  }

  /** Sends heartbeats until the process ends. */
  startBeating(simulatedProcess: SimulatedProcess, storeLink: StoreLink): void {
    // A worker that cannot reach the store fails in its other calls.
    storeLink.call('beat', () => this.#recordBeat(simulatedProcess.name)).catch(() => undefined)
    simulatedProcess.clock.after(BEAT_MS, () => this.startBeating(simulatedProcess, storeLink))
  }

  watchForLost(): void {
    const { timeline, storeQueue } = this.#dependencies
    storeQueue.enqueue(() => this.#checkLost())
    timeline.after(CHECK_MS, () => this.watchForLost())
  }

  async #recordBeat(id: string): Promise<void> {
    const { store, wallMs } = this.#dependencies
    await store().workers.heartbeat({
      id,
      name: id,
      version: '1',
      address: null,
      startedAt: wallMs(),
      figures: IDLE_FIGURES,
    })
    this.#lastBeatAt.set(id, wallMs())
    this.#lost.delete(id)
  }

  async #checkLost(): Promise<void> {
    const { store, leaseModel, wallMs, onEvent, onViolation } = this.#dependencies
    const found = await store().workers.requeueLost(HEARTBEAT_TIMEOUT_MS)
    const since = wallMs() - HEARTBEAT_TIMEOUT_MS
    const silent = [...this.#lastBeatAt].filter(([id, at]) => !this.#lost.has(id) && at <= since).map(([id]) => id)
    for (const id of silent) this.#lost.add(id)
    if (found.length > 0)
      onEvent('fleet', `has lost ${found.map(({ id, urls }) => `${id} with ${urls} URLs`).join(', ')}`)
    if (namesOf(found) !== silent.sort().join())
      onViolation('lost workers', `${namesOf(found)} are lost, not ${silent}`)
    for (const id of this.#lost) {
      const { least, most } = leaseModel.requeueLost(id, since, wallMs())
      const urls = found.find((one) => one.id === id)?.urls
      if (urls !== undefined && (urls < least || urls > most))
        onViolation('lost workers', `${urls} URLs of ${id} were requeued, not ${least} to ${most}`)
    }
  }
}

function namesOf(workers: LostWorker[]): string {
  return workers
    .map(({ id }) => id)
    .sort()
    .join()
}
