// One commit: outcomes, pages, links, discoveries, counters and host pace in one transaction. Every transaction that
// writes locks rows in one order, so that none waits for one that waits for it:
//
//   urls by id, the settings of the crawl (shared), new urls by key, listings, held links, detours, segments that are new, urls that are kept by hash, segments pointed at
//   (shared), contents by digest, pages, fingerprints, queues by crawl and host, rejections, samples, patterns, hosts by
//   id, leases, counters and the mark of the worker, crawl

import { AppError } from '../../lib/errors.ts'
import type { CommitBatch, CommitResult, HostReport } from '../../ports/frontier.ts'
import { REMOVING } from '../rows/codes.ts'
import { latestReports } from '../rows/latest-reports.ts'
import type { Blocks } from './blocks.ts'
import { addedBy, addToCounters, type Changes, count } from './counters.ts'
import { type CrawlRow, crawlNotFound } from './crawl-rows.ts'
import { type Database, together } from './database.ts'
import { Detours } from './detour-list.ts'
import { discover, knownUrls } from './discover.ts'
import { attemptsOf, follow, type HeldUrl, noteCircles, type Settled } from './follow.ts'
import { patternReports, recordFindings } from './held-links.ts'
import { type HostIds, recordHosts } from './hosts.ts'
import { keepPages } from './keep.ts'
import { dropLeases, fenceLeases, lockForCommit, queueAgain } from './lease-rows.ts'
import { Offers } from './offers.ts'
import { recordPatterns } from './patterns.ts'
import type { Queryable } from './query.ts'
import { mergeWanted, openQueues } from './queues.ts'
import { countRejected, keepSamples } from './rejections.ts'
import type { Segments } from './segments.ts'
import { settledCrawl } from './settings-lock.ts'
import { settle } from './settle.ts'
import { endIfDone, type Standing, standingOf } from './standing.ts'
import { takeBackExpired } from './take-back.ts'
import type { Moment, Time } from './time.ts'
import { notify } from './wake.ts'

const DAY_MS = 86_400_000

export interface CommitParts {
  db: Database
  time: Time
  blocks: Blocks
  hostIds: HostIds
  segments: Segments
}

export interface CommitWork {
  crawl: CrawlRow
  /** The worker's name in the store. */
  worker: string
  /** Counts the commits of the worker. */
  number: number
  batch: CommitBatch
}

/** What a commit needs to know before it begins, so that its transaction is short. */
interface Provisions {
  offersAtMost: number
  hostIds: ReadonlyMap<string, number>
}

interface Applied {
  late: number
  added: number
  standing: Standing
}

export async function commitBatch(
  parts: CommitParts,
  work: CommitWork,
): Promise<CommitResult & { standing: Standing }> {
  const { db } = parts
  checkOnce(work.batch)
  const applied = await db.persist(async (tries) => {
    const marked = tries > 0 ? await findMark(db, work) : null
    if (marked !== null) {
      const standing = await standingOf(db.pool, work.crawl.id)
      return { late: Math.max(0, -marked), added: Math.max(0, marked), standing }
    }
    return attempt(parts, work)
  })
  const { late, added, standing } = applied
  return { status: standing.status, closing: standing.closing !== null, late, added, standing }
}

/**
 * The connection may have been lost after the commit was made, or while the server was still at it: then the row of the
 * worker is locked, and to touch it is to wait for the end.
 */
function findMark(db: Database, { crawl, worker, number }: CommitWork): Promise<number | null> {
  const owner = { crawl: crawl.id, worker }
  return db.transaction(async (tx) => {
    await addToCounters(tx, owner, {})
    return addedBy(tx, owner, number)
  })
}

/**
 * A batch that names a url twice under one lease is broken; nothing of it can be trusted. Under two leases it is of a
 * worker that slept: one of them is late.
 */
function checkOnce({ visits }: CommitBatch): void {
  const seen = new Set<string>()
  for (const { token, urlId } of visits) {
    const name = `${token}/${urlId}`
    if (seen.has(name)) throw new AppError('INTERNAL', `url ${urlId} reported twice`)
    seen.add(name)
  }
}

