// Wraps the store: every call passes through it, and the guarantees of the store are checked after each one.

import { ledgerTotal, TERMINAL_STATES } from '../../../../src/lib/states.ts'
import type { CrawlProgress } from '../../../../src/ports/crawls.ts'
import type { CommitBatch, CommitResult } from '../../../../src/ports/frontier.ts'
import type { LeaseGrant, LeaseRequest } from '../../../../src/ports/leases.ts'
import type { SimulatedStore } from '../cluster/simulated-store.ts'
import type { LeaseModel } from './lease-model.ts'

export interface StoreMonitorDependencies {
  store(): SimulatedStore
  now(): number
  leaseModel: LeaseModel
  /** URLs are visited again. */
  hasRevisits: boolean
  onEvent(who: string, what: string): void
  onViolation(promise: string, detail: string): void
}

/** URLs of a crawl that must not be leased because of its owner's action. */
export interface Restriction {
  host: string | null
  beyondDepth: number
}

export class StoreMonitor {
  readonly #dependencies: StoreMonitorDependencies
  /** Progress at the last call; nothing else changes a store. */
  readonly #progress = new Map<string, CrawlProgress>()
  readonly #restrictions = new Map<string, Restriction>()

  constructor(parts: StoreMonitorDependencies) {
    this.#dependencies = parts
  }

  /** Applies from now on; null removes the restriction. */
  setRestriction(crawlId: string, restriction: Restriction | null): void {
    if (restriction === null) this.#restrictions.delete(crawlId)
    else this.#restrictions.set(crawlId, restriction)
  }

  async lease(request: LeaseRequest): Promise<LeaseGrant> {
    const { store, now, leaseModel, onEvent } = this.#dependencies
    const grant = await store().frontier.lease(request)
    leaseModel.checkGrant(request, grant, now())
    await this.#checkRestriction(request.crawlId, grant)
    const hosts = grant.leases.map(({ token, host, urls }) => `${token} ${host} ${urls.map(({ id }) => id)}`)
    onEvent(
      request.threadId,
      `leases ${hosts.join('; ') || 'nothing'}${grant.status === 'running' ? '' : grant.status}`,
    )
    await this.checkLedger(request.crawlId)
    return grant
  }

  async commit(batch: CommitBatch): Promise<CommitResult> {
    const { store, now, leaseModel, onEvent } = this.#dependencies
    const { crawlId, threadId, visits, release } = batch
    const before = this.#progress.get(crawlId)
    const result = await store().frontier.commit(batch)
    leaseModel.checkCommit(batch, result, now())
    const ends = visits.map(({ urlId, outcome }) => `${urlId} ${outcome.state}`).join(', ')
    const rest = `${result.late === 0 ? '' : ` LATE ${result.late}`} ${result.status === 'running' ? '' : result.status}`
    onEvent(threadId, `reports ${ends || 'nothing'}, releases [${release}], +${result.added}${rest}`)
    await this.checkLedger(crawlId)
    if (result.late > 0 && before !== undefined) this.#checkUnchanged(before, crawlId, result.late)
    await this.#audit(crawlId)
    return result
  }

  async renew(threadId: string, tokens: number[]): Promise<number[]> {
    const { store, now, leaseModel, onEvent } = this.#dependencies
    const lost = await store().frontier.renew(tokens)
    leaseModel.checkRenewal(tokens, lost, now())
    onEvent(threadId, `renews [${tokens}]${lost.length === 0 ? '' : `, has lost [${lost}]`}`)
    return lost
  }

  /** Recounts a crawl in full. */
  async checkCrawl(crawlId: string): Promise<CrawlProgress> {
    await this.#audit(crawlId)
    return this.checkLedger(crawlId)
  }

  /** Checks the displayed ledger (G4, G6). */
  async checkLedger(crawlId: string): Promise<CrawlProgress> {
    const { store, now, leaseModel, onViolation } = this.#dependencies
    const progress = await store().crawls.progress(crawlId)
    this.#progress.set(crawlId, progress)
    const { ledger, crawl, sitemaps } = progress
    const open = ledger.queued + ledger.in_progress
    const { least, most } = leaseModel.inFlight(crawlId, now())
    const isRight = ledger.in_progress >= least && ledger.in_progress <= most
    if (!isRight) onViolation('G4 ledger', `${ledger.in_progress} URLs in progress, ${least} to ${most} leased`)
    if (ledger.queued < 0) onViolation('G4 ledger', `${ledger.queued} URLs are queued`)
    if (crawl.status !== 'paused' && (crawl.status === 'running') !== open > 0)
      onViolation('G6 the end', `${crawl.status} with ${open} urls open`)
    if (crawl.status === 'completed' && crawl.settings.recrawl !== 'off')
      onViolation('G14 revisits', 'a crawl that visits its URLs again has completed')
    const { maxPages } = crawl.settings
    // Revisits are pages already, or need no page.
    const pages = ledger.visited - sitemaps + (this.#dependencies.hasRevisits ? 0 : ledger.in_progress)
    if (maxPages !== null && pages > maxPages)
      onViolation('max_pages', `${pages} pages visited or in flight, not ${maxPages}`)
    return progress
  }

  async #checkRestriction(crawlId: string, { leases }: LeaseGrant): Promise<void> {
    const restriction = this.#restrictions.get(crawlId)
    if (restriction === undefined) return
    const { store, leaseModel, onViolation } = this.#dependencies
    const { host: blocked, beyondDepth } = restriction
    for (const { host, urls } of leases) {
      if (host === blocked) onViolation('blocked hosts', `${host} is leased`)
      for (const { url, depth } of urls) {
        if (depth > beyondDepth) onViolation('max_depth', `${url} at depth ${depth} is leased`)
      }
    }
    if (blocked === null) return
    for await (const { id, url, state } of store().urls.rows(crawlId)) {
      if (state !== 'queued' || leaseModel.isInFlight(id) || new URL(url).host !== blocked) continue
      onViolation('blocked hosts', `${url} is queued`)
    }
  }

  async #audit(crawlId: string): Promise<void> {
    const findings = await this.#dependencies.store().urls.verify(crawlId)
    for (const { rule, detail } of findings) this.#dependencies.onViolation(`audit: ${rule}`, detail)
  }

  /** G2: a late report changes nothing and is counted. */
  #checkUnchanged(before: CrawlProgress, crawlId: string, late: number): void {
    const after = this.#progress.get(crawlId) ?? before
    // If such a report requeues URLs of a blocked host, they become excluded, as they should.
    const isLeavingOut = this.#restrictions.has(crawlId)
    const states = TERMINAL_STATES.filter((state) => !(isLeavingOut && state === 'excluded'))
    const [was, is] = [before, after].map(({ ledger }) =>
      [ledgerTotal(ledger), ...states.map((state) => ledger[state])].join(' '),
    )
    if (was !== is) this.#dependencies.onViolation('G2 late', `late reports changed the ledger: ${was} to ${is}`)
    const counted = after.lateReports - before.lateReports
    if (counted !== late) this.#dependencies.onViolation('G2 late', `${late} late reports were counted as ${counted}`)
  }
}
