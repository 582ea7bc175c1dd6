// Judges links held back because their URL pattern may be a trap (saved by record-trap-findings.ts). They enter the ledger
// when nothing else of the crawl is open: the next lease request then judges each pattern by its trials, in one process
// at a time.

import {
  judgePattern,
  linksToApply,
  type PatternVerdict,
  splitHeldLinks,
  stateAfterVerdict,
} from '../../../../frontier/judge-pattern.ts'
import { UrlDiscoveries } from '../../../../frontier/url-discoveries.ts'
import type { FoundUrl } from '../../../../ports/visits.ts'
import { decodeFoundUrls, encodeFoundUrls } from '../../../encoding/found-urls.ts'
import { stateCode } from '../../../encoding/state-codes.ts'
import { ADVISORY_LOCKS } from '../../../postgres/advisory-locks.ts'
import type { IdBlock } from '../../../postgres/id-blocks.ts'
import type { Queryable, Row } from '../../../postgres/query.ts'
import { notifyWork } from '../../../postgres/work-notifier.ts'
import { addChange, addToCounters, type CounterChanges } from '../crawl-state/counters.ts'
import type { CachedCrawl } from '../crawl-state/crawl-cache.ts'
import { endIfDone, readCrawlState } from '../crawl-state/crawl-state.ts'
import { readLockedCrawl } from '../crawl-state/settings-lock.ts'
import { mergeQueuedHosts, queueHosts } from '../queues.ts'
import type { ShorterPathDependencies } from './apply-shorter-paths.ts'
import { discover, findKnownUrls } from './discover.ts'
import { CRAWL_OWNER, patternTotals, recordPatterns } from './patterns.ts'
import { SAVE_HELD } from './record-trap-findings.ts'
import { ShorterPaths } from './shorter-paths.ts'

/** Pages per pattern whose links are admitted or excluded at a time. */
const CHUNK = 500

/** By key: the same links are tried first, no matter in which order they were found. */
const NEXT_PAGES = {
  name: 'held_links_some',
  text: `select * from (
      select h.pattern, h.host, h.url_id, h.found, u.depth, u.key::text as key,
        row_number() over (partition by h.pattern order by u.key) as nth
      from held_links h join urls u on u.crawl = h.crawl and u.id = h.url_id and u.host = h.host
      where h.crawl = $1) p
    where nth <= ${CHUNK} order by pattern, nth`,
}
const DELETE = {
  name: 'held_links_delete',
  text: `delete from held_links h using unnest($2::int[], $3::bigint[]) as t (host, id)
    where h.crawl = $1 and h.host = t.host and h.url_id = t.id`,
}
const SET_TRIAL = {
  name: 'ancestry_trial',
  text: `insert into ancestry (crawl, host, url_id, trial)
    select $1, * from unnest($2::int[], $3::bigint[], $4::text[]) as t (host, id, trial)
    on conflict (crawl, host, url_id) do update set trial = excluded.trial`,
}
const EXCLUDE = {
  name: 'held_links_exclude',
  text: `with left_out as materialized (
      select $1::int as crawl, t.* from unnest($2::bigint[], $3::int[], $4::text[]) as t (id, host, reason))
    update urls u set state = ${stateCode('excluded')}, reason = l.reason
    from left_out l where u.crawl = l.crawl and u.id = l.id and u.host = l.host`,
}
const TRY_LOCK = {
  name: 'held_links_lock',
  text: `select pg_try_advisory_xact_lock(${ADVISORY_LOCKS.heldLinks}, $1) as is_mine`,
}

interface HeldPage {
  host: number
  urlId: number
  depth: number
  pattern: string
  /** Links that the verdict applies to, and those that stay held. */
  links: FoundUrl[]
  rest: FoundUrl[]
}

/** Called when nothing of the crawl is open. Does nothing while another process is judging. */
export async function judgeHeldLinks(
  dependencies: ShorterPathDependencies,
  crawl: CachedCrawl,
  holder: string,
): Promise<void> {
  const { db, blocks, hostIds } = dependencies
  await db.withRetries(async () => {
    const { rows } = await db.pool.query({ ...NEXT_PAGES, values: [crawl.id] })
    const found = rows.flatMap((row) => decodeFoundUrls(String(row['found'])))
    const hosts = await hostIds.findOrAdd(found.map(({ host }) => host))
    const urlIds = await blocks.reserve('url', found.length)
    try {
      await db.transaction((tx) => judgePatterns(tx, dependencies, { crawl, holder, hosts, urlIds }))
    } finally {
      urlIds.returnUnused()
    }
  })
}

interface JudgeInput {
  crawl: CachedCrawl
  holder: string
  hosts: ReadonlyMap<string, number>
  urlIds: IdBlock
}