async function attempt(parts: CommitParts, work: CommitWork): Promise<Applied> {
  const { db, blocks } = parts
  const provisions = await provide(parts, work.batch)
  const pages = work.batch.visits.filter(({ page, facts }) => page !== null && facts !== null).length
  const [urlIds, pageIds] = await Promise.all([blocks.take('url', provisions.offersAtMost), blocks.take('page', pages)])
  try {
    const ready = { ...provisions, urlIds, pageIds }
    const applied = await db.transaction((tx) => apply(tx, parts, work, ready))
    return typeof applied === 'number' ? await refuse(parts, work, ready, applied) : applied
  } finally {
    urlIds.giveBack()
    pageIds.giveBack()
  }
}

async function provide({ hostIds }: CommitParts, { found, visits }: CommitBatch): Promise<Provisions> {
  const all = [...found, ...visits.flatMap((visit) => visit.found)]
  return { offersAtMost: all.length, hostIds: await hostIds.of(all.map(({ host }) => host)) }
}

type Ready = Provisions & { urlIds: { next(): number }; pageIds: { next(): number } }

/**
 * Answers how many visits came too late, if any did; then nothing is written. With `lateBefore` it is what is left of a
 * batch that was refused.
 */
async function apply(
  tx: Queryable,
  parts: CommitParts,
  work: CommitWork,
  ready: Ready,
  lateBefore = 0,
): Promise<Applied | number> {
  const { worker, batch, number } = work
  const workerNow = parts.time.worker()
  const { now, urls, leases } = await lockForCommit(tx, work.crawl.id, batch, parts.time)
  const moment: Moment = { store: now, worker: workerNow }
  const held = new Map(urls.map((url) => [url.id, url]))
  const fenced = new Set(leases.filter(({ isFenced }) => isFenced).map(({ token }) => token))
  const late = batch.visits.filter(({ urlId, token }) => held.get(urlId)?.lease !== token || fenced.has(token)).length
  if (late > 0) return late

  const crawl = isAtLimit(work.crawl, urls, ready) ? await settledCrawl(tx, work.crawl) : work.crawl
  const offers = new Offers()
  const detours = new Detours()
  const settled = follow(crawl, batch, held, { offers, detours })
  const known = await knownUrls(tx, crawl.id, offers.keys())
  const discovery = { crawl, offers, hostIds: ready.hostIds, urlIds: ready.urlIds, now }
  const found = await discover(tx, discovery, known, detours)
  noteCircles(settled, known, detours)
  const left = unreported(urls, batch)
  const [outcomes] = await together(
    settle(tx, crawl, settled, { turned: found.turned, moment }),
    recordFindings(tx, crawl.id, settled),
    queueAgain(tx, crawl.id, left),
    detours.save(tx, crawl.id),
  )
  await keepPages(tx, keptVisits(crawl, settled), { segments: parts.segments, nextId: () => ready.pageIds.next() })

  const backToQueue = left.map(({ host, rank }) => ({ host, rank, dueAt: now }))
  const wanted = mergeWanted([...found.wanted, ...outcomes.wanted, ...backToQueue])
  const hosts = latestReports(batch.hosts)
  const released = leases.filter(({ token }) => batch.release.includes(token))
  const freed = freedHosts(released, hosts, moment)
  const isWoken = await openQueues(tx, crawl.id, { wanted, freed }, now)

  const reports = await patternReports(tx, crawl.id, settled, found.addedBy)
  const owner = { crawl: crawl.id, worker }
  const dropped = found.sitemapsDropped > 0 ? { too_many_sitemaps: found.sitemapsDropped } : {}
  const [, , , , , more] = await together(
    countRejected(tx, owner, { ...batch.rejected, ...dropped }),
    keepSamples(tx, crawl.id, batch.samples),
    recordPatterns(tx, owner, reports, now),
    recordHosts(tx, { reports: hosts, released: released.map(({ host }) => host), worker }, crawl, moment),
    lateBefore > 0 ? fenceLeases(tx, owner) : Promise.resolve(),
    dropLeases(tx, crawl.id, released),
  )
  const changes = sum(found.changes, outcomes.changes)
  count(changes, 'in_progress', -left.length - more)
  count(changes, 'bytes', batch.bytes)
  count(changes, 'late_reports', lateBefore)
  const [, standing] = await together(
    addToCounters(tx, owner, changes, { number, added: lateBefore > 0 ? -lateBefore : found.added }),
    endIfDone(tx, crawl, now),
  )
  // Its rows go piece by piece: what comes now might be left behind.
  if (standing.closing === REMOVING) throw crawlNotFound(crawl.uuid)
  const isToJudge = standing.open === 0 && standing.hasHeld
  if (isWoken || isToJudge || standing.status !== 'running') await notify(tx, crawl.id)
  return { late: lateBefore, added: found.added, standing }
}

