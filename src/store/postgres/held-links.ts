// Links held back as a possible trap, and what pages pass on to the urls they lead to. The links enter the ledger when
// nothing else of the crawl is open: whoever asks for work then judges the patterns, each by what its trials brought,
// one process at a time.

import type { FoundUrl } from '../../ports/frontier.ts'
import type { PatternReport } from '../../ports/patterns.ts'
import { stateCode } from '../rows/codes.ts'
import { fromLines, toLines } from '../rows/found-urls.ts'
import { isFruitful, judgePattern, type PatternVerdict } from '../rows/judge-pattern.ts'
import { writeSkeletons } from '../rows/skeletons.ts'
import type { Allotment } from './blocks.ts'
import { addToCounters, type Changes, count } from './counters.ts'
import type { CrawlRow } from './crawl-rows.ts'
import { together } from './database.ts'
import { Detours } from './detour-list.ts'
import type { DetourParts } from './detours.ts'
import { discover, knownUrls } from './discover.ts'
import type { Settled } from './follow.ts'
import { insertion } from './insertion.ts'
import { LOCKS } from './locks.ts'
import { Offers } from './offers.ts'
import { OWNER, patternTotals, recordPatterns } from './patterns.ts'
import type { Queryable, Row } from './query.ts'
import { mergeWanted, openQueues } from './queues.ts'
import { settledCrawl } from './settings-lock.ts'
import { endIfDone, standingOf } from './standing.ts'
import { notify } from './wake.ts'

/** Pages of a pattern whose links are let in or excluded at a time. */
const CHUNK = 500

const KEEP = insertion(
  'held_links',
  { crawl: 'int', host: 'int', url_id: 'bigint', pattern: 'text', found: 'text' },
  'on conflict (crawl, host, url_id) do update set pattern = excluded.pattern, found = excluded.found',
)
const ANCESTRY = insertion(
  'ancestry',
  { crawl: 'int', host: 'int', url_id: 'bigint', skeletons: 'bytea' },
  'on conflict (crawl, host, url_id) do update set skeletons = excluded.skeletons',
)

