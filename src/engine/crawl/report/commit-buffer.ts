// What a crawl thread has to tell the store, gathered and sent in groups: one commit is one transaction.

import type { Clock } from '../../../lib/clock.ts'
import type { CommitBatch, CommitResult, FoundUrl, Lease, LoopFrontier, VisitReport } from '../../../ports/frontier.ts'
import type { LeasedHost } from '../hosts/leased-host.ts'
import type { LinkAdmission } from '../links/link-admission.ts'
import type { ResponseToArchive } from '../visit/response-to-archive.ts'
import { LoopCounters } from '../watch/loop-counters.ts'
import type { ResponseArchiver } from './response-archiver.ts'

export interface CommitBufferDependencies {
  frontier: LoopFrontier
  archiver: ResponseArchiver
  clock: Clock
  linkAdmission: LinkAdmission
}

export interface CommitBufferEvents {
  /** It is time to send: call `flush` with the hosts at host. */
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
const MAX_BYTES_IN_FLIGHT = 4 * FLUSH_BYTES

export class CommitBuffer {
  readonly counters = new LoopCounters()
  readonly #owner: { crawlId: string; workerId: string }
  readonly #dependencies: CommitBufferDependencies
  readonly #events: CommitBufferEvents
  #batch: CommitBatch
  /** Urls found by the visits of the batch. */
  #foundUrls = 0
  /** Answers of the visits of the batch that are to be kept. */
  #toArchive: ResponseToArchive[] = []
  #bytesToArchive = 0
  #bytesInFlight = 0
  /** The commit before this one, while it is on its way. */
  #lastCommit: Promise<unknown> | null = null
  #commitsInFlight = 0
  /** Of those, what the store is at: when each was sent, the oldest first. */
  readonly #storeCommits = new Set<{ sentAt: number }>()
  #cancelTimer: (() => void) | null = null
  /** The batch is old enough to be sent, and waits for the answer to the commit before. */
  #isOverdue = false

  constructor(
    { crawlId, workerId }: { crawlId: string; workerId: string },
    dependencies: CommitBufferDependencies,
    events: CommitBufferEvents,
  ) {
    this.#owner = { crawlId, workerId }
    this.#dependencies = dependencies
    this.#events = events
    this.#batch = this.#emptyBatch()
  }

  get isFull(): boolean {
    return this.#commitsInFlight >= MAX_COMMITS || this.#bytesInFlight >= MAX_BYTES_IN_FLIGHT
  }

  /** What the commits on their way wait for, when there may be no more of them. */
  get blockedBy(): 'store' | 'archive' | null {
    if (!this.isFull) return null
    return this.#storeCommits.size === 0 && this.#dependencies.archiver.batchesInFlight > 0 ? 'archive' : 'store'
  }

  /** How long the oldest commit that the store is at has taken; 0 when there is none. */
  get oldestCommitMs(): number {
    const [oldest] = this.#storeCommits
    return oldest === undefined ? 0 : this.#dependencies.clock.now() - oldest.sentAt
  }

  /** Everything sent has been answered. */
  get isDrained(): boolean {
    return this.#commitsInFlight === 0
  }

  addReceivedBytes(bytes: number): void {
    this.#batch.bytes += bytes
  }

  addVisit(visit: VisitReport, kept: ResponseToArchive | null = null): void {
    this.#batch.visits.push(visit)
    this.counters.count(visit.outcome)
    if (kept !== null) {
      this.#toArchive.push(kept)
      this.#bytesToArchive += kept.payload.length + kept.extracted.length
    }
    this.#scheduleFlush(visit.found.length + (visit.traps?.held?.found.length ?? 0))
  }

  /** Urls that stand in no page. */
  addFoundUrls(found: FoundUrl[]): void {
    if (found.length === 0) return
    this.#batch.found.push(...found)
    this.#scheduleFlush(found.length)
  }

  addReleasedHost(host: LeasedHost): void {
    if (host.isDirty) this.#batch.hosts.push(host.takeReport())
    this.#batch.release.push(host.lease.token)
  }