async function judgePatterns(
  tx: Queryable,
  { time, policies }: ShorterPathDependencies,
  judgeInput: JudgeInput,
): Promise<void> {
  const { crawl: cachedCrawl, holder, hosts, urlIds } = judgeInput
  const [lock] = (await tx.query({ ...TRY_LOCK, values: [cachedCrawl.id] })).rows
  if (lock?.['is_mine'] !== true) return
  const crawl = await readLockedCrawl(tx, cachedCrawl)
  const crawlState = await readCrawlState(tx, crawl.id)
  if (
    crawlState.open > 0 ||
    crawlState.hasShorterPaths ||
    crawlState.hasUncheckedPatterns ||
    crawlState.closing !== null
  )
    return
  const { rows } = await tx.query({ ...NEXT_PAGES, values: [crawl.id] })
  // Another process changed it since we read it; the next lease request retries.
  if (rows.flatMap((row) => decodeFoundUrls(String(row['found']))).some(({ host }) => !hosts.has(host))) return
  const now = await time.now(tx)
  const totals = await patternTotals(tx, crawl.id)
  const fruitless = totals.values().reduce((sum, total) => sum + total.fruitless, 0)
  const verdicts = new Map<string, PatternVerdict>()
  for (const row of rows) {
    const total = totals.get(String(row['pattern']))
    if (total !== undefined) verdicts.set(total.pattern, judgePattern(total, crawlState.pages - fruitless))
  }
  const pages = chooseLinks(rows, verdicts)
  const urlDiscoveries = new UrlDiscoveries(now)
  for (const { urlId, host, depth, links } of pages) {
    for (const link of links) urlDiscoveries.add(link, { parent: urlId, parentHost: host, depth: depth + 1, hops: 0 })
  }
  const shorterPaths = new ShorterPaths()
  const discovery = { crawl, discoveries: urlDiscoveries, hostIds: hosts, urlIds, now, policies }
  const known = await findKnownUrls(tx, crawl.id, urlDiscoveries.keys())
  const before = new Set(known.keys())
  const found = await discover(tx, discovery, known, shorterPaths)
  const excluded = pages.flatMap(({ pattern, links }) => {
    if (verdicts.get(pattern)?.kind !== 'exclude') return []
    return links.flatMap(({ key }) => {
      const url = before.has(key) ? undefined : known.get(key)
      return url === undefined ? [] : [{ id: url.id, host: url.host, reason: `trap:${pattern}` }]
    })
  })
  await excludeUrls(tx, crawl, excluded, found.changes)
  await shorterPaths.save(tx, crawl.id)
  await saveRemaining(tx, crawl.id, pages, verdicts)
  const states = [...verdicts].flatMap(([pattern, verdict]) => {
    const state = stateAfterVerdict(verdict)
    return state === totals.get(pattern)?.state ? [] : [{ pattern, state, visits: 0, fruitless: 0 }]
  })
  await recordPatterns(tx, { crawl: crawl.id, holder: CRAWL_OWNER }, states, now)
  await queueHosts(tx, crawl.id, { hostsWithUrls: mergeQueuedHosts(found.hostsWithUrls), releasedHosts: [] }, now)
  await addToCounters(tx, { crawl: crawl.id, holder }, found.changes)
  await endIfDone(tx, crawl, now)
  await notifyWork(tx, crawl.id)
}

/** As many links of each pattern as its verdict allows, pages and links by key. */
function chooseLinks(rows: Row[], verdicts: ReadonlyMap<string, PatternVerdict>): HeldPage[] {
  const room = new Map<string, number>()
  return rows.flatMap((row) => {
    const pattern = String(row['pattern'])
    const verdict = verdicts.get(pattern)
    if (verdict === undefined) return []
    const left = room.get(pattern) ?? linksToApply(verdict)
    if (left <= 0) return []
    const { taken, rest } = splitHeldLinks(decodeFoundUrls(String(row['found'])), left)
    room.set(pattern, left - taken.length)
    const place = { host: Number(row['host']), urlId: Number(row['url_id']), depth: Number(row['depth']) }
    return [{ ...place, pattern, links: taken, rest }]
  })
}

async function excludeUrls(
  tx: Queryable,
  crawl: CachedCrawl,
  excluded: { id: number; host: number; reason: string }[],
  changes: CounterChanges,
): Promise<void> {
  // Several pages may hold the same link.
  const unique = new Map(excluded.map((url) => [url.id, url])).values()
  const wanted = [...unique].filter(({ host }) => !crawl.blockedHosts.has(host))
  if (wanted.length === 0) return
  addChange(changes, 'open', -wanted.length)
  addChange(changes, 'excluded', wanted.length)
  const lists = [wanted.map(({ id }) => id), wanted.map(({ host }) => host), wanted.map(({ reason }) => reason)]
  await tx.query({ ...EXCLUDE, values: [crawl.id, ...lists] })
}

async function saveRemaining(
  tx: Queryable,
  crawl: number,
  pages: HeldPage[],
  verdicts: ReadonlyMap<string, PatternVerdict>,
): Promise<void> {
  const done = pages.filter(({ rest }) => rest.length === 0)
  const kept = pages.filter(({ rest }) => rest.length > 0)
  const onTrial = pages.filter(({ pattern }) => verdicts.get(pattern)?.kind === 'admit')
  const places = (of: HeldPage[]) => [of.map(({ host }) => host), of.map(({ urlId }) => urlId)]
  await tx.query({ ...DELETE, values: [crawl, ...places(done)] })
  await tx.query({ ...SET_TRIAL, values: [crawl, ...places(onTrial), onTrial.map(({ pattern }) => pattern)] })
  await SAVE_HELD.run(
    tx,
    kept.map(({ host, urlId, pattern, rest }) => ({
      crawl,
      host,
      url_id: urlId,
      pattern,
      found: encodeFoundUrls(rest),
    })),
  )
}