/** By key: the same links are tried first whoever found them first. */
const SOME = {
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
/** In one order, so that two commits do not wait for each other. */
const ADD_LINES = {
  name: 'pattern_lines_add',
  text: `insert into pattern_lines (crawl, pattern, line)
    select $1, * from unnest($2::text[], $3::int[]) as l (pattern, line) order by pattern, line
    on conflict do nothing returning pattern, line`,
}
const TRY_LOCK = {
  name: 'held_links_lock',
  text: `select pg_try_advisory_xact_lock(${LOCKS.heldLinks}, $1) as is_mine`,
}

/** What the visits of a commit hold back, and what their children inherit. */
export async function recordFindings(tx: Queryable, crawl: number, settled: Settled[]): Promise<void> {
  const found = settled.flatMap(({ url, visit: { traps, verdict } }) =>
    traps === null || verdict.state === 'retry' ? [] : [{ at: { crawl, host: url.host, url_id: url.id }, traps }],
  )
  const inherited = found.filter(({ traps }) => traps.skeletons.length > 0)
  const held = found.flatMap(({ at, traps }) => (traps.held === null ? [] : [{ at, ...traps.held }]))
  await together(
    ANCESTRY.run(
      tx,
      inherited.map(({ at, traps }) => ({ ...at, skeletons: writeSkeletons(traps.skeletons) })),
    ),
    KEEP.run(
      tx,
      held.map(({ at, pattern, found: links }) => ({ ...at, pattern, found: toLines(links) })),
    ),
  )
}

/** What the visits of a commit say of patterns: which hold links, and what trials brought. */
export async function patternReports(
  tx: Queryable,
  crawl: number,
  settled: Settled[],
  addedBy: ReadonlyMap<number, number>,
): Promise<PatternReport[]> {
  const held = settled.flatMap(({ visit: { traps } }) => (traps?.held ? [{ ...traps.held, lines: traps.lines }] : []))
  const trials = settled.flatMap(({ url, visit }) => {
    if (url.trial === null || visit.verdict.state === 'retry' || visit.verdict.state === 'redirected') return []
    return [{ pattern: url.trial, visit, lines: visit.traps?.lines ?? [], urls: addedBy.get(url.id) ?? 0 }]
  })
  const isNew = await addLines(tx, crawl, [...trials, ...held])
  return [
    ...trials.map(({ pattern, visit, lines, urls }) => {
      // Two pages of one commit may bring the same line: the first of them has it.
      const fresh = lines.filter((line) => isNew.delete(`${line} ${pattern}`)).length
      const fruitless = isFruitful(visit, { lines: fresh, urls }) ? 0 : 1
      return { pattern, state: 'slowed' as const, visits: 1, fruitless }
    }),
    ...held.map(({ pattern }) => ({ pattern, state: 'slowed' as const, visits: 0, fruitless: 0 })),
  ]
}

/** The lines that were new to their patterns. */
async function addLines(
  tx: Queryable,
  crawl: number,
  pages: { pattern: string; lines: readonly number[] }[],
): Promise<Set<string>> {
  const all = new Map(
    pages.flatMap(({ pattern, lines }) => lines.map((line) => [`${line} ${pattern}`, { line, pattern }])),
  )
  if (all.size === 0) return new Set()
  const rows = [...all.values()]
  const lists = [rows.map(({ pattern }) => pattern), rows.map(({ line }) => line)]
  const { rows: added } = await tx.query({ ...ADD_LINES, values: [crawl, ...lists] })
  return new Set(added.map((row) => `${row['line']} ${row['pattern']}`))
}

interface HeldPage {
  host: number
  urlId: number
  depth: number
  pattern: string
  /** Links that the verdict is carried out for now, and those that stay. */
  now: FoundUrl[]
  rest: FoundUrl[]
}

/** Called when nothing of the crawl is open. Does nothing while another process is at it. */
export async function judgeHeld(parts: DetourParts, crawl: CrawlRow, worker: string): Promise<void> {
  const { db, blocks, hostIds } = parts
  await db.persist(async () => {
    const { rows } = await db.pool.query({ ...SOME, values: [crawl.id] })
    const found = rows.flatMap((row) => fromLines(String(row['found'])))
    const hosts = await hostIds.of(found.map(({ host }) => host))
    const urlIds = await blocks.take('url', found.length)
    try {
      await db.transaction((tx) => judge(tx, parts, { crawl, worker, hosts, urlIds }))
    } finally {
      urlIds.giveBack()
    }
  })
}

interface Judging {
  crawl: CrawlRow
  worker: string
  hosts: ReadonlyMap<string, number>
  urlIds: Allotment
}

async function judge(tx: Queryable, { time }: DetourParts, judging: Judging): Promise<void> {
  const { crawl: asked, worker, hosts, urlIds } = judging
  const [lock] = (await tx.query({ ...TRY_LOCK, values: [asked.id] })).rows
  if (lock?.['is_mine'] !== true) return
  const crawl = await settledCrawl(tx, asked)
  const standing = await standingOf(tx, crawl.id)
  if (standing.open > 0 || standing.hasDetours || standing.closing !== null) return
  const { rows } = await tx.query({ ...SOME, values: [crawl.id] })
  // Another process changed it since we read it; the next lease request retries.
  if (rows.flatMap((row) => fromLines(String(row['found']))).some(({ host }) => !hosts.has(host))) return
  const now = await time.now(tx)
  const totals = await patternTotals(tx, crawl.id)
  const fruitless = totals.values().reduce((sum, total) => sum + total.fruitless, 0)
  const verdicts = new Map<string, PatternVerdict>()
  for (const row of rows) {
    const total = totals.get(String(row['pattern']))
    if (total !== undefined) verdicts.set(total.pattern, judgePattern(total, standing.pages - fruitless))
  }
  const pages = chosen(rows, verdicts)
  const offers = new Offers()
  for (const { urlId, host, depth, now: links } of pages) {
    for (const link of links) offers.add(link, { parent: urlId, parentHost: host, depth: depth + 1, hops: 0 })
  }
  const detours = new Detours()
  const discovery = { crawl, offers, hostIds: hosts, urlIds, now }
  const known = await knownUrls(tx, crawl.id, offers.keys())
  const before = new Set(known.keys())
  const found = await discover(tx, discovery, known, detours)
  const excluded = pages.flatMap(({ pattern, now: links }) => {
    if (verdicts.get(pattern)?.kind !== 'exclude') return []
    return links.flatMap(({ key }) => {
      const url = before.has(key) ? undefined : known.get(key)
      return url === undefined ? [] : [{ id: url.id, host: url.host, reason: `trap:${pattern}` }]
    })
  })
  await leaveOut(tx, crawl, excluded, found.changes)
  await detours.save(tx, crawl.id)
  await keepRest(tx, crawl.id, pages, verdicts)
  const states = [...verdicts].flatMap(([pattern, verdict]) => {
    const state = stateAfter(verdict)
    return state === totals.get(pattern)?.state ? [] : [{ pattern, state, visits: 0, fruitless: 0 }]
  })
  await recordPatterns(tx, { crawl: crawl.id, worker: OWNER }, states, now)
  await openQueues(tx, crawl.id, { wanted: mergeWanted(found.wanted), freed: [] }, now)
  await addToCounters(tx, { crawl: crawl.id, worker }, found.changes)
  await endIfDone(tx, crawl, now)
  await notify(tx, crawl.id)
}

function stateAfter(verdict: PatternVerdict): PatternReport['state'] {
  return verdict.kind === 'exclude' ? 'capped' : verdict.isProven ? 'open' : 'slowed'
}

/** As many links of each pattern as its verdict says, pages and links by key. */
function chosen(rows: Row[], verdicts: ReadonlyMap<string, PatternVerdict>): HeldPage[] {
  const room = new Map<string, number>()
  return rows.flatMap((row) => {
    const pattern = String(row['pattern'])
    const verdict = verdicts.get(pattern)
    if (verdict === undefined) return []
    const left = room.get(pattern) ?? (verdict.kind === 'exclude' ? Number.POSITIVE_INFINITY : verdict.links)
    if (left <= 0) return []
    const links = fromLines(String(row['found'])).sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    const rest = links.splice(Math.min(left, links.length))
    room.set(pattern, left - links.length)
    const place = { host: Number(row['host']), urlId: Number(row['url_id']), depth: Number(row['depth']) }
    return [{ ...place, pattern, now: links, rest }]
  })
}

async function leaveOut(
  tx: Queryable,
  crawl: CrawlRow,
  excluded: { id: number; host: number; reason: string }[],
  changes: Changes,
): Promise<void> {
  const wanted = excluded.filter(({ host }) => !crawl.blocked.has(host))
  if (wanted.length === 0) return
  count(changes, 'open', -wanted.length)
  count(changes, 'excluded', wanted.length)
  const lists = [wanted.map(({ id }) => id), wanted.map(({ host }) => host), wanted.map(({ reason }) => reason)]
  await tx.query({ ...EXCLUDE, values: [crawl.id, ...lists] })
}

async function keepRest(
  tx: Queryable,
  crawl: number,
  pages: HeldPage[],
  verdicts: ReadonlyMap<string, PatternVerdict>,
): Promise<void> {
  const done = pages.filter(({ rest }) => rest.length === 0)
  const kept = pages.filter(({ rest }) => rest.length > 0)
  const onTrial = pages.filter(({ pattern }) => verdicts.get(pattern)?.kind === 'let_in')
  const places = (of: HeldPage[]) => [of.map(({ host }) => host), of.map(({ urlId }) => urlId)]
  await tx.query({ ...DELETE, values: [crawl, ...places(done)] })
  await tx.query({ ...SET_TRIAL, values: [crawl, ...places(onTrial), onTrial.map(({ pattern }) => pattern)] })
  await KEEP.run(
    tx,
    kept.map(({ host, urlId, pattern, rest }) => ({ crawl, host, url_id: urlId, pattern, found: toLines(rest) })),
  )
}
