// Asks the frontier for urls: at once while there is work, less and less often while there is none.

import type { Clock } from '../../lib/clock.ts'
import type { LeaseGrant, LeaseRequest, LoopFrontier } from '../../ports/frontier.ts'
import type { Works } from './works.ts'

export interface SupplySettings {
  crawlId: string
  workerId: string
  concurrency: number
  slotsPerHost: number
  delayMs: number | 'auto'
}

export interface SupplyParts {
  frontier: LoopFrontier
  clock: Clock
  works: Works
}

/** Pause between questions for work while requests are under way, doubled while the answer is nothing. */
const ASK_MIN_MS = 2
const ASK_MAX_MS = 200
/** Idle polling (FRO-03). */
const POLL_MIN_MS = 100
const POLL_MAX_MS = 30_000
/** Hosts held for each request that can be under way: most hosts spend most of the time in their gap. */
const HOSTS_PER_REQUEST = 4

export class Supply {
  readonly #settings: SupplySettings
  readonly #parts: SupplyParts
  readonly #wantedInHand: number
  #patternsVersion = 0
  #heard = 0
  #askDelayMs = ASK_MIN_MS
  #pollMs = POLL_MIN_MS
  /** A question is under way, or the wait for work after one. */
  isAsking = false
  /** A question is under way. */
  isLeasing = false
  /** When the store will have work, as it said when it had none; null: it did not know, or had some. */
  dueAt: number | null = null
  /** The time of the next one, while there is other work. */
  askAt = 0

  constructor(settings: SupplySettings, parts: SupplyParts) {
    this.#settings = settings
    this.#parts = parts
    this.#wantedInHand = Math.max(64, settings.concurrency * 16)
  }

  /** Fewer urls in hand than half of what is wanted. */
  get isShort(): boolean {
    return this.#parts.works.inHand < this.#wantedInHand / 2
  }

  get hasRoomForHosts(): boolean {
    return this.#parts.works.size < this.#settings.concurrency * HOSTS_PER_REQUEST
  }

  /** A host without a gap is topped up; one with a gap goes back after each hand, so that others get their turn. */
  get isToppingUp(): boolean {
    return this.#settings.delayMs === 0
  }

  askSoon(): void {
    this.askAt = 0
  }

  async ask(): Promise<LeaseGrant> {
    this.isAsking = true
    this.isLeasing = true
    const grant = await this.#parts.frontier.lease(this.#request())
    this.isLeasing = false
    this.isAsking = false
    this.#patternsVersion = grant.patternsVersion
    this.#heard = grant.heard
    const hasUrls = grant.leases.length > 0
    this.dueAt = hasUrls ? null : grant.nextDueAt
    if (hasUrls) this.#pollMs = POLL_MIN_MS
    this.#askDelayMs = hasUrls ? ASK_MIN_MS : Math.min(ASK_MAX_MS, this.#askDelayMs * 2)
    this.askAt = this.#parts.clock.now() + this.#askDelayMs
    return grant
  }

  /** Waits until there may be work, or until `interrupted`. */
  async waitForWork(nextDueAt: number | null, interrupted: Promise<void>): Promise<void> {
    this.isAsking = true
    const untilDueMs = nextDueAt === null ? POLL_MAX_MS : Math.max(0, nextDueAt - this.#parts.clock.now())
    const waitMs = Math.min(untilDueMs, this.#pollMs)
    await Promise.race([this.#parts.frontier.waitForWork(waitMs, this.#heard), interrupted])
    this.#pollMs = Math.min(POLL_MAX_MS, this.#pollMs * 2)
    this.isAsking = false
  }

  #request(): LeaseRequest {
    const { crawlId, workerId, concurrency, slotsPerHost } = this.#settings
    const { works } = this.#parts
    const topUp: number[] = []
    for (const work of works.values()) {
      // Of a host with a gap, only slots that a slow answer would leave idle, and one that cannot go back for its documents.
      const isShort = this.isToppingUp ? work.inHand < work.slots * 8 : work.hasIdleSlots || work.hasOnlyDocuments
      if (isShort) topUp.push(work.lease.token)
    }
    const maxUrls = Math.max(1, this.#wantedInHand - works.inHand)
    const maxHosts = Math.max(0, concurrency * HOSTS_PER_REQUEST - works.size) + topUp.length
    return { crawlId, workerId, maxUrls, maxHosts, slotsPerHost, topUp, patternsVersion: this.#patternsVersion }
  }
}
