// Commits a batch: reserves ids, applies the batch in one transaction (apply-batch.ts), and finds out whether it happened
// if the connection was lost. A batch with late visits is rejected, except for host reports and releases.

import { AppError } from '../../../lib/errors.ts'
import type { CommitBatch, CommitResult } from '../../../ports/frontier.ts'
import type { Database } from '../../postgres/database.ts'
import {
  type AppliedCommit,
  applyBatch,
  type CommitDependencies,
  type CommitInput,
  type CommitResources,
  type ReservedResources,
} from './apply-batch.ts'
import { addToCounters, readCommitMark } from './crawl-state/counters.ts'
import { type CrawlState, readCrawlState } from './crawl-state/crawl-state.ts'
import { requeueExpired } from './requeue-leases.ts'

export async function commitBatch(
  dependencies: CommitDependencies,
  input: CommitInput,
): Promise<CommitResult & { crawlState: CrawlState }> {
  const { db } = dependencies
  assertReportedOnce(input.batch)
  const appliedCommit = await db.withRetries(async (tries) => {
    const marked = tries > 0 ? await findCommitMark(db, input) : null
    if (marked !== null) {
      const crawlState = await readCrawlState(db.pool, input.crawl.id)
      return { late: Math.max(0, -marked), added: Math.max(0, marked), crawlState }
    }
    return tryCommit(dependencies, input)
  })
  const { late, added, crawlState } = appliedCommit
  return { status: crawlState.status, closing: crawlState.closing !== null, late, added, crawlState }
}

/**
 * The connection may have been lost after the commit, or while Postgres was still committing. Then that transaction
 * holds the counter row of this thread, so updating the row waits until it has ended.
 */
function findCommitMark(db: Database, { crawl, holder, number }: CommitInput): Promise<number | null> {
  const owner = { crawl: crawl.id, holder }
  return db.transaction(async (tx) => {
    await addToCounters(tx, owner, {})
    return readCommitMark(tx, owner, number)
  })
}

/**
 * A batch that reports a URL twice under one lease is invalid. If a URL is reported under two leases, the thread was
 * suspended, and one of the reports is late.
 */
function assertReportedOnce({ visits }: CommitBatch): void {
  const seen = new Set<string>()
  for (const { token, urlId } of visits) {
    const name = `${token}/${urlId}`
    if (seen.has(name)) throw new AppError('INTERNAL', `URL ${urlId} was reported twice.`)
    seen.add(name)
  }
}

async function tryCommit(dependencies: CommitDependencies, input: CommitInput): Promise<AppliedCommit> {
  const { db, blocks } = dependencies
  const commitResources = await prepareResources(dependencies, input.batch)
  const { visits, subresources } = input.batch
  const pages = visits.filter(({ page, facts }) => page !== null && facts !== null).length + subresources.length
  const [urlIds, pageIds] = await Promise.all([
    blocks.reserve('url', commitResources.maxDiscoveries),
    blocks.reserve('page', pages),
  ])
  try {
    const ready = { ...commitResources, urlIds, pageIds }
    const applied = await db.transaction((tx) => applyBatch(tx, dependencies, input, ready))
    return typeof applied === 'number' ? await rejectLate(dependencies, input, ready, applied) : applied
  } finally {
    urlIds.returnUnused()
    pageIds.returnUnused()
  }
}

async function prepareResources(
  { hostIds }: CommitDependencies,
  { found, visits, subresources }: CommitBatch,
): Promise<CommitResources> {
  const all = [...found, ...visits.flatMap((visit) => visit.found), ...subresources.map((report) => report.found)]
  return { maxDiscoveries: all.length, hostIds: await hostIds.findOrAdd(all.map(({ host }) => host)) }
}

/**
 * Applies only the host reports and releases of a late batch. The other leases of the thread are fenced (see
 * ports/frontier.ts).
 */
async function rejectLate(
  dependencies: CommitDependencies,
  input: CommitInput,
  reservedResources: ReservedResources,
  late: number,
): Promise<AppliedCommit> {
  const { db, time } = dependencies
  const { holder, batch } = input
  await requeueExpired(db, { holder, now: await time.now(db.pool) })
  const nothing = { visits: [], found: [], subresources: [], rejected: {}, samples: [], bytes: 0 }
  const rest = { ...input, batch: { ...batch, ...nothing, linkKeys: new Uint8Array(0) } }
  const applied = await db.transaction((tx) => applyBatch(tx, dependencies, rest, reservedResources, late))
  if (typeof applied === 'number') throw new AppError('INTERNAL', 'A batch without visits cannot be late.')
  return applied
}
