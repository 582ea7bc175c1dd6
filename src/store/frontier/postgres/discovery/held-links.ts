// Judges links held back because their URL pattern may be a trap (saved by record-trap-findings.ts). They enter the ledger
// when nothing else of the crawl is open: the next lease request then judges each pattern by its trials, in one process
// at a time.

import {
  type ChosenLinks,
  chooseLinks,
  type HeldLink,
  type HeldLinks,
  judgePattern,
  latestHeldOf,
  NO_GENERATION,
  NO_TRIALS,
  nextPhase,
  nextTrials,
  type PatternVerdict,
  stateAfterVerdict,
} from '../../../../frontier/judge-pattern.ts'
import { UrlDiscoveries } from '../../../../frontier/url-discoveries.ts'
import type { PatternReport } from '../../../../ports/patterns.ts'
import { decodeFoundUrls } from '../../../encoding/found-urls.ts'
import { QUEUED, stateCode, TRAP_REASON } from '../../../encoding/state-codes.ts'
import { decodeTrials } from '../../../encoding/trials.ts'
import { ADVISORY_LOCKS } from '../../../postgres/advisory-locks.ts'
import type { IdBlock } from '../../../postgres/id-blocks.ts'
import type { Queryable } from '../../../postgres/query.ts'
import { notifyWork } from '../../../postgres/work-notifier.ts'
import { addChange, addToCounters, type CounterChanges } from '../crawl-state/counters.ts'
import type { CachedCrawl } from '../crawl-state/crawl-cache.ts'
import { endIfDone, readCrawlState } from '../crawl-state/crawl-state.ts'
import { readLockedCrawl } from '../crawl-state/settings-lock.ts'
import { mergeQueuedHosts, queueHosts } from '../queues.ts'
import type { ShorterPathDependencies } from './apply-shorter-paths.ts'
import { discover, findKnownUrls, type KnownUrl } from './discover.ts'
import { CRAWL_OWNER, patternTotals, recordPatterns } from './patterns.ts'
import { ShorterPaths } from './shorter-paths.ts'
import { beginPhases, countAdmitted, readTrialProgress, setTrialBases } from './trial-progress.ts'
import { beginTrials, evaluateVisits } from './trials.ts'

/** Patterns per transaction, and links of each that are known or not, with the pattern or without. */
const MAX_PATTERNS = 100
const MAX_LINKS = 500

/**
 * The choice does not depend on the order in which links were found. Known links are skipped only among the next
 * ones: a search for all of them would read every link each time.
 */
const NEXT_LINKS = {
  name: 'held_urls_next',
  text: `with next_patterns as materialized (
      select p.pattern, k.has_pattern
      from (select p.pattern from (select distinct pattern from patterns where crawl = $1) p
          where exists (select from held_urls h where h.crawl = $1 and h.pattern = p.pattern)
          order by p.pattern collate "C" limit ${MAX_PATTERNS}) p
        cross join (values (true), (false)) as k (has_pattern)
    ), next as (
      select h.* from next_patterns p cross join lateral (
        select * from held_urls h where h.crawl = $1 and h.pattern = p.pattern and h.has_pattern = p.has_pattern
        order by h.generation desc, h.url_hash limit ${MAX_LINKS}) h
      union
      select h.* from next_patterns p cross join lateral (
        select * from held_urls h where h.crawl = $1 and h.pattern = p.pattern and h.has_pattern = p.has_pattern
          and not exists (select from urls x where x.crawl = h.crawl and x.key = h.key)
        order by h.generation desc, h.url_hash limit ${MAX_LINKS}) h
    )
    select h.pattern, h.host, h.url_id, h.generation, h.has_pattern, u.depth, h.found, u.trials
    from next h join urls u on u.crawl = h.crawl and u.host = h.host and u.id = h.url_id
    order by h.pattern collate "C", h.has_pattern desc, h.generation desc, h.url_hash`,
}
const DELETE = {
  name: 'held_urls_delete',
  text: `delete from held_urls h using unnest($2::text[], $3::bigint[]) as t (pattern, key)
    where h.crawl = $1 and h.pattern = t.pattern and h.key = t.key`,
}
const EXCLUDE = {
  name: 'held_urls_exclude',
  text: `with left_out as materialized (
      select $1::int as crawl, t.* from unnest($2::bigint[], $3::int[], $4::text[]) as t (id, host, reason))
    update urls u set state = ${stateCode('excluded')}, reason = l.reason
    from left_out l where u.crawl = l.crawl and u.id = l.id and u.host = l.host and u.state = ${QUEUED}`,
}
const TRY_LOCK = {
  name: 'held_urls_lock',
  text: `select pg_try_advisory_xact_lock(${ADVISORY_LOCKS.heldLinks}, $1) as is_mine`,
}

