// A model of the leases that the port guarantees, built from the replies of the store: the holder of each URL, and
// until when. Every reply is checked against it. It does not read the store itself.

import type { CommitBatch, CommitResult } from '../../../../src/ports/frontier.ts'
import type { LeaseGrant, LeaseRequest } from '../../../../src/ports/leases.ts'

interface HeldLease {
  worker: string
  crawlId: string
  host: string
  slots: number
  renewedAt: number
  expiresAt: number
  /** A late report has cost its worker the lease; its URLs stay leased until they are released or expire. */
  isFenced: boolean
  urls: Set<number>
}

export class LeaseModel {
  readonly #held = new Map<number, HeldLease>()
  /** Expired leases. The store requeues them in some call, at the latest when work is requested. */
  readonly #expired = new Map<number, HeldLease>()
  readonly #leaseMs: number
  readonly #perHost: number
  readonly #onViolation: (promise: string, detail: string) => void
  readonly #issuedTokens = new Set<number>()

  constructor(terms: { leaseMs: number; perHost: number }, onViolation: (promise: string, detail: string) => void) {
    this.#leaseMs = terms.leaseMs
    this.#perHost = terms.perHost
    this.#onViolation = onViolation
  }

  /** Number of URLs in flight: at least those under valid leases, at most those under expired ones too. */
  inFlight(crawlId: string, now: number): { least: number; most: number } {
    this.#expire(now)
    const least = countUrls(this.#held.values(), crawlId)
    return { least, most: least + countUrls(this.#expired.values(), crawlId) }
  }

  isInFlight(urlId: number): boolean {
    return this.#held.values().some(({ urls }) => urls.has(urlId))
  }

  /** The store's process is gone, and with it its leases and all holders of tokens. */
  forgetAll(): void {
    this.#held.clear()
    this.#expired.clear()
    this.#issuedTokens.clear()
  }

  /** The crawl is removed; nothing of it may have been in flight. */
  forgetCrawl(crawlId: string, now: number): void {
    const inFlight = this.inFlight(crawlId, now).least
    if (inFlight > 0) this.#onViolation('G2 removal', `a crawl was removed with ${inFlight} URLs in flight`)
    for (const leases of [this.#held, this.#expired]) {
      for (const [token, lease] of leases) if (lease.crawlId === crawlId) leases.delete(token)
    }
  }

  checkGrant({ crawlId, threadId }: LeaseRequest, grant: LeaseGrant, now: number): void {
    this.#expire(now)
    this.#expired.clear()
    if (grant.leases.length > 0 && (grant.status !== 'running' || grant.closing)) {
      this.#onViolation('G6 the end', `a crawl that is ${grant.status} grants leases`)
    }
    const inFlight = new Map(
      [...this.#held].flatMap(([token, lease]) => [...lease.urls].map((id) => [id, token] as const)),
    )
    for (const { token, host, slots, urls } of grant.leases) {
      const lease = this.#held.get(token) ?? this.#open(token, { worker: threadId, crawlId, host, slots })
      if (lease.worker !== threadId)
        this.#onViolation('G2 once', `${threadId} got more of ${token}, held by ${lease.worker}`)
      this.#renew(lease, now)
      for (const { id, url } of urls) {
        const other = inFlight.get(id)
        if (other !== undefined) this.#onViolation('G2 once', `${url} is leased under ${other} and ${token}`)
        lease.urls.add(id)
        inFlight.set(id, token)
      }
      this.#checkSlots(host)
    }
  }

  checkCommit(batch: CommitBatch, result: CommitResult, now: number): void {
    this.#expire(now)
    const late = batch.visits.filter(({ token, urlId }) => this.#findLive(token)?.urls.has(urlId) !== true)
    if (late.length !== result.late) {
      const tokens = late.map(({ token, urlId }) => `${token}/${urlId}`).join(' ')
      this.#onViolation(
        'G2 late',
        `${result.late} reports of ${batch.threadId} were rejected, not ${late.length} (${tokens})`,
      )
    }
    if (result.late > 0) {
      this.#expired.clear()
      for (const lease of this.#held.values()) if (lease.worker === batch.threadId) lease.isFenced = true
    } else {
      for (const { token, urlId } of batch.visits) this.#held.get(token)?.urls.delete(urlId)
    }
    for (const token of batch.release) this.#held.delete(token)
  }

  checkRenewal(tokens: number[], lost: number[], now: number): void {
    this.#expire(now)
    const gone = tokens.filter((token) => this.#findLive(token) === undefined)
    if (gone.join() !== lost.join()) this.#onViolation('G2 renew', `renewal reported [${lost}] as lost, not [${gone}]`)
    for (const token of tokens) {
      const lease = this.#findLive(token)
      if (lease !== undefined) this.#renew(lease, now)
    }
  }

  /** Requeues the leases that a lost worker has not renewed since then; returns how many URLs that can be. */
  requeueLost(workerId: string, since: number, now: number): { least: number; most: number } {
    this.#expire(now)
    const count = (leases: Map<number, HeldLease>) => {
      let urls = 0
      for (const [token, lease] of leases) {
        if (!lease.worker.startsWith(`${workerId}-`) || lease.renewedAt > since) continue
        urls += lease.urls.size
        leases.delete(token)
      }
      return urls
    }
    const least = count(this.#held)
    return { least, most: least + count(this.#expired) }
  }

  #renew(lease: HeldLease, now: number): void {
    lease.renewedAt = now
    lease.expiresAt = now + this.#leaseMs
  }

  #findLive(token: number): HeldLease | undefined {
    const lease = this.#held.get(token)
    return lease?.isFenced === true ? undefined : lease
  }

  #open(token: number, to: Pick<HeldLease, 'worker' | 'crawlId' | 'host' | 'slots'>): HeldLease {
    if (this.#issuedTokens.has(token)) this.#onViolation('G2 tokens', `token ${token} was issued before`)
    this.#issuedTokens.add(token)
    const lease = { ...to, renewedAt: 0, expiresAt: 0, isFenced: false, urls: new Set<number>() }
    this.#held.set(token, lease)
    return lease
  }

  #expire(now: number): void {
    for (const [token, lease] of this.#held) {
      if (lease.expiresAt > now) continue
      this.#held.delete(token)
      this.#expired.set(token, lease)
    }
  }

  #checkSlots(host: string): void {
    const leases = [...this.#held.values()].filter((lease) => lease.host === host)
    const slots = leases.reduce((sum, lease) => sum + lease.slots, 0)
    if (slots > this.#perHost) {
      const holders = leases.map(({ worker, slots }) => `${worker} ${slots}`).join(', ')
      this.#onViolation('G5 slots', `${host} has ${slots} slots leased (${holders}), not ${this.#perHost}`)
    }
  }
}

function countUrls(leases: Iterable<HeldLease>, crawlId: string): number {
  let count = 0
  for (const lease of leases) if (lease.crawlId === crawlId) count += lease.urls.size
  return count
}