/** Whether something may be left out for its depth or its host: that is judged by the settings as they are now. */
function isAtLimit({ settings, blocked }: CrawlRow, urls: HeldUrl[], { hostIds }: Provisions): boolean {
  const { maxDepth } = settings
  if (maxDepth !== null && urls.some(({ depth }) => depth >= maxDepth)) return true
  return blocked.size > 0 && hostIds.values().some((host) => blocked.has(host))
}

/**
 * Nothing of the batch counts but the pace of hosts and what is handed back, and nothing that the worker says under its
 * other leases (see ports/frontier.ts).
 */
async function refuse(parts: CommitParts, work: CommitWork, ready: Ready, late: number): Promise<Applied> {
  const { db, time } = parts
  const { worker, batch } = work
  await takeBackExpired(db, { worker, now: await time.now(db.pool) })
  const nothing = { visits: [], found: [], rejected: {}, samples: [], bytes: 0 }
  const rest = { ...work, batch: { ...batch, ...nothing, linkKeys: new Uint8Array(0) } }
  const applied = await db.transaction((tx) => apply(tx, parts, rest, ready, late))
  if (typeof applied === 'number') throw new AppError('INTERNAL', 'A batch without visits cannot be late.')
  return applied
}

/** Urls of leases that go back unreported. */
function unreported(urls: HeldUrl[], { visits, release }: CommitBatch): HeldUrl[] {
  const reported = new Set(visits.map(({ urlId }) => urlId))
  return urls.filter(({ id, lease }) => !reported.has(id) && release.includes(lease))
}

/** When each host that comes back can be had: a guess that is never too late, for the row of the host is locked later. */
function freedHosts(released: { host: number }[], reports: HostReport[], moment: Moment) {
  const byHost = new Map(reports.map((report) => [report.hostId, report]))
  return released.map(({ host }) => {
    const report = byHost.get(host)
    const isDown = report !== undefined && report.health.downUntil > moment.worker
    const waitMs = report === undefined || isDown ? 0 : Math.max(0, Math.round(report.nextAt - moment.worker))
    return { host, dueAt: moment.store + waitMs }
  })
}

function keptVisits(crawl: CrawlRow, settled: Settled[]) {
  return settled.flatMap(({ url, visit }) => {
    const { page, facts } = visit
    if (page === null || facts === null) return []
    const at = { crawl: crawl.id, host: url.host, urlId: url.id, url: url.url }
    const visitedAt = Math.round(facts.visitedAt)
    const { contentHash } = facts
    const { keepDays } = crawl.settings
    const expiresAt = keepDays === null ? null : visitedAt + keepDays * DAY_MS
    return [{ ...at, attempt: attemptsOf({ url, visit }), visitedAt, contentHash, expiresAt, page }]
  })
}

function sum(...all: Changes[]): Changes {
  const total: Changes = {}
  for (const changes of all) {
    for (const [name, by] of Object.entries(changes)) count(total, name as keyof Changes, by)
  }
  return total
}