  /** Leases that were granted too late to be used. */
  addReleasedLeases(leases: Lease[]): void {
    for (const { token } of leases) this.#batch.release.push(token)
  }

  #scheduleFlush(found: number): void {
    this.#foundUrls += found
    const isFull = this.#batch.visits.length >= FLUSH_VISITS || this.#foundUrls >= FLUSH_FOUND
    if (isFull || this.#bytesToArchive >= FLUSH_BYTES) this.#events.onDue()
    else this.#cancelTimer ??= this.#dependencies.clock.after(FLUSH_MS, () => this.#flushWhenIdle())
  }

  #flushWhenIdle(): void {
    if (this.#commitsInFlight > 0) this.#isOverdue = true
    else this.#events.onDue()
  }

  flush(hosts: Iterable<LeasedHost>): void {
    this.cancelFlush()
    const batch = this.#batch
    if (batch.visits.length === 0 && batch.release.length === 0 && batch.found.length === 0) return
    for (const host of hosts) if (host.isDirty) batch.hosts.push(host.takeReport())
    const { linkAdmission } = this.#dependencies
    batch.rejected = linkAdmission.rejections.takeCounts()
    batch.samples = linkAdmission.rejections.takeSamples()
    batch.linkKeys = linkAdmission.linkKeys.takeClosed()
    const kept = this.#toArchive
    const bytes = this.#bytesToArchive
    this.#clearBatch()
    this.#commitsInFlight += 1
    this.#bytesInFlight += bytes
    this.#send(batch, kept).then(
      (result) => {
        this.#commitsInFlight -= 1
        this.#bytesInFlight -= bytes
        if (this.#isOverdue && this.#commitsInFlight === 0) this.#events.onDue()
        this.#events.onCommitted(result)
      },
      (error: unknown) => this.#events.onFailed(error),
    )
  }

  /** Bytes first, then the commit that points at them; commits in order, for one may release what the last reports. */
  #send(batch: CommitBatch, kept: ResponseToArchive[]): Promise<CommitResult> {
    const { archiver } = this.#dependencies
    if (kept.length === 0 && this.#lastCommit === null) return this.#commit(batch)
    const before = this.#lastCommit
    const sent = Promise.all([kept.length === 0 ? null : archiver.archive(kept), before]).then(() =>
      this.#commit(batch),
    )
    this.#lastCommit = sent
    const forget = () => {
      if (this.#lastCommit === sent) this.#lastCommit = null
    }
    // A failure is told to whoever waits for the answer; nobody else may be there to hear it.
    sent.then(forget, forget)
    return sent
  }

  /** What is measured delays nothing: the answer is heard as soon as it comes. */
  #commit(batch: CommitBatch): Promise<CommitResult> {
    const { frontier, clock } = this.#dependencies
    const commit = { sentAt: clock.now() }
    this.#storeCommits.add(commit)
    const answer = frontier.commit(batch)
    answer.then(
      () => {
        this.#storeCommits.delete(commit)
        this.counters.commit.add(clock.now() - commit.sentAt)
      },
      // Told to whoever waits for the answer.
      () => undefined,
    )
    return answer
  }

  #clearBatch(): void {
    this.#batch = this.#emptyBatch()
    this.#foundUrls = 0
    this.#toArchive = []
    this.#bytesToArchive = 0
  }

  /** Forgets what was not sent, but for the pace of the hosts, and hands back every lease but those of hosts at host. */
  reset(hosts: Iterable<LeasedHost>): void {
    this.#clearBatch()
    this.#dependencies.archiver.reset()
    for (const host of hosts) {
      this.#batch.hosts.push(host.takeReport())
      if (host.inFlight === 0) this.#batch.release.push(host.lease.token)
    }
  }

  cancelFlush(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = null
    this.#isOverdue = false
  }

  #emptyBatch(): CommitBatch {
    const lists = { visits: [], found: [], hosts: [], samples: [], release: [] }
    return { ...this.#owner, ...lists, linkKeys: NO_KEYS, rejected: {}, bytes: 0 }
  }
}
