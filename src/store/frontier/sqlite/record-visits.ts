// Writes the outcome of a visit: the attempt, the state of its URL, its links and the URLs found in it.

import type { DatabaseSync } from 'node:sqlite'
import { mustReadAgain } from '../../../frontier/kind-changes.ts'
import { isBeyondLimits, isDeferred } from '../../../frontier/limits.ts'
import { versionExpiresAt } from '../../../frontier/page-versions.ts'
import { isObservation } from '../../../frontier/revisit-history.ts'
import { OutgoingPaths } from '../../../frontier/shortest-path.ts'
import type { TerminalState } from '../../../lib/states.ts'
import { isRecrawled } from '../../../ports/revisits.ts'
import type { FoundUrl, VisitReport } from '../../../ports/visits.ts'
import type { ChangeRecorder } from '../../changes/sqlite-record.ts'
import { QUEUED, stateCode } from '../../encoding/state-codes.ts'
import type { SqliteContents } from '../../pages/sqlite-contents.ts'
import { type ActiveCrawl, countVisitedKind } from './crawl-state/active-crawls.ts'
import type { UrlDiscoverer } from './discovery/discover.ts'
import type { HeldLinks } from './discovery/held-links.ts'
import type { RenderPatterns } from './discovery/render-patterns.ts'
import type { Trials } from './discovery/trials.ts'
import type { InFlightUrl } from './leases.ts'
import type { RevisitRecorder } from './recrawl/revisit-recorder.ts'
import { VisitWriter } from './visit-writer.ts'

export interface VisitToRecord {
  crawl: ActiveCrawl
  /** Thread that made the visit. */
  threadId: string
  hostId: number
  url: InFlightUrl
  visit: VisitReport
  linkKeys: Uint8Array
  now: number
}

export interface VisitRecorderDependencies {
  urlDiscoverer: UrlDiscoverer
  contents: SqliteContents
  heldLinks: HeldLinks
  trials: Trials
  revisitRecorder: RevisitRecorder
  changeRecorder: ChangeRecorder
  renderPatterns: RenderPatterns
}

export class VisitRecorder {
  readonly #urlDiscoverer: UrlDiscoverer
  readonly #contents: SqliteContents
  readonly #heldLinks: HeldLinks
  readonly #trials: Trials
  readonly #revisitRecorder: RevisitRecorder
  readonly #changeRecorder: ChangeRecorder
  readonly #renderPatterns: RenderPatterns
  readonly #visitWriter: VisitWriter
  readonly #repeatVisit
  readonly #insertLinks
  readonly #deleteLinks
  readonly #finish
  readonly #requeue
  readonly #setReason
  readonly #requeueVisited
  readonly #wasVisited

