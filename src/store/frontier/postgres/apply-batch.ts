// The transaction of a commit: outcomes, pages, links, discoveries, counters and host pace. Every transaction that
// writes locks rows in this order, so that there are no deadlocks:
//
//   patterns to render (shared, unless one is added), URLs by id, crawl settings (shared), new URLs by key, listings, subresources by key, held links, shorter paths, revisits, new segments,
//   URLs of archived pages by hash, referenced segments (shared), contents by digest, pages, fingerprints, changes,
//   queues by crawl and host, host_requests, rejections, samples, patterns, hosts by id, leases, counters and commit mark
//   of the thread, crawl

import { hostDueAt } from '../../../frontier/host-turns.ts'
import { latestHostReports } from '../../../frontier/latest-host-reports.ts'
import { versionExpiresAt } from '../../../frontier/page-versions.ts'
import { UrlDiscoveries } from '../../../frontier/url-discoveries.ts'
import type { CommitBatch, HostReport } from '../../../ports/frontier.ts'
import { isRecrawled } from '../../../ports/revisits.ts'
import { recordChanges } from '../../changes/postgres-record.ts'
import { crawlNotFoundError } from '../../crawls/crawl-row.ts'
import { REMOVING } from '../../encoding/state-codes.ts'
import type { SegmentIds } from '../../pages/postgres-segments.ts'
import { writePages } from '../../pages/postgres-write-pages.ts'
import type { PolicyCache } from '../../policies/postgres.ts'
import { type Database, runPipelined } from '../../postgres/database.ts'
import type { IdBlocks } from '../../postgres/id-blocks.ts'
import type { Queryable } from '../../postgres/query.ts'
import type { ClockPair, StoreClock } from '../../postgres/store-clock.ts'
import { notifyWork } from '../../postgres/work-notifier.ts'
import { countRequests } from './count-requests.ts'
import { addChange, addChanges, addToCounters, type CounterChanges } from './crawl-state/counters.ts'
import type { CachedCrawl } from './crawl-state/crawl-cache.ts'
import { type CrawlState, endIfDone } from './crawl-state/crawl-state.ts'
import { readLockedCrawl } from './crawl-state/settings-lock.ts'
import {
  collectDiscoveries,
  countAttempts,
  type InFlightUrl,
  noteRedirectLoops,
  type VisitToRecord,
} from './discovery/collect-discoveries.ts'
import { discover, findKnownUrls } from './discovery/discover.ts'
import { loadPages } from './discovery/load-pages.ts'
import { recordPatterns } from './discovery/patterns.ts'
import { recordTrapFindings, reportHeldPatterns } from './discovery/record-trap-findings.ts'
import { countRejected, saveSamples } from './discovery/rejected-links.ts'
import { lockRenderPatterns } from './discovery/render-patterns.ts'
import { ShorterPaths } from './discovery/shorter-paths.ts'
import { recordTrials } from './discovery/trials.ts'
import { type HostIds, recordHosts } from './hosts.ts'
import { deleteLeases, fenceLeases, lockForCommit, requeueUrls } from './lease-rows.ts'
import { mergeQueuedHosts, queueHosts } from './queues.ts'
import { recordSubresources } from './record-subresources.ts'
import { recordVisits } from './record-visits.ts'
import { findRevisits, historyOf, type KnownRevisits, recordRevisits } from './recrawl/record-revisits.ts'
import { recordSignals } from './recrawl/record-signals.ts'

export interface CommitDependencies {
  db: Database
  time: StoreClock
  blocks: IdBlocks
  hostIds: HostIds
  segments: SegmentIds
  policies: PolicyCache
}

export interface CommitInput {
  crawl: CachedCrawl
  /** The thread, as the tables name it. */
  holder: string
  /** Counts the commits of the thread. */
  number: number
  batch: CommitBatch
}

/** Resources read before the transaction, to keep it short. */
export interface CommitResources {
  maxDiscoveries: number
  hostIds: ReadonlyMap<string, number>
}

export type ReservedResources = CommitResources & { urlIds: { next(): number }; pageIds: { next(): number } }

export interface AppliedCommit {
  late: number
  added: number
  crawlState: CrawlState
}

/**
 * If there are late visits, writes nothing and returns their number. `rejectedReports`: late visits of the batch
 * whose remaining parts are applied now.
 */
