// Which host of a crawl is next. One HostQueue per host with open urls, in one of three places:
//
//   ready   due now, in a first-in first-out list per priority
//   later   in a heap by the time it becomes due
//   away    nothing to hand out: no free urls, or every slot of the host is leased; `place` brings it back
//
// Memory is a few words per host, not per url: the urls themselves stay on disk until they are leased.

import { hostDueAt } from '../../../../frontier/host-turns.ts'
import { chooseRank, LAST_RANK } from '../../../../frontier/rank.ts'
import type { Host } from '../hosts.ts'
import { TimeHeap } from './time-heap.ts'

export class HostQueue {
  readonly host: Host
  /** Queued urls that nobody holds. */
  free = 0
  /** Urls of this queue in flight; their rows still stand in the queue index. */
  inFlight = 0
  /** Those of the free ones that are retries with a due time. */
  retries = 0
  /** No waiting url is due before this. */
  nextRetryAt = Number.POSITIVE_INFINITY
  /** Best rank among the free urls, or better. */
  rank = LAST_RANK
  /** Urls in flight whose rows reading may still meet, at most. */
  inFlightAhead = 0
  /** Position of the last url taken in the queue index; everything at or before it is in flight. */
  cursor: { rank: number; id: number } | null = null
  position: 'ready' | 'later' | 'away' = 'away'
  dueAt = 0
  /** When a lease was last granted; 0: never. */
  servedAt = 0
  /** When its crawl last let the turn pass that was kept for it. */
  turnPassedAt = Number.NEGATIVE_INFINITY

  constructor(host: Host) {
    this.host = host
  }

  /** It has urls that are due, and nobody is at them. */
  isWaitingForTurn(now: number): boolean {
    return this.inFlight === 0 && (this.free > this.retries || (this.retries > 0 && this.nextRetryAt <= now))
  }

  /** A new url: its id is the highest, so only a better rank puts it in front of the cursor. */
  addNew(rank: number): void {
    this.free += 1
    if (rank < this.rank) this.rank = rank
    if (this.cursor !== null && rank < this.cursor.rank) this.#readFromTop()
  }

  /** A url that was there before stands anew at this rank, perhaps in front of the cursor. */
  reopen(rank: number): void {
    if (rank < this.rank) this.rank = rank
    if (this.cursor !== null && rank <= this.cursor.rank) this.#readFromTop()
  }

  #readFromTop(): void {
    this.cursor = null
    this.inFlightAhead = this.inFlight
  }
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

  /** Also when it was so before: places every queue anew. */
  setPerHost(perHost: number, now: number): void {
    this.#perHost = perHost
    for (const queue of this.queues.values()) this.reschedule(queue, now)
  }

  queueOf(host: Host): HostQueue {
    let queue = this.queues.get(host.id)
    if (queue === undefined) {
      queue = new HostQueue(host)
      this.queues.set(host.id, queue)
    }
    return queue
  }

  /** Puts a queue where it belongs now. Call after anything about it or its host changed. */
  reschedule(queue: HostQueue, now: number): void {
    if (queue.position === 'ready') return
    if (queue.free === 0 || queue.host.leasedSlots >= this.#perHost) {
      queue.position = 'away'
      return
    }
    const urlsDueAt = queue.free > queue.retries ? 0 : queue.nextRetryAt
    const dueAt = Math.max(urlsDueAt, hostDueAt(queue.host.nextAt, queue.host.health.downUntil, now))
    if (dueAt <= now) {
      queue.position = 'ready'
      this.#list(queue.rank).push(queue)
    } else if (queue.position !== 'later' || dueAt < queue.dueAt) {
      queue.position = 'later'
      queue.dueAt = dueAt
      this.#later.push(dueAt, queue)
    }
  }

  /** Takes the next host that is due. */
  takeDueHost(now: number, random: () => number): HostQueue | undefined {
    this.#wakeDue(now)
    const present: number[] = []
    for (let rank = 1; rank <= LAST_RANK; rank++) if (this.#size(rank) > 0) present.push(rank)
    const rank = chooseRank(present, random)
    return rank === undefined ? undefined : this.#shift(rank)
  }

  countDue(now: number): number {
    this.#wakeDue(now)
    let due = 0
    for (let rank = 1; rank <= LAST_RANK; rank++) due += this.#size(rank)
    return due
  }

  nextDueAt(): number | null {
    return this.#later.peekTime()
  }

  #wakeDue(now: number): void {
    for (let queue = this.#later.popDue(now); queue !== undefined; queue = this.#later.popDue(now)) {
      if (queue.position !== 'later' || queue.dueAt > now) continue
      queue.position = 'away'
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
    if (queue !== undefined) queue.position = 'away'
    return queue
  }
}
