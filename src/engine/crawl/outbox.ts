// What a crawl thread has to tell the store, gathered and sent in groups: one commit is one transaction.

import type { Clock } from '../../lib/clock.ts'
import type { CommitBatch, CommitResult, FoundUrl, Frontier, Lease, VisitReport } from '../../ports/frontier.ts'
import type { TrapWatch } from '../traps/watch.ts'
import type { Admit } from './admit.ts'
import type { HostWork } from './host-work.ts'

export interface OutboxParts {
  frontier: Frontier
  clock: Clock
  admit: Admit
  page: { traps: TrapWatch | null }
}

export interface OutboxEvents {
  /** It is time to send: call `flush` with the hosts at work. */
  onDue(): void
  onCommitted(result: CommitResult): void
  onFailed(error: unknown): void
}

const NO_KEYS = new Uint8Array(0)
/** A commit is sent when it holds so many visits or found urls, or when its first visit is so old. */
const FLUSH_VISITS = 256
const FLUSH_FOUND = 4096
const FLUSH_MS = 100
/** Commits sent and not yet answered; more would only grow the memory. */
const MAX_COMMITS = 3

export class Outbox {
  readonly #name: { crawlId: string; workerId: string }
  readonly #parts: OutboxParts
  readonly #events: OutboxEvents
  #batch: CommitBatch
  /** Urls found by the visits of the batch. */
  #found = 0
  #commits = 0
  #cancelTimer: (() => void) | null = null

  constructor({ crawlId, workerId }: { crawlId: string; workerId: string }, parts: OutboxParts, events: OutboxEvents) {
    this.#name = { crawlId, workerId }
    this.#parts = parts
    this.#events = events
    this.#batch = this.#emptyBatch()
  }

  get isFull(): boolean {
    return this.#commits >= MAX_COMMITS
  }

  /** Everything sent has been answered. */
  get isSettled(): boolean {
    return this.#commits === 0
  }

  addBytes(bytes: number): void {
    this.#batch.bytes += bytes
  }

  addVisit(visit: VisitReport): void {
    this.#batch.visits.push(visit)
    this.#grow(visit.found.length)
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
    if (this.#batch.visits.length >= FLUSH_VISITS || this.#found >= FLUSH_FOUND) this.#events.onDue()
    else this.#cancelTimer ??= this.#parts.clock.after(FLUSH_MS, () => this.#events.onDue())
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
    batch.patterns = this.#parts.page.traps?.takeReports() ?? []
    this.#batch = this.#emptyBatch()
    this.#found = 0
    this.#commits += 1
    this.#parts.frontier.commit(batch).then(
      (result) => {
        this.#commits -= 1
        this.#events.onCommitted(result)
      },
      (error: unknown) => this.#events.onFailed(error),
    )
  }

  /** Forgets what was not sent, but for the pace of the hosts, and hands every lease back. */
  startOver(works: Iterable<HostWork>): void {
    this.#found = 0
    this.#batch = this.#emptyBatch()
    for (const work of works) {
      this.#batch.hosts.push(work.report())
      this.#batch.release.push(work.lease.token)
    }
  }

  close(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = null
  }

  #emptyBatch(): CommitBatch {
    const lists = { visits: [], found: [], hosts: [], samples: [], patterns: [], release: [] }
    return { ...this.#name, ...lists, linkKeys: NO_KEYS, rejected: {}, bytes: 0 }
  }
}
