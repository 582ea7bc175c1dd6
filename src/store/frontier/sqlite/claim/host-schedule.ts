// Decides which host of a crawl is next. Every host with open URLs has a HostQueue in one of three positions:
//
//   ready   due now, in a FIFO list per rank
//   later   in a heap by the time at which it is due
//   away    nothing to grant: no claimable URLs, or all slots of the host leased; `reschedule` brings it back
//
// Memory is a few words per host, not per URL: the URLs stay on disk until they are leased.

import { hostDueAt } from '../../../../frontier/host-turns.ts'
import { CRITICAL_RANK, chooseRank, LAST_RANK, weightedRank } from '../../../../frontier/rank.ts'
import type { Host } from '../hosts.ts'
import { TimeHeap } from './time-heap.ts'

export class HostQueue {
  readonly host: Host
  /** Queued URLs that are not in flight. */
  claimable = 0
  /** URLs in flight. Their rows are still in the queue index. */
  inFlight = 0
  /** Claimable URLs with a due time: retries and revisits. */
  delayed = 0
  /** No delayed URL is due before this time. */
  nextDelayedAt = Number.POSITIVE_INFINITY
  /** At least as good as the best rank of the claimable URLs. */
  rank = LAST_RANK
  /** Upper bound of the URLs in flight whose rows come after the cursor. */
  inFlightAfterCursor = 0
  /** The last claimed URL in the queue index. Everything up to it is in flight. */
  cursor: { rank: number; id: number } | null = null
  position: 'ready' | 'later' | 'unscheduled' = 'unscheduled'
  /** The list it is in while it is ready. */
  readyRank = LAST_RANK
  dueAt = 0
  /** When a lease was last granted; 0 if never. */
  servedAt = 0
  /** When the crawl last missed a turn of this host that was reserved for it. */
  missedTurnAt = Number.NEGATIVE_INFINITY

  constructor(host: Host) {
    this.host = host
  }

  /** Has URLs that are due, and none in flight. */
  isWaitingForTurn(now: number): boolean {
    return this.inFlight === 0 && (this.claimable > this.delayed || (this.delayed > 0 && this.nextDelayedAt <= now))
  }

  /** A new URL has the highest id, so only a better rank puts it before the cursor. */
  addNew(rank: number): void {
    this.claimable += 1
    if (rank < this.rank) this.rank = rank
    if (this.cursor !== null && rank < this.cursor.rank) this.#readFromTop()
  }

  /** An existing URL is queued at this rank, possibly before the cursor. */
  reopen(rank: number): void {
    if (rank < this.rank) this.rank = rank
    if (this.cursor !== null && rank <= this.cursor.rank) this.#readFromTop()
  }

  /** Adds the due time of one claimable URL. */
  addDelayed(dueAt: number): void {
    this.delayed += 1
    this.nextDelayedAt = Math.min(this.nextDelayedAt, dueAt)
  }

  /** A claimable URL leaves the queue without a visit. */
  removeQueued(isDelayed: boolean): void {
    this.claimable -= 1
    if (isDelayed) this.delayed -= 1
    if (this.delayed === 0) this.nextDelayedAt = Number.POSITIVE_INFINITY
  }

  #readFromTop(): void {
    this.cursor = null
    this.inFlightAfterCursor = this.inFlight
  }
}

function readyRankOf({ rank, host }: HostQueue): number {
  return weightedRank(rank, host.policy?.weight ?? 1)
}

export class HostSchedule {
  readonly queues = new Map<number, HostQueue>()
  readonly #ready: HostQueue[][] = Array.from({ length: LAST_RANK + 1 }, () => [])
  readonly #readyHead: number[] = new Array(LAST_RANK + 1).fill(0)
  readonly #later = new TimeHeap<HostQueue>()
  #perHost: number

  constructor(perHost: number) {
    this.#perHost = perHost
  }

  /** Reschedules every queue, even if the value is the same: policies may have changed. */
  setPerHost(perHost: number, now: number): void {
    this.#perHost = perHost
    for (const queue of this.queues.values()) {
      this.reschedule(queue, now)
      if (queue.position === 'ready' && queue.readyRank !== readyRankOf(queue)) this.#makeReady(queue)
    }
  }

  queueOf(host: Host): HostQueue {
    let queue = this.queues.get(host.id)
    if (queue === undefined) {
      queue = new HostQueue(host)
      this.queues.set(host.id, queue)
    }
    return queue
  }

  /** Moves a queue to its current position. Call it after any change to the queue or its host. */
  reschedule(queue: HostQueue, now: number): void {
    if (queue.position === 'ready') {
      // The entry in the other list is skipped when it is reached.
      if (queue.rank === CRITICAL_RANK && queue.readyRank !== CRITICAL_RANK) this.#makeReady(queue)
      return
    }
    const { policy } = queue.host
    const perHost = Math.min(this.#perHost, policy?.perHost ?? this.#perHost)
    if (queue.claimable === 0 || queue.host.leasedSlots >= perHost) {
      queue.position = 'unscheduled'
      return
    }
    const urlsDueAt = queue.claimable > queue.delayed ? 0 : queue.nextDelayedAt
    const dueAt = Math.max(urlsDueAt, hostDueAt(queue.host.nextAt, queue.host.health.downUntil, now))
    if (dueAt <= now) {
      queue.position = 'ready'
      this.#makeReady(queue)
    } else if (queue.position !== 'later' || dueAt < queue.dueAt) {
      queue.position = 'later'
      queue.dueAt = dueAt
      this.#later.push(dueAt, queue)
    }
  }

  /** Removes the next due host from the ready lists and returns it. */
  takeDueHost(now: number, random: () => number): HostQueue | undefined {
    this.#wakeDue(now)
    for (;;) {
      const present: number[] = []
      for (let rank = CRITICAL_RANK; rank <= LAST_RANK; rank++) if (this.#size(rank) > 0) present.push(rank)
      const rank = chooseRank(present, random)
      if (rank === undefined) return undefined
      const queue = this.#shift(rank)
      if (queue === undefined || queue.position !== 'ready' || queue.readyRank !== rank) continue
      queue.position = 'unscheduled'
      return queue
    }
  }

  #makeReady(queue: HostQueue): void {
    queue.readyRank = readyRankOf(queue)
    this.#list(queue.readyRank).push(queue)
  }

  countDue(now: number): number {
    this.#wakeDue(now)
    let due = 0
    for (let rank = CRITICAL_RANK; rank <= LAST_RANK; rank++) due += this.#size(rank)
    return due
  }

  nextDueAt(): number | null {
    return this.#later.peekTime()
  }

  #wakeDue(now: number): void {
    for (let queue = this.#later.popDue(now); queue !== undefined; queue = this.#later.popDue(now)) {
      if (queue.position !== 'later' || queue.dueAt > now) continue
      queue.position = 'unscheduled'
      this.reschedule(queue, now)
    }
  }

  #list(rank: number): HostQueue[] {
    return this.#ready[rank] ?? []
  }

  #size(rank: number): number {
    return this.#list(rank).length - (this.#readyHead[rank] ?? 0)
  }

  #shift(rank: number): HostQueue | undefined {
    const list = this.#list(rank)
    const head = this.#readyHead[rank] ?? 0
    const queue = list[head]
    if (head > 1000 && head * 2 > list.length) {
      list.splice(0, head + 1)
      this.#readyHead[rank] = 0
    } else {
      this.#readyHead[rank] = head + 1
    }
    return queue
  }
}
