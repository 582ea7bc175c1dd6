// Visit reports waiting to be committed. Reports are sent to the store in batches; one commit is one transaction. The
// responses of a batch are archived first, so that a committed page always points at bytes that exist.

import type { Clock } from '../../../lib/clock.ts'
import type { CommitBatch, CommitResult, LoopFrontier } from '../../../ports/frontier.ts'
import type { Lease } from '../../../ports/leases.ts'
import type { FoundUrl, VisitReport } from '../../../ports/visits.ts'
import type { LeasedHost } from '../hosts/leased-host.ts'
import type { LinkAdmission } from '../links/link-admission.ts'
import { NO_LINK_KEYS } from '../links/link-key-buffer.ts'
import { LoopCounters } from '../stats/loop-counters.ts'
import type { SubresourceToArchive } from '../visit/archive-subresources.ts'
import type { ResponseToArchive } from '../visit/response-to-archive.ts'
import type { RequestCounts } from './request-counts.ts'
import type { ResponseArchiver } from './response-archiver.ts'
import type { ResponseBatch } from './response-batch.ts'

export interface CommitBufferDependencies {
  frontier: LoopFrontier
  archiver: ResponseArchiver
  clock: Clock
  linkAdmission: LinkAdmission
  requestCounts: RequestCounts
}

export interface CommitBufferEvents {
  /** A batch is due: call `flush` with the leased hosts. */
  onDue(): void
  onCommitted(result: CommitResult): void
  onFailed(error: unknown): void
}

/** Data of a visit that is not part of its report. */
export interface VisitPayload {
  /** Null if the response is not archived. */
  toArchive: ResponseToArchive | null
  /** `report.linkCount` keys. */
  linkKeys: Uint8Array
}

const NO_PAYLOAD: VisitPayload = { toArchive: null, linkKeys: NO_LINK_KEYS }
/**
 * A batch is sent when it reaches one of these sizes, or when its first visit is FLUSH_MS old and no commit is in
 * flight. A busy store thus gets fewer and larger commits.
 */
const FLUSH_VISITS = 256
const FLUSH_FOUND = 4096
const FLUSH_BYTES = 4 * 1024 * 1024
const FLUSH_MS = 100
/** Commits in flight. More would only use memory. */
const MAX_COMMITS = 3
const MAX_BYTES_IN_FLIGHT = 4 * FLUSH_BYTES

export class CommitBuffer {
  readonly counters = new LoopCounters()
  readonly #owner: { crawlId: string; threadId: string }
  readonly #dependencies: CommitBufferDependencies
  readonly #events: CommitBufferEvents
  #batch: CommitBatch
  /** Link keys of the visits of the batch, in the order of the visits. */
  #linkKeys: Uint8Array[] = []
  /** URLs found by the visits of the batch. */
  #foundUrls = 0
  /** Responses of the batch that have to be archived. */
  #toArchive: ResponseBatch
  #bytesInFlight = 0
  /** The last commit that had to wait for the archive or an earlier commit; settles when the store has answered it. */
  #lastCommit: Promise<unknown> | null = null
  #commitsInFlight = 0
  /** Commits in flight that were sent to the store (the others are being archived), oldest first. */
  readonly #storeCommits = new Set<{ sentAt: number }>()
  #cancelTimer: (() => void) | null = null
  /** The batch is old enough to be sent, but waits for the commit in flight. */
  #isOverdue = false

  constructor(
    { crawlId, threadId }: { crawlId: string; threadId: string },
    dependencies: CommitBufferDependencies,
    events: CommitBufferEvents,
  ) {
    this.#owner = { crawlId, threadId }
    this.#dependencies = dependencies
    this.#events = events
    this.#batch = this.#emptyBatch()
    this.#toArchive = dependencies.archiver.newBatch()
  }

  get isFull(): boolean {
    return this.#commitsInFlight >= MAX_COMMITS || this.#bytesInFlight >= MAX_BYTES_IN_FLIGHT
  }

  /** What the commits in flight are waiting for, if no more may be sent. */
  get blockedBy(): 'store' | 'archive' | null {
    if (!this.isFull) return null
    return this.#storeCommits.size === 0 && this.#dependencies.archiver.batchesInFlight > 0 ? 'archive' : 'store'
  }

  /** Age of the oldest commit that the store has not answered; 0 if there is none. */
  get oldestCommitMs(): number {
    const [oldest] = this.#storeCommits
    return oldest === undefined ? 0 : this.#dependencies.clock.now() - oldest.sentAt
  }

  /** No commit is in flight. */
  get isDrained(): boolean {
    return this.#commitsInFlight === 0
  }

  addReceivedBytes(bytes: number): void {
    this.#batch.bytes += bytes
  }

