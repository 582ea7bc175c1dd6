// Adds URLs to a crawl that has not ended. Locks rows in the order of commits.

import { rankOfPriority } from '../../frontier/rank.ts'
import { UrlDiscoveries } from '../../frontier/url-discoveries.ts'
import type { AddedUrls, UrlPriority } from '../../ports/control.ts'
import type { FoundUrl } from '../../ports/visits.ts'
import { QUEUED } from '../encoding/state-codes.ts'
import { addToCounters } from '../frontier/postgres/crawl-state/counters.ts'
import type { CachedCrawl } from '../frontier/postgres/crawl-state/crawl-cache.ts'
import { endIfDone, lockCrawlState, readCrawlState } from '../frontier/postgres/crawl-state/crawl-state.ts'
import type { ShorterPathDependencies } from '../frontier/postgres/discovery/apply-shorter-paths.ts'
import { discover, findKnownUrls } from '../frontier/postgres/discovery/discover.ts'
import { ShorterPaths } from '../frontier/postgres/discovery/shorter-paths.ts'
import { mergeQueuedHosts, queueHosts } from '../frontier/postgres/queues.ts'
import type { Queryable } from '../postgres/query.ts'
import { notifyWork } from '../postgres/work-notifier.ts'
import { assertTakesUrls } from './control-rules.ts'

const RAISE = {
  name: 'add_urls_raise',
  text: `with wanted as materialized (select $1::int as crawl, unnest($2::bigint[]) as key), locked as (
      select u.crawl, u.id, u.host from wanted w join urls u on u.crawl = w.crawl and u.key = w.key
      where u.state = ${QUEUED} and u.rank > $3::int order by u.id for update of u
    )
    update urls u set rank = $3 from locked k where u.crawl = k.crawl and u.id = k.id and u.host = k.host returning u.host`,
}

export interface AddUrlsRequest {
  crawl: CachedCrawl
  /** The holder whose counter row the URLs are counted in. */
  holder: string
  urls: FoundUrl[]
  priority: UrlPriority | null
}

export async function addUrls(dependencies: ShorterPathDependencies, request: AddUrlsRequest): Promise<AddedUrls> {
  const { db, hostIds, blocks } = dependencies
  const { urls } = request
  return db.withRetries(async () => {
    const hosts = await hostIds.findOrAdd(urls.map(({ host }) => host))
    const urlIds = await blocks.reserve('url', urls.length)
    try {
      return await db.transaction((tx) => insert(tx, dependencies, request, { hostIds: hosts, urlIds }))
    } finally {
      urlIds.returnUnused()
    }
  })
}

async function insert(
  tx: Queryable,
  { time, policies }: ShorterPathDependencies,
  { crawl, holder, urls, priority }: AddUrlsRequest,
  ids: { hostIds: ReadonlyMap<string, number>; urlIds: { next(): number } },
): Promise<AddedUrls> {
  const now = await time.now(tx)
  assertTakesUrls(await readCrawlState(tx, crawl.id))
  const rank = priority === null ? null : rankOfPriority(priority)
  const discoveries = new UrlDiscoveries(now)
  for (const found of urls) discoveries.add(found, { parent: null, parentHost: 0, depth: 0, hops: 0 }, rank)
  const keys = `{${discoveries.keys().join(',')}}`
  const raised = rank === null ? [] : (await tx.query({ ...RAISE, values: [crawl.id, keys, rank] })).rows
  const known = await findKnownUrls(tx, crawl.id, discoveries.keys())
  const shorterPaths = new ShorterPaths()
  const found = await discover(
    tx,
    { crawl, discoveries, requeues: () => true, ...ids, now, policies },
    known,
    shorterPaths,
  )
  await shorterPaths.save(tx, crawl.id)
  const raisedHosts = raised.map((row) => ({ host: Number(row['host']), rank: rank ?? 0, dueAt: now }))
  const hostsWithUrls = mergeQueuedHosts([...found.hostsWithUrls, ...raisedHosts])
  await queueHosts(tx, crawl.id, { hostsWithUrls, releasedHosts: [] }, now)
  await addToCounters(tx, { crawl: crawl.id, holder }, found.changes)
  // The row of the crawl is locked, so that the crawl does not end in the meantime.
  assertTakesUrls(await lockCrawlState(tx, crawl.id))
  // A watching crawl runs again.
  await endIfDone(tx, crawl, now)
  await notifyWork(tx, crawl.id)
  return { added: found.added, raised: raised.length }
}