  constructor(db: DatabaseSync, dependencies: VisitRecorderDependencies) {
    const { urlDiscoverer, contents, heldLinks, trials, revisitRecorder, changeRecorder, renderPatterns } = dependencies
    this.#renderPatterns = renderPatterns
    this.#revisitRecorder = revisitRecorder
    this.#changeRecorder = changeRecorder
    this.#urlDiscoverer = urlDiscoverer
    this.#contents = contents
    this.#heldLinks = heldLinks
    this.#trials = trials
    this.#visitWriter = new VisitWriter(db)
    this.#repeatVisit = db.prepare(
      `update visits set visited_at = ?, fetch_ms = ?, ip = ?, thread = ?, processing_ms = ?
       where url_id = ? and attempt = ?`,
    )
    this.#deleteLinks = db.prepare('delete from links where url_id = ?')
    this.#insertLinks = db.prepare('insert or replace into links (url_id, targets) values (?, ?)')
    this.#finish = db.prepare('update urls set state = ?, attempts = ?, due_at = 0, reason = ? where id = ?')
    this.#setReason = db.prepare('update urls set reason = ? where id = ?')
    this.#requeueVisited = db.prepare(`update urls set state = ${QUEUED}, reason = null where id = ?`)
    this.#wasVisited = db.prepare(
      `select 1 from visits where url_id = ? and attempt < ? and state = ${stateCode('visited')} limit 1`,
    )
    this.#requeue = db.prepare('update urls set due_at = ?, attempts = ? where id = ?')
  }

  /** Returns how many URLs the visit added. */
  recordVisit(visitToRecord: VisitToRecord): number {
    const { crawl, threadId, hostId, url, visit, now } = visitToRecord
    const { outcome, facts } = visit
    // Nothing has changed since the last visit: its row gets the new time, and no row is added.
    const isUnchanged = visit.freshness?.isUnchanged === true
    const attempts = url.attempts + (facts === null || isUnchanged ? 0 : 1)
    if (facts !== null && isUnchanged) {
      const { visitedAt, fetchMs, ip, processingMs } = facts
      this.#repeatVisit.run(visitedAt, fetchMs, ip, threadId, processingMs, url.id, attempts)
    }
    if (facts !== null && !isUnchanged)
      this.#visitWriter.write({ urlId: url.id, attempt: attempts, threadId, ...outcome, facts, render: visit.render })
    let pageId: number | null = null
    if (visit.page !== null && facts !== null) {
      const expiresAt = versionExpiresAt(crawl.settings, facts.visitedAt)
      const about = { urlId: url.id, url: url.url, attempt: attempts, facts, expiresAt }
      const isRevisited = isRecrawled(crawl.settings) && this.#revisitRecorder.hasHistory(url.id)
      pageId = this.#contents.addVersion(about, visit.page, isRevisited)
    }
    const queue = crawl.schedule.queues.get(hostId)
    if (queue !== undefined) queue.inFlight -= 1
    if (outcome.state === 'retry') {
      this.#requeue.run(outcome.dueAt, attempts, url.id)
      if (queue !== undefined) {
        queue.claimable += 1
        queue.addDelayed(outcome.dueAt)
        crawl.schedule.reschedule(queue, now)
      }
      return 0
    }
    this.#finish.run(stateCode(outcome.state), attempts, outcome.reason, url.id)
    crawl.openCount -= 1
    crawl.endedCounts[outcome.state] += 1
    const isVisited = outcome.state === 'visited'
    if (isVisited) countVisitedKind(crawl, url.leasedKind, 1)
    const isRedirect = outcome.state === 'redirected'
    const { added, addedPages } = this.#followLinks(visitToRecord, isRedirect)
    if (isRedirect) this.#urlDiscoverer.markRedirectLoop(crawl, url.id)
    if (url.countsAsTrial) this.#trials.record(crawl, url, visit, addedPages)
    if (visit.traps !== null) this.#heldLinks.record(crawl, { id: url.id, hostId, trials: url.trials }, visit.traps)
    if (isVisited && !isUnchanged && url.leasedKind === 'page') this.#countHostPage(visitToRecord, attempts)
    if (isRecrawled(crawl.settings)) this.#recordRevisit(visitToRecord, attempts, pageId)
    const isOtherKind = url.kind !== url.leasedKind && mustReadAgain(outcome.state, url.leasedKind)
    if (isOtherKind || this.#renderPatterns.mustRenderAgain(crawl, visit, { ...url, host: hostId }))
      this.#readAgain(visitToRecord, outcome.state, attempts)
    if (visit.render?.kind === 'gained') this.#renderPatterns.record(crawl, visit.render.pattern)
    return added
  }

  /**
   * A page counts once for its host, whatever becomes of it later. Called before the visit is added to its history. A
   * requisite that became a page was visited before, and has no history.
   */
  #countHostPage({ crawl, hostId, url }: VisitToRecord, attempt: number): void {
    const { hostPages } = crawl
    if (hostPages === null) return
    if (this.#revisitRecorder.hasHistory(url.id) && this.#wasVisited.get(url.id, attempt) !== undefined) return
    hostPages.set(hostId, (hostPages.get(hostId) ?? 0) + 1)
  }

  #recordRevisit(visitToRecord: VisitToRecord, attempt: number, pageId: number | null): void {
    const { crawl, hostId, url, visit, linkKeys, now } = visitToRecord
    const recorded = this.#revisitRecorder.record(crawl, { ...url, hostId }, visit, now)
    const before = recorded?.before ?? null
    if (url.leasedKind === 'page') this.#changeRecorder.record({ crawl, url, attempt, visit, before, pageId })
    if (recorded === null || before === null) return
    const { after } = recorded
    const isUnchanged = visit.freshness?.isUnchanged === true
    if (isObservation(after) && !isUnchanged && linkKeys.length === 0) this.#deleteLinks.run(url.id)
    if (isUnchanged && after.expiresAt !== before.expiresAt) this.#contents.extendVersion(url, after.expiresAt)
  }

  /** While it was in flight, it became another kind, or its pattern turned out to gain by rendering. */
  #readAgain({ crawl, hostId, url, now }: VisitToRecord, was: TerminalState, attempts: number): void {
    this.#requeueVisited.run(url.id)
    if (was === 'visited') countVisitedKind(crawl, url.leasedKind, -1)
    if (url.leasedKind === 'requisite') this.#revisitRecorder.forget(crawl, url.id, url.kind)
    else if (isRecrawled(crawl.settings)) this.#revisitRecorder.markQueued(crawl, { id: url.id, attempts })
    this.#urlDiscoverer.reopen(crawl, { host: hostId, rank: 1, was }, now)
  }

  #followLinks(
    { crawl, url, visit, linkKeys, now }: VisitToRecord,
    isRedirect: boolean,
  ): { added: number; addedPages: bigint[] } {
    const urlDiscoverer = this.#urlDiscoverer
    if (linkKeys.length > 0) this.#insertLinks.run(url.id, linkKeys)
    const paths = new OutgoingPaths({ parent: url.id }, url, isRedirect)
    const isBeyond = isBeyondLimits(crawl.settings, paths.child)
    const deferred: FoundUrl[] = []
    const result = { added: 0, addedPages: [] as bigint[] }
    for (const found of visit.found) {
      if (isBeyond && isDeferred(found, isRedirect)) deferred.push(found)
      else if (urlDiscoverer.add(crawl, found, paths.to(found), now)) {
        result.added += 1
        if (url.trials.length > 0 && found.kind !== 'requisite' && !found.isRefresh) result.addedPages.push(found.key)
      }
    }
    if (isBeyond) {
      if (isRedirect) this.#setReason.run('too_many_redirects', url.id)
      urlDiscoverer.saveDeferred(crawl, url.id, deferred)
      return result
    }
    // A shorter path to the URL was found after it was leased. Its thread did not report links again that it had reported
    // at the old depth, so they are lowered here.
    if (url.leasedKind !== 'requisite' && (url.depth < url.leasedDepth || isRedirect)) {
      urlDiscoverer.propagatePath(crawl, { from: url.id, depth: url.depth, hops: url.hops, isRedirect }, now)
    }
    return result
  }
}
