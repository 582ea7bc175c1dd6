// Judges links held back because their URL pattern may be a trap (saved by record-trap-findings.ts). They enter the ledger
// when nothing else of the crawl is open: the next lease request then judges each pattern by its trials, in one process
// at a time.

import {
  chooseAdmitted,
  type HeldLink,
  judgePattern,
  keepsTrapped,
  latestHeldOf,
  NO_GENERATION,
  NO_TRIALS,
  nextTrials,
  type PatternVerdict,
  stateAfterVerdict,
} from '../../../../frontier/judge-pattern.ts'
import { UrlDiscoveries } from '../../../../frontier/url-discoveries.ts'
import type { PatternState } from '../../../../ports/patterns.ts'
import { decodeTrials } from '../../../encoding/ancestry.ts'
import { decodeFoundUrls } from '../../../encoding/found-urls.ts'
import { stateCode, TRAP_REASON } from '../../../encoding/state-codes.ts'
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
import { discover, findKnownUrls } from './discover.ts'
import { countAdmitted, readTrialProgress, setTrialBases } from './pattern-trials.ts'
import { CRAWL_OWNER, patternTotals, recordPatterns } from './patterns.ts'
import { saveTrials } from './record-trap-findings.ts'
import { ShorterPaths } from './shorter-paths.ts'

/** Patterns per transaction, and links of each that are known or not, with the pattern or without. */
const MAX_PATTERNS = 100
const MAX_LINKS = 500

