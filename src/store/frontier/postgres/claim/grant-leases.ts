// One grant: URLs for leases that run low, then hosts that are due, each under a new token. One transaction. It skips rows
// that others have locked; only with a page limit it waits for the row of the crawl, so that the limit is exact.

import type { HostSettings } from '../../../../config/policies/host-settings.ts'
import { claimSizeWithGap, claimSizeWithoutGap, mustReleaseLease } from '../../../../frontier/host-slots.ts'
import { isTurnOverSql } from '../../../../frontier/host-turns.ts'
import { leasePolicyOf } from '../../../../frontier/lease-policy.ts'
import { hasAllPages, pageAllowance } from '../../../../frontier/limits.ts'
import { hasGap, unreportedDelay } from '../../../../frontier/next-request.ts'
import { chooseRank } from '../../../../frontier/rank.ts'
import type { Lease, LeaseRequest } from '../../../../ports/leases.ts'
import type { PolicyCache } from '../../../policies/postgres.ts'
import type { Queryable, Row } from '../../../postgres/query.ts'
import { type ClockPair, toWorkerTime } from '../../../postgres/store-clock.ts'
import { addChanges, addToCounters, type CounterChanges } from '../crawl-state/counters.ts'
import type { CachedCrawl } from '../crawl-state/crawl-cache.ts'
import { currentSettings, lockCrawlState, toPageCounts } from '../crawl-state/crawl-state.ts'
import { HOST_COLUMNS, toHostHealth, toHostTiming } from '../hosts.ts'
import { excludeUnvisitedPages } from '../recrawl/page-limit.ts'
import { type ClaimedUrls, claimUrls, type UrlClaim } from './claim-urls.ts'
import { UNCLAIMED_AFTER_MS } from './fair-share.ts'
import { type HostCandidate, lockCandidates } from './host-candidates.ts'
import { claimableUrls } from './host-page-limit.ts'
import { endReservations, waitingCrawls } from './host-turns.ts'
import { type QueueChange, rescheduleQueues, updateQueues } from './reschedule-queues.ts'

const MAX_ROUNDS = 12

export interface GrantInput {
  crawl: CachedCrawl
  holder: string
  request: LeaseRequest
  leaseMs: number
  policies: PolicyCache
  /** Ranks of the queues that are due, best first. */
  ranks: number[]
  /** Hosts that the thread may add as soon as they are due. It may add others if no other worker claims them. */
  share: number
  /** Hosts needed for this many URLs, estimated from recent grants. */
  hostsFor: (urls: number) => number
  nextToken: () => number
  random: () => number
  clockPair: ClockPair
}

export interface GrantResult {
  leases: Lease[]
  /** The URLs in flight equal the pages still allowed, so only a commit can bring work. */
  isAtPageLimit: boolean
  /** URLs that left the queue because they are too deep, or beyond the maximum of their host. */
  tooDeep: number
}

const TOP_UP = {
  name: 'grant_top_up',
  text: `select l.token, l.host, l.slots, h.name, ${HOST_COLUMNS},
      exists (${waitingCrawls('$2', 'l.host')}) as has_waiting_crawl, ${isTurnOverSql('l.granted_at', '$3::bigint')} as is_turn_over
    from unnest($1::bigint[]) with ordinality as t (token, place) join leases l on l.token = t.token join hosts h on h.id = l.host
    where l.crawl = $2 and l.expires_at > $3 and not l.is_fenced
    order by t.place for no key update of l skip locked`,
}

const RENEW = {
  name: 'grant_renew',
  text: 'update leases set renewed_at = $2, expires_at = $3 where token = any($1::bigint[])',
}

const ADD = {
  name: 'grant_add',
  text: `insert into leases (crawl, worker, granted_at, renewed_at, expires_at, token, host, slots, policy_delay_ms)
    select $1, $2, $3, $3, $4, * from unnest($5::bigint[], $6::int[], $7::int[], $8::int[])`,
}

export async function grantLeases(tx: Queryable, input: GrantInput): Promise<GrantResult> {
  const { crawl, holder, request } = input
  const allowance = await readPageAllowance(tx, input)
  const grantBuilder = new GrantBuilder(tx, input, Math.min(request.maxUrls, allowance))
  await grantBuilder.topUp()
  await grantBuilder.addHosts()
  await grantBuilder.save()
  const { urls } = grantBuilder
  const tooDeep = grantBuilder.tooDeep + grantBuilder.excludedByHost
  if (urls + tooDeep > 0) {
    const changes = { ...grantBuilder.counterChanges, in_progress: urls }
    await addToCounters(tx, { crawl: crawl.id, holder }, changes)
  }
  return { leases: grantBuilder.leases, isAtPageLimit: allowance === 0, tooDeep }
}

