// What a crawl thread has to tell the store, gathered and sent in groups: one commit is one transaction.

import type { Clock } from '../../lib/clock.ts'
import type { CommitBatch, CommitResult, FoundUrl, Lease, LoopFrontier, VisitReport } from '../../ports/frontier.ts'
import type { Admit } from './admit.ts'
import type { HostWork } from './host-work.ts'
import type { Kept } from './keep.ts'
import type { Keeper } from './keeper.ts'
import { Tally } from './tally.ts'

export interface OutboxParts {
  frontier: LoopFrontier
  keeper: Keeper
  clock: Clock
  admit: Admit
}

export interface OutboxEvents {
  /** It is time to send: call `flush` with the hosts at work. */
  onDue(): void
  onCommitted(result: CommitResult): void
  onFailed(error: unknown): void
}

const NO_KEYS = new Uint8Array(0)
/**
 * A commit is sent when it holds so many visits, found urls or bytes to be kept, or when its first visit is so old and the
 * store has answered the commit before: a store that is busy gets fewer and larger ones.
 */
const FLUSH_VISITS = 256
const FLUSH_FOUND = 4096
const FLUSH_BYTES = 4 * 1024 * 1024
const FLUSH_MS = 100
/** Commits sent and not yet answered; more would only grow the memory. */
const MAX_COMMITS = 3
const MAX_BYTES_ON_WAY = 4 * FLUSH_BYTES

export class Outbox {
  readonly tally = new Tally()
  readonly #name: { crawlId: string; workerId: string }
  readonly #parts: OutboxParts
  readonly #events: OutboxEvents
  #batch: CommitBatch
  /** Urls found by the visits of the batch. */
  #found = 0
  /** Answers of the visits of the batch that are to be kept. */
  #kept: Kept[] = []
  #keptBytes = 0
  #bytesOnWay = 0
  /** The commit before this one, while it is on its way. */
  #last: Promise<unknown> | null = null
  #commits = 0
  /** Of those, what the store is at: when each was sent, the oldest first. */
  readonly #storing = new Set<{ sentAt: number }>()
  #cancelTimer: (() => void) | null = null
  /** The batch is old enough to be sent, and waits for the answer to the commit before. */
  #isOverdue = false

  constructor({ crawlId, workerId }: { crawlId: string; workerId: string }, parts: OutboxParts, events: OutboxEvents) {
    this.#name = { crawlId, workerId }
    this.#parts = parts
    this.#events = events
    this.#batch = this.#emptyBatch()
  }

  get isFull(): boolean {
    return this.#commits >= MAX_COMMITS || this.#bytesOnWay >= MAX_BYTES_ON_WAY
  }

  /** What the commits on their way wait for, when there may be no more of them. */
  get isFullOf(): 'store' | 'archive' | null {
    if (!this.isFull) return null
    return this.#storing.size === 0 && this.#parts.keeper.writing > 0 ? 'archive' : 'store'
  }

  /** How long the oldest commit that the store is at has taken; 0 when there is none. */
  get oldestCommitMs(): number {
    const [oldest] = this.#storing
    return oldest === undefined ? 0 : this.#parts.clock.now() - oldest.sentAt
  }

  /** Everything sent has been answered. */
  get isSettled(): boolean {
    return this.#commits === 0
  }

  addBytes(bytes: number): void {
    this.#batch.bytes += bytes
  }

  addVisit(visit: VisitReport, kept: Kept | null = null): void {
    this.#batch.visits.push(visit)
    this.tally.count(visit.verdict)
    if (kept !== null) {
      this.#kept.push(kept)
      this.#keptBytes += kept.payload.length + kept.extracted.length
    }
    this.#grow(visit.found.length + (visit.traps?.held?.found.length ?? 0))
  }

  /** Urls that stand in no page. */
  addFound(found: FoundUrl[]): void {
    if (found.length === 0) return
    this.#batch.found.push(...found)
    this.#grow(found.length)
  }