interface HeldLinkOfPage extends HeldLink {
  pattern: string
  host: number
  urlId: number
  /** Current depth of the page: links of other pages may have lowered it. */
  depth: number
}

/** Called when nothing of the crawl is open. Does nothing while another process is judging. */
export async function judgeHeldLinks(
  dependencies: ShorterPathDependencies,
  crawl: CachedCrawl,
  holder: string,
): Promise<void> {
  const { db, blocks, hostIds } = dependencies
  await db.withRetries(async () => {
    const held = await readNextLinks(db.pool, crawl.id)
    const hosts = await hostIds.findOrAdd(held.map(({ link }) => link.host))
    const urlIds = await blocks.reserve('url', held.length)
    try {
      const judgeInput = { crawl, holder, hosts, urlIds, maxLinks: held.length }
      await db.transaction((tx) => judgePatterns(tx, dependencies, judgeInput))
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
  /** The number of ids that are reserved. */
  maxLinks: number
}

async function judgePatterns(
  tx: Queryable,
  { time, policies }: ShorterPathDependencies,
  judgeInput: JudgeInput,
): Promise<void> {
  const { crawl: cachedCrawl, holder, hosts, urlIds, maxLinks } = judgeInput
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
  const now = await time.now(tx)
  if (await evaluateVisits(tx, crawl.id, now)) return
  const held = await readNextLinks(tx, crawl.id)
  // Another process has judged since we read them; the next lease request retries.
  if (held.length > maxLinks || held.some(({ link }) => !hosts.has(link.host))) return
  const known = await findKnownUrls(tx, crawl.id, [...new Set(held.map(({ link }) => link.key))])
  const before = new Set(known.keys())
  const patterns = await judgeEach(tx, crawl.id, held, { known, pages: crawlState.pages })
  const chosen = chooseLinks(patterns)
  const urlDiscoveries = new UrlDiscoveries(now)
  for (const { urlId, host, depth, link } of allOf(chosen))
    urlDiscoveries.add(link, { parent: urlId, parentHost: host, depth: depth + 1, hops: 0 })
  const shorterPaths = new ShorterPaths()
  const fruitful = new Set(chosen.admitted.flatMap(({ isFruitful, link: { key } }) => (isFruitful ? [key] : [])))
  const requeues = (key: bigint) => fruitful.has(key)
  const discovery = { crawl, discoveries: urlDiscoveries, requeues, hostIds: hosts, urlIds, now, policies }
  const found = await discover(tx, discovery, known, shorterPaths)
  const urlsToExclude = chosen.excluded.flatMap(({ pattern, link: { key } }) => {
    const url = known.get(key)
    return url === undefined ? [] : [{ id: url.id, host: url.host, reason: TRAP_REASON + pattern }]
  })
  await excludeUrls(tx, crawl, urlsToExclude, found.changes)
  await shorterPaths.save(tx, crawl.id)
  await beginTrials(tx, crawl.id, firstByKey(chosen.admitted))
  await countAdmitted(tx, crawl.id, countNew(chosen.admitted, before))
  await beginPhases(
    tx,
    crawl.id,
    patterns.flatMap(({ report, phase }) => (phase === null ? [] : [{ ...report, ...phase }])),
  )
  await setTrialBases(
    tx,
    crawl.id,
    patterns.flatMap(({ pattern, verdict }) =>
      'newBase' in verdict && verdict.newBase !== undefined ? [{ pattern, base: verdict.newBase }] : [],
    ),
  )
  await deleteHeld(tx, crawl.id, allOf(chosen))
  const states = patterns.flatMap(({ pattern, report, verdict }) => {
    const state = stateAfterVerdict(verdict, report.state)
    return state === report.state ? [] : [{ pattern, state, visits: 0, fruitless: 0 }]
  })
  await recordPatterns(tx, { crawl: crawl.id, holder: CRAWL_OWNER }, states, now)
  await queueHosts(tx, crawl.id, { hostsWithUrls: mergeQueuedHosts(found.hostsWithUrls), releasedHosts: [] }, now)
  await addToCounters(tx, { crawl: crawl.id, holder }, found.changes)
  await endIfDone(tx, crawl, now)
  await notifyWork(tx, crawl.id)
}

interface JudgedPattern extends HeldLinks<HeldLinkOfPage> {
  report: PatternReport
  verdict: PatternVerdict
  /** Begins now, if any. */
  phase: ReturnType<typeof nextPhase>
}

async function judgeEach(
  tx: Queryable,
  crawl: number,
  held: HeldLinkOfPage[],
  { known, pages }: { known: ReadonlyMap<bigint, KnownUrl>; pages: number },
): Promise<JudgedPattern[]> {
  const totals = await patternTotals(tx, crawl)
  const { byPattern, fruitlessPages } = await readTrialProgress(tx, crawl)
  const heldLinks = Array.from(
    Map.groupBy(held, ({ pattern }) => pattern),
    ([pattern, links]) => ({
      pattern,
      unknown: links.filter(({ link }) => !known.has(link.key)),
      known: links.flatMap((link) => {
        const url = known.get(link.link.key)
        return url === undefined ? [] : [{ ...link, isExcluded: url.isExcludedByTrap }]
      }),
    }),
  )
  const latestHeld = latestHeldOf(heldLinks)
  return heldLinks.flatMap((links) => {
    const { pattern, unknown } = links
    const report = totals.get(pattern)
    if (report === undefined) return []
    const progress = byPattern.get(pattern) ?? NO_TRIALS
    const hasMore = [true, false].some(
      (hasItsShape) => unknown.filter((held) => held.hasPattern === hasItsShape).length >= MAX_LINKS,
    )
    const goodPages = pages - fruitlessPages
    const context = { unknown, latestHeld: latestHeld.get(pattern) ?? NO_GENERATION, goodPages }
    const verdict = judgePattern(report, progress, context)
    return [{ ...links, report, verdict, phase: nextPhase(verdict, progress, hasMore) }]
  })
}

function allOf({ admitted, excluded, known }: ChosenLinks<HeldLinkOfPage>): HeldLinkOfPage[] {
  return [...admitted, ...excluded, ...known]
}

/** Trials of admitted URLs. If several patterns admit a URL, the first one counts. */
function firstByKey(admitted: readonly HeldLinkOfPage[]) {
  const byKey = new Map(admitted.toReversed().map((held) => [held.link.key, held]))
  return Array.from(byKey, ([key, held]) => ({ key, trials: nextTrials(held.pattern, held) }))
}

async function excludeUrls(
  tx: Queryable,
  crawl: CachedCrawl,
  excluded: { id: number; host: number; reason: string }[],
  changes: CounterChanges,
): Promise<void> {
  // Several patterns may exclude the same link; the first one counts.
  const unique = new Map(excluded.toReversed().map((url) => [url.id, url])).values()
  const wanted = [...unique].filter(({ host }) => !crawl.blockedHosts.has(host))
  if (wanted.length === 0) return
  const lists = [wanted.map(({ id }) => id), wanted.map(({ host }) => host), wanted.map(({ reason }) => reason)]
  const { rowCount } = await tx.query({ ...EXCLUDE, values: [crawl.id, ...lists] })
  addChange(changes, 'open', -(rowCount ?? 0))
  addChange(changes, 'excluded', rowCount ?? 0)
}

/**
 * New links per pattern, with the generation of its first link. A link that several patterns admit counts for the
 * first one.
 */
function countNew(admitted: readonly HeldLinkOfPage[], before: ReadonlySet<bigint>) {
  const counted = new Set(before)
  const added = admitted.filter(({ link: { key } }) => {
    const isNew = !counted.has(key)
    counted.add(key)
    return isNew
  })
  return Array.from(
    Map.groupBy(added, ({ pattern }) => pattern),
    ([pattern, links]) => ({ pattern, admitted: links.length, base: links[0]?.generation ?? 0 }),
  )
}

async function deleteHeld(tx: Queryable, crawl: number, links: HeldLinkOfPage[]): Promise<void> {
  if (links.length === 0) return
  const lists = [links.map(({ pattern }) => pattern), `{${links.map(({ link }) => link.key).join(',')}}`]
  await tx.query({ ...DELETE, values: [crawl, ...lists] })
}

async function readNextLinks(db: Queryable, crawl: number): Promise<HeldLinkOfPage[]> {
  const { rows } = await db.query({ ...NEXT_LINKS, values: [crawl] })
  return rows.flatMap((row) => {
    const page = { host: Number(row['host']), urlId: Number(row['url_id']), depth: Number(row['depth']) }
    const held = {
      generation: Number(row['generation']),
      trials: decodeTrials(row['trials']),
      hasPattern: row['has_pattern'] === true,
      isExcluded: false,
    }
    const links = decodeFoundUrls(String(row['found']))
    return links.map((link) => ({ pattern: String(row['pattern']), ...page, ...held, link }))
  })
}