async function readPageAllowance(tx: Queryable, { crawl, holder }: GrantInput): Promise<number> {
  if (crawl.settings.maxPages === null) return Number.POSITIVE_INFINITY
  // The thread's own row first: its commits lock it before the crawl.
  await addToCounters(tx, { crawl: crawl.id, holder }, {})
  const crawlState = await lockCrawlState(tx, crawl.id)
  const { inProgress, status, closing } = crawlState
  if (status !== 'running' || closing !== null) return 0
  const settings = await currentSettings(tx, crawl, crawlState)
  const counts = toPageCounts(settings, crawlState)
  // The row of the crawl is locked, so no commit adds pages in the meantime.
  const mustExclude = settings.requisites && hasAllPages(settings, counts)
  if (mustExclude && !(await excludeUnvisitedPages(tx, crawl.id, holder)).isDone) return 0
  return pageAllowance(settings, { ...counts, inFlight: inProgress })
}

/** Delay between two requests that the policy requires. */
function policyDelayMs(settings: HostSettings): number {
  if (settings.policy === undefined) return 0
  const delayMs = unreportedDelay(settings)
  return delayMs === 'auto' ? 0 : delayMs
}

class GrantBuilder {
  readonly leases: Lease[] = []
  urls = 0
  tooDeep = 0
  /** URLs excluded because their host has all the pages that its policy allows. */
  excludedByHost = 0
  /** Changes of the counters caused by URLs that left the queue. */
  readonly counterChanges: CounterChanges = {}
  readonly #tx: Queryable
  readonly #input: GrantInput
  readonly #queueChanges: QueueChange[] = []
  readonly #added: { token: number; host: number; slots: number; delayMs: number }[] = []
  /** Tokens of hosts that had no URLs, for reuse. */
  readonly #spareTokens: number[] = []
  /** Granted hosts that were reserved for a crawl. */
  readonly #reservedHosts: number[] = []
  #budget: number

  constructor(tx: Queryable, input: GrantInput, budget: number) {
    this.#tx = tx
    this.#input = input
    this.#budget = budget
  }