/** The same links are tried, no matter in which order they were found. */
const NEXT_LINKS = {
  name: 'held_urls_next',
  text: `select h.pattern, h.host, h.url_id, h.generation, h.has_pattern, u.depth, h.found, a.page_trial
    from (select p.pattern from (select distinct pattern from patterns where crawl = $1) p
        where exists (select from held_urls h where h.crawl = $1 and h.pattern = p.pattern)
        order by p.pattern collate "C" limit ${MAX_PATTERNS}) p
      cross join (values (true, true), (true, false), (false, true), (false, false)) as k (has_pattern, is_known)
      cross join lateral (select * from held_urls h
        where h.crawl = $1 and h.pattern = p.pattern and h.has_pattern = k.has_pattern
          and exists (select from urls x where x.crawl = h.crawl and x.key = h.key) = k.is_known
        order by h.generation desc, h.key limit ${MAX_LINKS}) h
      join urls u on u.crawl = h.crawl and u.host = h.host and u.id = h.url_id
      left join ancestry a on a.crawl = h.crawl and a.host = h.host and a.url_id = h.url_id
    order by h.pattern collate "C", h.has_pattern desc, h.generation desc, h.key`,
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
    from left_out l where u.crawl = l.crawl and u.id = l.id and u.host = l.host`,
}
const TRY_LOCK = {
  name: 'held_urls_lock',
  text: `select pg_try_advisory_xact_lock(${ADVISORY_LOCKS.heldLinks}, $1) as is_mine`,
}

interface HeldLinkOfPage extends HeldLink {
  pattern: string
  host: number
  urlId: number
  /** Of the page, as it is now: links of other pages may have lowered it. */
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
  /** As many as ids are reserved for. */
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
  const held = await readNextLinks(tx, crawl.id)
  // Another process has judged since we read them; the next lease request retries.
  if (held.length > maxLinks || held.some(({ link }) => !hosts.has(link.host))) return
  const now = await time.now(tx)
  const known = await findKnownUrls(tx, crawl.id, [...new Set(held.map(({ link }) => link.key))])
  const before = new Set(known.keys())
  const patterns = await judgeEach(tx, crawl.id, held, { knownKeys: before, pages: crawlState.pages })
  const { admitted, excluded, shortened } = chooseLinks(patterns, (key) => known.get(key)?.isTrapped === true)
  const urlDiscoveries = new UrlDiscoveries(now)
  for (const { urlId, host, depth, link } of [...admitted, ...excluded, ...shortened])
    urlDiscoveries.add(link, { parent: urlId, parentHost: host, depth: depth + 1, hops: 0 })
  const shorterPaths = new ShorterPaths()
  const fruitful = new Set(admitted.flatMap(({ isFruitful, link: { key } }) => (isFruitful ? [key] : [])))
  const requeuesTrapped = (key: bigint) => fruitful.has(key)
  const discovery = { crawl, discoveries: urlDiscoveries, requeuesTrapped, hostIds: hosts, urlIds, now, policies }
  const found = await discover(tx, discovery, known, shorterPaths)
  const urlsToExclude = excluded.flatMap(({ pattern, link: { key } }) => {
    const url = known.get(key)
    return url === undefined ? [] : [{ id: url.id, host: url.host, reason: TRAP_REASON + pattern }]
  })
  await excludeUrls(tx, crawl, urlsToExclude, found.changes)
  await shorterPaths.save(tx, crawl.id)
  await putOnTrial(tx, crawl.id, admitted)
  await countAdmitted(tx, crawl.id, countNew(admitted, before))
  await setTrialBases(
    tx,
    crawl.id,
    patterns.flatMap(({ pattern, verdict }) =>
      verdict.kind === 'admit' && verdict.newBase !== undefined ? [{ pattern, base: verdict.newBase }] : [],
    ),
  )
  await deleteHeld(tx, crawl.id, [...admitted, ...excluded, ...shortened])
  const states = patterns.flatMap(({ pattern, state: stateBefore, verdict }) => {
    const state = stateAfterVerdict(verdict)
    return state === stateBefore ? [] : [{ pattern, state, visits: 0, fruitless: 0 }]
  })
  await recordPatterns(tx, { crawl: crawl.id, holder: CRAWL_OWNER }, states, now)
  await queueHosts(tx, crawl.id, { hostsWithUrls: mergeQueuedHosts(found.hostsWithUrls), releasedHosts: [] }, now)
  await addToCounters(tx, { crawl: crawl.id, holder }, found.changes)
  await endIfDone(tx, crawl, now)
  await notifyWork(tx, crawl.id)
}

/** A pattern with its next links. */
interface JudgedPattern {
  pattern: string
  state: PatternState
  unknown: HeldLinkOfPage[]
  known: HeldLinkOfPage[]
  verdict: PatternVerdict
}

async function judgeEach(
  tx: Queryable,
  crawl: number,
  held: HeldLinkOfPage[],
  { knownKeys, pages }: { knownKeys: ReadonlySet<bigint>; pages: number },
): Promise<JudgedPattern[]> {
  const totals = await patternTotals(tx, crawl)
  const progress = await readTrialProgress(tx, crawl)
  const goodPages = pages - totals.values().reduce((sum, total) => sum + total.fruitless, 0)
  const isKnown = ({ link }: HeldLinkOfPage) => knownKeys.has(link.key)
  const latestHeld = latestHeldOf(held.filter((link) => !isKnown(link)))
  return Array.from(Map.groupBy(held, ({ pattern }) => pattern)).flatMap(([pattern, links]) => {
    const total = totals.get(pattern)
    if (total === undefined) return []
    const unknown = links.filter((link) => !isKnown(link))
    const circumstances = { unknown, latestHeld: latestHeld.get(pattern) ?? NO_GENERATION, goodPages }
    const verdict = judgePattern(total, progress.get(pattern) ?? NO_TRIALS, circumstances)
    return [{ pattern, state: total.state, unknown, known: links.filter(isKnown), verdict }]
  })
}

type AdmittedLink = HeldLinkOfPage & { isFruitful: boolean }

interface ChosenLinks {
  admitted: AdmittedLink[]
  excluded: HeldLinkOfPage[]
  /** The crawl knows them, and they may get a shorter path. */
  shortened: HeldLinkOfPage[]
}

/**
 * A link that several patterns hold is visited if one of them admits it. One that another pattern excludes now stays with
 * that until the next time, when its URL is known.
 */
function chooseLinks(patterns: JudgedPattern[], isTrapped: (key: bigint) => boolean): ChosenLinks {
  const taken = new Set<bigint>()
  const admitted = patterns.flatMap(({ known, unknown, verdict }): AdmittedLink[] => {
    if (verdict.kind === 'exclude') return []
    const { isFruitful } = verdict
    const chosen = chooseAdmitted(verdict, unknown, (key) => taken.has(key))
    for (const { link } of chosen) taken.add(link.key)
    return [...(isFruitful ? known : []), ...chosen].map((held) => ({ ...held, isFruitful }))
  })
  return {
    admitted,
    excluded: patterns.flatMap(({ unknown, verdict }) =>
      verdict.kind === 'exclude' ? unknown.filter(({ link }) => !taken.has(link.key)) : [],
    ),
    shortened: patterns.flatMap(({ known, unknown, verdict }) => {
      if (verdict.kind === 'admit' && verdict.isFruitful) return []
      return keepsTrapped(verdict, unknown) ? known.filter(({ link }) => !isTrapped(link.key)) : known
    }),
  }
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

async function putOnTrial(tx: Queryable, crawl: number, admitted: AdmittedLink[]): Promise<void> {
  const pages = new Map(admitted.map((held) => [`${held.urlId} ${held.host}`, held])).values()
  await saveTrials(
    tx,
    crawl,
    Array.from(pages, (held) => ({ host: held.host, urlId: held.urlId, trials: nextTrials(held.pattern, held) })),
  )
}

/** Per pattern, with the generation of its first link. A link that several admit counts for the first. */
function countNew(admitted: AdmittedLink[], before: ReadonlySet<bigint>) {
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
      trials: decodeTrials(row['page_trial']),
      hasPattern: row['has_pattern'] === true,
    }
    const links = decodeFoundUrls(String(row['found']))
    return links.map((link) => ({ pattern: String(row['pattern']), ...page, ...held, link }))
  })
}