  addRelease(work: HostWork): void {
    if (work.isDirty) this.#batch.hosts.push(work.report())
    this.#batch.release.push(work.lease.token)
  }

  /** Leases that were granted too late to be used. */
  addReleased(leases: Lease[]): void {
    for (const { token } of leases) this.#batch.release.push(token)
  }

  #grow(found: number): void {
    this.#found += found
    const isFull = this.#batch.visits.length >= FLUSH_VISITS || this.#found >= FLUSH_FOUND
    if (isFull || this.#keptBytes >= FLUSH_BYTES) this.#events.onDue()
    else this.#cancelTimer ??= this.#parts.clock.after(FLUSH_MS, () => this.#ripen())
  }

  #ripen(): void {
    if (this.#commits > 0) this.#isOverdue = true
    else this.#events.onDue()
  }

  flush(works: Iterable<HostWork>): void {
    this.close()
    const batch = this.#batch
    if (batch.visits.length === 0 && batch.release.length === 0 && batch.found.length === 0) return
    for (const work of works) if (work.isDirty) batch.hosts.push(work.report())
    const { admit } = this.#parts
    batch.rejected = admit.rejections.takeCounts()
    batch.samples = admit.rejections.takeSamples()
    batch.linkKeys = admit.linkKeys.takeClosed()
    const kept = this.#kept
    const bytes = this.#keptBytes
    this.#empty()
    this.#commits += 1
    this.#bytesOnWay += bytes
    this.#send(batch, kept).then(
      (result) => {
        this.#commits -= 1
        this.#bytesOnWay -= bytes
        if (this.#isOverdue && this.#commits === 0) this.#events.onDue()
        this.#events.onCommitted(result)
      },
      (error: unknown) => this.#events.onFailed(error),
    )
  }

  /** Bytes first, then the commit that points at them; commits in order, for one may release what the last reports. */
  #send(batch: CommitBatch, kept: Kept[]): Promise<CommitResult> {
    const { keeper } = this.#parts
    if (kept.length === 0 && this.#last === null) return this.#store(batch)
    const before = this.#last
    const sent = Promise.all([kept.length === 0 ? null : keeper.keep(kept), before]).then(() => this.#store(batch))
    this.#last = sent
    const forget = () => {
      if (this.#last === sent) this.#last = null
    }
    // A failure is told to whoever waits for the answer; nobody else may be there to hear it.
    sent.then(forget, forget)
    return sent
  }

  /** What is measured delays nothing: the answer is heard as soon as it comes. */
  #store(batch: CommitBatch): Promise<CommitResult> {
    const { frontier, clock } = this.#parts
    const commit = { sentAt: clock.now() }
    this.#storing.add(commit)
    const answer = frontier.commit(batch)
    answer.then(
      () => {
        this.#storing.delete(commit)
        this.tally.commit.add(clock.now() - commit.sentAt)
      },
      // Told to whoever waits for the answer.
      () => undefined,
    )
    return answer
  }

  #empty(): void {
    this.#batch = this.#emptyBatch()
    this.#found = 0
    this.#kept = []
    this.#keptBytes = 0
  }

  /** Forgets what was not sent, but for the pace of the hosts, and hands back every lease but those of hosts at work. */
  startOver(works: Iterable<HostWork>): void {
    this.#empty()
    this.#parts.keeper.startOver()
    for (const work of works) {
      this.#batch.hosts.push(work.report())
      if (work.inFlight === 0) this.#batch.release.push(work.lease.token)
    }
  }

  close(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = null
    this.#isOverdue = false
  }

  #emptyBatch(): CommitBatch {
    const lists = { visits: [], found: [], hosts: [], samples: [], release: [] }
    return { ...this.#name, ...lists, linkKeys: NO_KEYS, rejected: {}, bytes: 0 }
  }
}