export async function applyBatch(
  tx: Queryable,
  dependencies: CommitDependencies,
  input: CommitInput,
  reservedResources: ReservedResources,
  rejectedReports = 0,
): Promise<AppliedCommit | number> {
  const { holder, batch, number } = input
  const workerNow = dependencies.time.workerNow()
  const renderPatterns = await lockRenderPatterns(tx, { crawl: input.crawl, policies: dependencies.policies }, batch)
  const { now, urls, leases } = await lockForCommit(tx, input.crawl.id, batch, dependencies.time)
  const clockPair: ClockPair = { store: now, worker: workerNow }
  const inFlight = new Map(urls.map((url) => [url.id, url]))
  const fenced = new Set(leases.filter(({ isFenced }) => isFenced).map(({ token }) => token))
  const late = batch.visits.filter(
    ({ urlId, token }) => inFlight.get(urlId)?.lease !== token || fenced.has(token),
  ).length
  if (late > 0) return late

  const crawl = needsCurrentSettings(input.crawl, urls, reservedResources)
    ? await readLockedCrawl(tx, input.crawl)
    : input.crawl
  const revisits = isRecrawled(crawl.settings) ? await findRevisits(tx, crawl.id, urls) : null
  // Verdicts on patterns depend on first visits alone (G12).
  if (revisits !== null) for (const url of urls) url.countsAsTrial = historyOf(revisits, url.id) === null
  const urlDiscoveries = new UrlDiscoveries(now)
  const shorterPaths = new ShorterPaths()
  const visitsToRecord = collectDiscoveries(crawl, batch, inFlight, { discoveries: urlDiscoveries, shorterPaths })
  const known = await findKnownUrls(tx, crawl.id, urlDiscoveries.keys())
  const discovery = {
    crawl,
    discoveries: urlDiscoveries,
    requeues: () => true,
    urlsOnTrial: new Set(urls.flatMap(({ id, trials }) => (trials.length > 0 ? [id] : []))),
    hostIds: reservedResources.hostIds,
    urlIds: reservedResources.urlIds,
    policies: dependencies.policies,
    now,
  }
  const found = await discover(tx, discovery, known, shorterPaths)
  const subresources = await recordSubresources(tx, crawl, batch.subresources, {
    ...discovery,
    threadId: batch.threadId,
  })
  if (crawl.settings.requisites) {
    // Some may be pages, which are requisites then, too.
    const requested = await findKnownUrls(
      tx,
      crawl.id,
      batch.subresources.map(({ found: { key } }) => key),
    )
    await loadPages(
      tx,
      discovery,
      [...requested.values()].filter(({ kind }) => kind === 'page'),
      found,
    )
  }
  noteRedirectLoops(visitsToRecord, known, shorterPaths)
  const unreported = findUnreported(urls, batch)
  const [outcomes] = await runPipelined(
    recordVisits(tx, crawl, visitsToRecord, {
      threadId: batch.threadId,
      newKinds: found.newKinds,
      renderPatterns,
      clockPair,
    }),
    recordTrapFindings(tx, crawl.id, visitsToRecord),
    requeueUrls(tx, crawl.id, unreported),
    shorterPaths.save(tx, crawl.id),
  )
  const { newKinds, listed } = found
  const { policies } = dependencies
  const revisitChanges =
    revisits === null
      ? {}
      : await recordRevisits(tx, crawl, visitsToRecord, { known: revisits, newKinds, now, policies })
  await recordSignals(tx, crawl, listed, { now, policies })
  const pageIds = await writePages(
    tx,
    [...toArchivedVisits(crawl, visitsToRecord, revisits), ...subresources.archived],
    {
      segments: dependencies.segments,
      nextId: () => reservedResources.pageIds.next(),
    },
  )
  if (revisits !== null) await recordChanges(tx, crawl, visitsToRecord, { known: revisits, pageIds })

  const backToQueue = unreported.map(({ host, rank }) => ({ host, rank, dueAt: now }))
  const hostsWithUrls = mergeQueuedHosts([...found.hostsWithUrls, ...outcomes.hostsWithUrls, ...backToQueue])
  const hosts = latestHostReports(batch.hosts)
  const released = leases.filter(({ token }) => batch.release.includes(token))
  const releasedHosts = dueReleasedHosts(released, hosts, clockPair)
  const isWoken = await queueHosts(tx, crawl.id, { hostsWithUrls, releasedHosts }, now)

  const reports = await reportHeldPatterns(tx, crawl.id, visitsToRecord)
  await recordTrials(tx, crawl.id, visitsToRecord, found.addedByTrials)
  const owner = { crawl: crawl.id, holder }
  const dropped = found.sitemapsDropped > 0 ? { too_many_sitemaps: found.sitemapsDropped } : {}
  const [, , , , , , requeued] = await runPipelined(
    countRequests(tx, owner, batch.requests),
    countRejected(tx, owner, { ...batch.rejected, ...dropped }),
    saveSamples(tx, crawl.id, batch.samples),
    recordPatterns(tx, owner, reports, now),
    recordHosts(tx, { reports: hosts, released: released.map(({ host }) => host), holder }, crawl, clockPair),
    rejectedReports > 0 ? fenceLeases(tx, owner) : Promise.resolve(),
    deleteLeases(tx, crawl.id, released),
  )
  const changes = sumChanges(found.changes, subresources.changes, outcomes.changes, revisitChanges)
  const added = found.added + subresources.added
  addChange(changes, 'in_progress', -unreported.length - requeued)
  addChange(changes, 'bytes', batch.bytes)
  addChange(changes, 'late_reports', rejectedReports + (batch.lateReports ?? 0))
  const [, crawlState] = await runPipelined(
    addToCounters(tx, owner, changes, { number, added: rejectedReports > 0 ? -rejectedReports : added }),
    endIfDone(tx, crawl, now),
  )
  // The rows of the crawl are being deleted in batches, and new ones would be left behind.
  if (crawlState.closing === REMOVING) throw crawlNotFoundError(crawl.uuid)
  const isToJudge = crawlState.open === 0 && crawlState.hasHeldLinks
  if (isWoken || isToJudge || crawlState.status !== 'running') await notifyWork(tx, crawl.id)
  return { late: rejectedReports, added, crawlState }
}