  /** The visit of their page must be added next: it decides when the batch is sent. */
  addSubresources(subresources: SubresourceToArchive[]): void {
    for (const { report, toArchive } of subresources) {
      this.#batch.subresources.push(report)
      this.#toArchive.add(toArchive)
    }
  }

  addVisit(visit: VisitReport, { toArchive, linkKeys }: VisitPayload = NO_PAYLOAD): void {
    this.#batch.visits.push(visit)
    if (linkKeys.length > 0) this.#linkKeys.push(linkKeys)
    this.counters.count(visit.outcome)
    if (toArchive !== null) this.#toArchive.add(toArchive)
    this.#scheduleFlush(visit.found.length + (visit.traps?.held?.found.length ?? 0))
  }

  /** Adds URLs that were not found in a page: sitemaps named by robots.txt. */
  addFoundUrls(found: FoundUrl[]): void {
    if (found.length === 0) return
    this.#batch.found.push(...found)
    this.#scheduleFlush(found.length)
  }

  addReleasedHost(host: LeasedHost): void {
    if (host.isDirty) this.#batch.hosts.push(host.takeReport())
    this.#batch.release.push(host.lease.token)
  }

  /** Releases leases that were granted too late to be used. */
  addReleasedLeases(leases: Lease[]): void {
    for (const { token } of leases) this.#batch.release.push(token)
  }

  #scheduleFlush(found: number): void {
    this.#foundUrls += found
    const isFull = this.#batch.visits.length >= FLUSH_VISITS || this.#foundUrls >= FLUSH_FOUND
    if (isFull || this.#toArchive.bytes >= FLUSH_BYTES) this.#events.onDue()
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
    const { linkAdmission, requestCounts } = this.#dependencies
    batch.requests = requestCounts.take()
    batch.rejected = linkAdmission.rejections.takeCounts()
    batch.samples = linkAdmission.rejections.takeSamples()
    // One buffer per batch instead of one per visit, because sending a buffer costs the same for any size.
    batch.linkKeys = joinKeys(this.#linkKeys)
    const toArchive = this.#toArchive
    const { bytes } = toArchive
    this.#clearBatch()
    this.#commitsInFlight += 1
    this.#bytesInFlight += bytes
    this.#send(batch, toArchive).then(
      (result) => {
        this.#commitsInFlight -= 1
        this.#bytesInFlight -= bytes
        if (this.#isOverdue && this.#commitsInFlight === 0) this.#events.onDue()
        this.#events.onCommitted(result)
      },
      (error: unknown) => this.#events.onFailed(error),
    )
  }

  /**
   * Archives the responses, then sends the commit that points at them. Commits are sent in order: one may release the
   * lease under which an earlier one reports.
   */
  #send(batch: CommitBatch, toArchive: ResponseBatch): Promise<CommitResult> {
    const { archiver } = this.#dependencies
    const isEmpty = toArchive.responses.length === 0
    if (isEmpty && this.#lastCommit === null) return this.#commit(batch)
    const previous = this.#lastCommit
    const sent = Promise.all([isEmpty ? null : archiver.archive(toArchive), previous]).then(() => this.#commit(batch))
    this.#lastCommit = sent
    const forget = () => {
      if (this.#lastCommit === sent) this.#lastCommit = null
    }
    // The caller of #send handles a failure; this only keeps it from being an unhandled rejection here.
    sent.then(forget, forget)
    return sent
  }

  /** Returns the store's own promise, so that measuring the commit does not delay its result. */
  #commit(batch: CommitBatch): Promise<CommitResult> {
    const { frontier, clock } = this.#dependencies
    const commit = { sentAt: clock.now() }
    this.#storeCommits.add(commit)
    const result = frontier.commit(batch)
    result.then(
      () => {
        this.#storeCommits.delete(commit)
        this.counters.commit.add(clock.now() - commit.sentAt)
      },
      // The caller handles the failure.
      () => undefined,
    )
    return result
  }

  #clearBatch(): void {
    this.#batch = this.#emptyBatch()
    this.#linkKeys = []
    this.#foundUrls = 0
    this.#toArchive = this.#dependencies.archiver.newBatch()
  }

  /** Drops everything not sent except host reports, and releases all leases except those with requests in flight. */
  reset(hosts: Iterable<LeasedHost>): void {
    this.#toArchive.free()
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
    const lists = { visits: [], found: [], subresources: [], hosts: [], samples: [], release: [] }
    return { ...this.#owner, ...lists, linkKeys: NO_LINK_KEYS, rejected: {}, requests: {}, bytes: 0 }
  }
}

/** Returns no Buffer: postMessage would copy its whole pool. */
function joinKeys(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}
