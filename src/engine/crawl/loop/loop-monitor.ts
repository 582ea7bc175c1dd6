// Reads the state of a crawl loop: counters, host statistics, why hosts wait, and where the time of its slots goes.
// Nothing is recorded in advance, so it costs the crawl nothing.

import type { Clock } from '../../../lib/clock.ts'
import type { HostWait } from '../hosts/host-waits.ts'
import type { CommitBuffer } from '../report/commit-buffer.ts'
import type { HostStats } from '../stats/host-stats.ts'
import type { LoopCounts } from '../stats/loop-counters.ts'
import { PhaseRecorder, type PhaseTimes } from '../stats/phase-recorder.ts'
import type { DocumentQueue } from '../visit/document-queue.ts'
import type { Dispatcher } from './dispatcher.ts'
import type { LeasePoller } from './lease-poller.ts'
import type { LeasedHosts } from './leased-hosts.ts'

export interface LoopMonitorDependencies {
  leasedHosts: LeasedHosts
  dispatcher: Dispatcher
  poller: LeasePoller
  commitBuffer: CommitBuffer
  documentQueue: DocumentQueue
  clock: Clock
  isOnHold: () => boolean
}

export class LoopMonitor {
  readonly #slots: number
  readonly #dependencies: LoopMonitorDependencies
  readonly #phases: PhaseRecorder

  constructor(slots: number, dependencies: LoopMonitorDependencies) {
    this.#slots = slots
    this.#dependencies = dependencies
    this.#phases = new PhaseRecorder(dependencies.clock.now())
  }

  get inFlight(): number {
    return this.#dependencies.dispatcher.inFlight
  }

  get stats(): HostStats {
    return this.#dependencies.dispatcher.stats
  }

  get loopCounts(): LoopCounts {
    return this.#dependencies.commitBuffer.counters.read()
  }

  /** Age of the oldest commit that the store has not answered; 0 if there is none. */
  get oldestCommitMs(): number {
    return this.#dependencies.commitBuffer.oldestCommitMs
  }

  get waits(): HostWait[] {
    const { leasedHosts, dispatcher, clock } = this.#dependencies
    return leasedHosts.waits.list(leasedHosts.values(), dispatcher.throttle, clock.now())
  }

  /** Slot time of the last minute, by phase. */
  get phases(): PhaseTimes {
    return this.#phases.lastMinute(this.#dependencies.clock.now())
  }

  /** Called about ten times a second. `queueLength`: responses that wait for this thread. */
  samplePhases(queueLength: number): void {
    const { leasedHosts, dispatcher, poller, commitBuffer, documentQueue, clock, isOnHold } = this.#dependencies
    const now = clock.now()
    const waiting = leasedHosts.countWaiting(dispatcher.throttle, now)
    const { isRequesting, nextWorkAt } = poller
    if (isRequesting && leasedHosts.pendingUrls === 0) waiting.store += 1
    if (documentQueue.hasBacklog) waiting.documents += 1
    // The store has URLs but none is due. If no host is silent or waits for a proxy, and no documents wait, the reason is a gap, even one left
    // by another worker.
    else if (nextWorkAt !== null && nextWorkAt > now && waiting.origin + waiting.proxy === 0) waiting.politeness += 1
    const sample = {
      slots: this.#slots,
      isOnHold: isOnHold(),
      commitsBlockedBy: commitBuffer.blockedBy,
      taken: dispatcher.countTakenSlots(),
      waiting,
    }
    this.#phases.add(sample, queueLength, now)
  }
}