  async topUp(): Promise<void> {
    const { crawl, request, clockPair, leaseMs } = this.#input
    if (request.topUp.length === 0 || this.#budget <= 0) return
    const values = [request.topUp, crawl.id, clockPair.store]
    const { rows } = await this.#tx.query({ ...TOP_UP, values })
    const { slotsPerHost } = request
    const kept = rows.filter((row) => {
      const lease = { slots: Number(row['slots']), slotsPerHost }
      const isTurnOver = row['has_waiting_crawl'] === true && row['is_turn_over'] === true
      return !isTurnOver && !mustReleaseLease(this.#settingsAt(row), toHostTiming(row), lease)
    })
    if (kept.length === 0) return
    const claims: UrlClaim[] = []
    for (const row of kept) {
      const count = await this.#claimSize(row)
      if (count > 0) claims.push({ hostId: Number(row['host']), token: Number(row['token']), count })
    }
    const claimed = await this.#claimUrls(claims)
    if (claimed.size > 0)
      await this.#tx.query({ ...RENEW, values: [[...claimed.keys()], clockPair.store, clockPair.store + leaseMs] })
    for (const row of kept) this.#addLease(row, { token: Number(row['token']), slots: Number(row['slots']) }, claimed)
  }

  async addHosts(): Promise<void> {
    const { request, random, hostsFor } = this.#input
    const ranks = [...this.#input.ranks]
    const seen: number[] = []
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const { crawl, holder, clockPair, share } = this.#input
      const ownLeft = share - this.#added.length
      const room = Math.min(
        request.maxHosts - this.leases.length,
        hostsFor(this.#budget),
        ownLeft > 0 ? ownLeft : Number.POSITIVE_INFINITY,
      )
      const rank = chooseRank(ranks, random)
      if (this.#budget <= 0 || room <= 0 || rank === undefined) return
      const dueBy = ownLeft > 0 ? clockPair.store : clockPair.store - UNCLAIMED_AFTER_MS
      const { policies } = this.#input
      const candidateRequest = { crawl, policies, holder, request, now: clockPair.store, dueBy }
      const candidates = await lockCandidates(this.#tx, candidateRequest, { rank, count: room, seen })
      seen.push(...candidates.map(({ hostId }) => hostId))
      if (candidates.length < room) ranks.splice(ranks.indexOf(rank), 1)
      await this.#claimFrom(candidates)
    }
  }

  async #claimFrom(candidates: HostCandidate[]): Promise<void> {
    const { crawl, clockPair, leaseMs } = this.#input
    const now = clockPair.store
    const usable = candidates
      .filter(({ slots }) => slots > 0)
      .map((hostCandidate) => ({ candidate: hostCandidate, token: this.#newToken() }))
    const claims: UrlClaim[] = []
    for (const { candidate, token } of usable) {
      const count = await this.#claimSize({ ...candidate.host, slots: candidate.slots })
      claims.push({ hostId: candidate.hostId, token, count })
    }
    const claimed = await this.#claimUrls(claims)
    const isSpent = [...claimed.values()].reduce((sum, { urls }) => sum + urls.length, 0) >= this.#budget
    const idle: HostCandidate[] = []
    for (const { candidate, token } of usable) {
      const { hostId: host, slots, slotsLeft, rank, weight } = candidate
      const claimedUrls = claimed.get(token)
      if (claimedUrls === undefined) {
        this.#spareTokens.push(token)
        // If the budget is spent, the host may still have URLs, so its queue stays unchanged.
        if (!isSpent) idle.push(candidate)
        continue
      }
      this.#added.push({ token, host, slots, delayMs: policyDelayMs(candidate.settings) })
      const dueAt = slotsLeft === 0 ? now + leaseMs : now
      this.#queueChanges.push({
        host,
        rank: claimedUrls.rank ?? rank,
        dueAt,
        byHost: slotsLeft === 0,
        turn: 'served',
        weight,
      })
      if (candidate.host['kept_crawl'] !== null) this.#reservedHosts.push(host)
      this.#addLease(candidate.host, { token, slots }, claimed)
    }
    for (const { hostId: host, rank, slots, notBefore, isHeldByOtherCrawl, weight } of candidates) {
      if (slots > 0) continue
      const turn = isHeldByOtherCrawl ? 'waiting' : 'same'
      this.#queueChanges.push({ host, rank, dueAt: notBefore ?? now, byHost: notBefore !== null, turn, weight })
    }
    const queues = idle.map(({ hostId, rank }) => ({ host: hostId, rank }))
    this.#queueChanges.push(...(await rescheduleQueues(this.#tx, crawl.id, queues, { now, leaseMs })))
  }

  async #claimUrls(claims: UrlClaim[]): Promise<Map<number, ClaimedUrls>> {
    const { crawl, clockPair } = this.#input
    const { byToken, tooDeep, changes } = await claimUrls(this.#tx, crawl, claims, { budget: this.#budget, clockPair })
    this.tooDeep += tooDeep
    addChanges(this.counterChanges, changes)
    return byToken
  }

  async save(): Promise<void> {
    const { crawl, holder, clockPair, leaseMs } = this.#input
    await updateQueues(this.#tx, crawl.id, this.#queueChanges, clockPair.store)
    await endReservations(this.#tx, crawl.id, this.#reservedHosts)
    if (this.#added.length === 0) return
    const lists = [
      this.#added.map(({ token }) => token),
      this.#added.map(({ host }) => host),
      this.#added.map(({ slots }) => slots),
      this.#added.map(({ delayMs }) => delayMs),
    ]
    await this.#tx.query({ ...ADD, values: [crawl.id, holder, clockPair.store, clockPair.store + leaseMs, ...lists] })
  }

  #newToken(): number {
    return this.#spareTokens.pop() ?? this.#input.nextToken()
  }

  #settingsAt(host: Row): HostSettings {
    const { crawl, policies } = this.#input
    return policies.settingsAt(crawl.settings, String(host['name']))
  }

  async #claimSize(host: Row): Promise<number> {
    const settings = this.#settingsAt(host)
    const timing = toHostTiming(host)
    const wanted = hasGap(settings, timing)
      ? claimSizeWithGap(settings, timing, host['has_waiting_crawl'] === true)
      : claimSizeWithoutGap(settings, timing, Number(host['slots']))
    const maxPages = settings.policy?.maxPages ?? null
    const allowed = maxPages === null ? wanted : await this.#withinHostLimit(Number(host['host']), maxPages)
    return Math.min(this.#budget, wanted, allowed)
  }

  async #withinHostLimit(host: number, maxPages: number): Promise<number> {
    const { urls, excluded } = await claimableUrls(this.#tx, { crawl: this.#input.crawl.id, host }, maxPages)
    this.excludedByHost += excluded
    addChanges(this.counterChanges, { open: -excluded, excluded })
    return urls
  }

  #addLease(host: Row, { token, slots }: { token: number; slots: number }, claimed: Map<number, ClaimedUrls>): void {
    const urls = claimed.get(token)?.urls
    if (urls === undefined) return
    const { clockPair, crawl } = this.#input
    this.urls += urls.length
    this.#budget -= urls.length
    this.leases.push({
      token,
      hostId: Number(host['host']),
      host: String(host['name']),
      slots,
      nextAt: toWorkerTime(Number(host['next_at']), clockPair),
      ...toHostTiming(host),
      health: toHostHealth(host, clockPair),
      policy: leasePolicyOf(crawl.settings, this.#settingsAt(host)),
      urls,
    })
  }
}