/** Whether the depth limit or a blocked host may exclude something, so that the current settings have to be read. */
function needsCurrentSettings(
  { settings, blockedHosts }: CachedCrawl,
  urls: InFlightUrl[],
  { hostIds }: CommitResources,
): boolean {
  const { maxDepth } = settings
  if (maxDepth !== null && urls.some(({ depth }) => depth >= maxDepth)) return true
  return blockedHosts.size > 0 && hostIds.values().some((host) => blockedHosts.has(host))
}

/** URLs of released leases that were not reported. */
function findUnreported(urls: InFlightUrl[], { visits, release }: CommitBatch): InFlightUrl[] {
  const reported = new Set(visits.map(({ urlId }) => urlId))
  return urls.filter(({ id, lease }) => !reported.has(id) && release.includes(lease))
}

/** When each released host is due. An early time is safe: the host is checked again when it is leased. */
function dueReleasedHosts(released: { host: number }[], reports: HostReport[], clockPair: ClockPair) {
  const byHost = new Map(reports.map((report) => [report.hostId, report]))
  return released.map(({ host }) => {
    const report = byHost.get(host)
    const { worker: now } = clockPair
    const reportedAt = report === undefined ? 0 : hostDueAt(report.nextAt, report.health.downUntil, now)
    return { host, dueAt: clockPair.store + Math.max(0, Math.round(reportedAt - now)) }
  })
}

/** `revisits` are the histories of the URLs; null if they are not recrawled. */
function toArchivedVisits(crawl: CachedCrawl, visitsToRecord: VisitToRecord[], revisits: KnownRevisits | null) {
  return visitsToRecord.flatMap(({ url, visit }) => {
    const { page, facts } = visit
    if (page === null || facts === null) return []
    const at = { crawl: crawl.id, host: url.host, urlId: url.id, url: url.url }
    const visitedAt = Math.round(facts.visitedAt)
    const expiresAt = versionExpiresAt(crawl.settings, visitedAt)
    const attempt = countAttempts({ url, visit })
    const isRevisited = revisits !== null && historyOf(revisits, url.id) !== null
    return [{ ...at, attempt, facts, visitedAt, expiresAt, page, isRevisited }]
  })
}

function sumChanges(...all: CounterChanges[]): CounterChanges {
  const total: CounterChanges = {}
  for (const changes of all) addChanges(total, changes)
  return total
}
