// Leases live here, in the memory of the one process that owns the file: when it dies they die with it, and every
// url that was in flight is simply still queued. Within the process they guard against a crawl thread that hangs:
// a lease not renewed in time is taken back, and what its holder reports afterwards is refused.

import type { UrlKind } from '../../../ports/frontier.ts'

export interface InFlightUrl {
  readonly id: number
  readonly url: string
  /** May turn from page to sitemap while it is in flight. */
  kind: UrlKind
  readonly leasedKind: UrlKind
  readonly attempts: number
  /** Current depth and hops; a shorter way found while the url is in flight lowers them. */
  depth: number
  hops: number
  /** The depth its holder was told. */
  readonly leasedDepth: number
  /** Standing in the waiting part of the queue (a retry) when it was taken. */
  readonly wasWaiting: boolean
  /** The pattern that is judged by what it brings. */
  readonly trial: string | null
}

export interface ActiveLease {
  token: number
  workerId: string
  crawl: number
  hostId: number
  slots: number
  grantedAt: number
  /** When its holder last showed that it has it. */
  renewedAt: number
  expiresAt: number
  /** Its reports are refused; host and urls stay with it until it is handed back or lapses, for it may be at work. */
  isFenced: boolean
  urls: Map<number, InFlightUrl>
}

export class Leases {
  readonly #byToken = new Map<number, ActiveLease>()
  readonly #byUrl = new Map<number, ActiveLease>()
  readonly #durationMs: number
  #lastToken: number

  /** `firstToken` must be greater than any token of an earlier process, or a late report could match. */
  constructor(durationMs: number, firstToken: number) {
    this.#durationMs = durationMs
    this.#lastToken = firstToken
  }

  grant(to: { workerId: string; crawl: number; hostId: number; slots: number }, now: number): ActiveLease {
    this.#lastToken += 1
    const lease = {
      ...to,
      token: this.#lastToken,
      grantedAt: now,
      renewedAt: now,
      expiresAt: now + this.#durationMs,
      isFenced: false,
      urls: new Map(),
    }
    this.#byToken.set(lease.token, lease)
    return lease
  }

  addUrl(lease: ActiveLease, url: InFlightUrl): void {
    lease.urls.set(url.id, url)
    this.#byUrl.set(url.id, lease)
  }

  get(token: number): ActiveLease | undefined {
    return this.#byToken.get(token)
  }

  /** The url if it is in flight under any lease. */
  urlInFlight(urlId: number): InFlightUrl | undefined {
    return this.#byUrl.get(urlId)?.urls.get(urlId)
  }

  /** Ends the flight of one url; undefined when this lease does not hold it. */
  completeUrl(token: number, urlId: number): InFlightUrl | undefined {
    const lease = this.#byToken.get(token)
    const url = lease?.urls.get(urlId)
    if (lease === undefined || url === undefined) return undefined
    lease.urls.delete(urlId)
    this.#byUrl.delete(urlId)
    return url
  }

  renew(token: number, now: number): boolean {
    const lease = this.#byToken.get(token)
    if (lease === undefined || lease.isFenced) return false
    lease.renewedAt = now
    lease.expiresAt = now + this.#durationMs
    return true
  }

  /** Takes the lease away; the caller puts what is left in it back into the queue. */
  remove(token: number): ActiveLease | undefined {
    const lease = this.#byToken.get(token)
    if (lease === undefined) return undefined
    this.#byToken.delete(token)
    for (const id of lease.urls.keys()) this.#byUrl.delete(id)
    return lease
  }

  listByWorker(workerId: string): ActiveLease[] {
    return [...this.#byToken.values()].filter((lease) => lease.workerId === workerId)
  }

  /** Workers are named by their process and a number. */
  listByProcess(id: string): ActiveLease[] {
    return [...this.#byToken.values()].filter(({ workerId }) => workerId.startsWith(`${id}-`))
  }

  listExpired(now: number): ActiveLease[] {
    const late: ActiveLease[] = []
    for (const lease of this.#byToken.values()) if (lease.expiresAt <= now) late.push(lease)
    return late
  }

  /** Ids of the urls of a host that are in flight. */
  urlIdsInFlight(crawl: number, hostId: number): number[] {
    const ids: number[] = []
    for (const lease of this.#byToken.values()) {
      if (lease.crawl === crawl && lease.hostId === hostId) ids.push(...lease.urls.keys())
    }
    return ids
  }

  countInFlight(crawl: number): number {
    let count = 0
    for (const lease of this.#byToken.values()) if (lease.crawl === crawl) count += lease.urls.size
    return count
  }
}
