// What the visits of a commit say about traps: links held back because their URL pattern may be one, the ancestry that
// pages pass on to their children, and the results of trials. held-links.ts judges the held links later.

import {
  generationIn,
  hasPattern,
  isFruitfulTrial,
  NO_GENERATION,
  type PatternTrial,
} from '../../../../frontier/judge-pattern.ts'
import { PATTERN_STATE, type PatternReport } from '../../../../ports/patterns.ts'
import type { FoundUrl, TrapFindings } from '../../../../ports/visits.ts'
import { encodeSkeletons, encodeTrials } from '../../../encoding/ancestry.ts'
import { encodeFoundUrls } from '../../../encoding/found-urls.ts'
import { bulkInsert } from '../../../postgres/bulk-insert.ts'
import { runPipelined } from '../../../postgres/database.ts'
import type { Queryable } from '../../../postgres/query.ts'
import type { InFlightUrl, VisitToRecord } from './collect-discoveries.ts'
import { raiseTrialGenerations } from './pattern-trials.ts'

const depthOf = (row: string) =>
  `(select u.depth from urls u where u.crawl = ${row}.crawl and u.host = ${row}.host and u.id = ${row}.url_id)`

/** Ordered, so that two commits do not deadlock. */
const SAVE_HELD = bulkInsert(
  'held_urls',
  {
    crawl: 'int',
    pattern: 'text',
    key: 'bigint',
    host: 'int',
    url_id: 'bigint',
    generation: 'int',
    has_pattern: 'boolean',
    found: 'text',
  },
  `order by pattern, key on conflict (crawl, pattern, key)
   do update set host = excluded.host, url_id = excluded.url_id, generation = excluded.generation
   where excluded.generation < held_urls.generation
     or excluded.generation = held_urls.generation and ${depthOf('excluded')} < ${depthOf('held_urls')}`,
)
const SAVE_ANCESTRY = bulkInsert(
  'ancestry',
  { crawl: 'int', host: 'int', url_id: 'bigint', skeletons: 'bytea', page_trial: 'text' },
  `on conflict (crawl, host, url_id) do update
   set skeletons = excluded.skeletons, page_trial = excluded.page_trial`,
)

/** Ordered, so that two commits do not deadlock. */
const ADD_LINES = {
  name: 'pattern_lines_add',
  text: `insert into pattern_lines (crawl, pattern, line)
    select $1, * from unnest($2::text[], $3::int[]) as l (pattern, line) order by pattern, line
    on conflict do nothing returning pattern, line`,
}

/** The pattern whose links were admitted from a page, or whose trial it redirects. */
const SET_TRIAL = {
  name: 'ancestry_trial',
  text: `insert into ancestry (crawl, host, url_id, trial)
    select distinct $1::int, t.* from unnest($2::int[], $3::bigint[], $4::text[]) as t (host, id, trial) order by 2, 3
    on conflict (crawl, host, url_id) do update set trial = excluded.trial`,
}

/** Saves the held links of the visits, the ancestry of their children, and how deep trials have come. */
export async function recordTrapFindings(tx: Queryable, crawl: number, visitsToRecord: VisitToRecord[]): Promise<void> {
  const found = visitsToRecord.flatMap(({ url, visit: { traps, outcome } }) =>
    traps === null || outcome.state === 'retry' ? [] : [{ url, traps }],
  )
  const inherited = found.filter(({ traps }) => traps.skeletons.length > 0)
  const onTrial = trialsOf(visitsToRecord)
  const redirected = onTrial.filter(({ visit }) => visit.outcome.state === 'redirected')
  await runPipelined(
    SAVE_ANCESTRY.run(
      tx,
      inherited.map(({ url, traps }) => {
        const { host, id, trials } = url
        return {
          crawl,
          host,
          url_id: id,
          skeletons: encodeSkeletons(traps.skeletons),
          page_trial: encodeTrials(trials),
        }
      }),
    ),
    SAVE_HELD.run(tx, heldRows(crawl, found)),
    raiseTrialGenerations(
      tx,
      crawl,
      onTrial.flatMap(({ trial: { pattern, generation }, visit: { outcome, traps } }) => {
        const endless = traps?.hasEndlessPaths === true ? generation : NO_GENERATION
        return outcome.state === 'visited' ? [{ pattern, latest: generation, endless }] : []
      }),
    ),
  )
  await saveTrials(
    tx,
    crawl,
    redirected.map(({ url: { host, id, trials } }) => ({ host, urlId: id, trials })),
  )
}

function trialsOf(visitsToRecord: VisitToRecord[]): (VisitToRecord & { trial: PatternTrial })[] {
  return visitsToRecord.flatMap((visitToRecord) => {
    const { countsAsTrial, trials } = visitToRecord.url
    const [trial] = trials
    return countsAsTrial && trial !== undefined ? [{ ...visitToRecord, trial }] : []
  })
}

/** The trials of URLs found on these pages. */
export async function saveTrials(
  tx: Queryable,
  crawl: number,
  pages: readonly { host: number; urlId: number; trials: readonly PatternTrial[] }[],
): Promise<void> {
  if (pages.length === 0) return
  const lists = [
    pages.map(({ host }) => host),
    pages.map(({ urlId }) => urlId),
    pages.map(({ trials }) => encodeTrials(trials)),
  ]
  await tx.query({ ...SET_TRIAL, values: [crawl, ...lists] })
}

/** One row per link; of pages with the same link, the one of the earliest generation, then with the least depth. */
function heldRows(crawl: number, visits: { url: InFlightUrl; traps: TrapFindings }[]) {
  const rows = new Map<string, { page: InFlightUrl; row: ReturnType<typeof heldRow> }>()
  for (const { url, traps } of visits) {
    for (const link of traps.held?.found ?? []) {
      const row = heldRow(crawl, url, traps.held?.pattern ?? '', link)
      const id = `${row.pattern} ${row.key}`
      const other = rows.get(id)
      if (other === undefined || isEarlier(url, other.page, row.pattern)) rows.set(id, { page: url, row })
    }
  }
  return Array.from(rows.values(), ({ row }) => row)
}

function isEarlier(a: InFlightUrl, b: InFlightUrl, pattern: string): boolean {
  const [ofA, ofB] = [generationIn(pattern, a.trials), generationIn(pattern, b.trials)]
  return ofA < ofB || (ofA === ofB && a.depth < b.depth)
}

function heldRow(crawl: number, page: InFlightUrl, pattern: string, link: FoundUrl) {
  const { key } = link
  return {
    crawl,
    pattern,
    key,
    host: page.host,
    url_id: page.id,
    generation: generationIn(pattern, page.trials),
    has_pattern: hasPattern(link, pattern),
    found: encodeFoundUrls([link]),
  }
}

/** What the visits of a commit report about patterns: which ones hold links, and the results of trials. */
export async function makePatternReports(
  tx: Queryable,
  crawl: number,
  visitsToRecord: VisitToRecord[],
  addedBy: ReadonlyMap<number, number>,
): Promise<PatternReport[]> {
  const held = visitsToRecord.flatMap(({ visit: { traps } }) =>
    traps?.held ? [{ ...traps.held, lines: traps.lineHashes }] : [],
  )
  const trials = trialsOf(visitsToRecord).flatMap(({ url, visit, trial: { pattern } }) => {
    if (visit.outcome.state === 'retry' || visit.outcome.state === 'redirected') return []
    return [{ pattern, visit, lines: visit.traps?.lineHashes ?? [], urls: addedBy.get(url.id) ?? 0 }]
  })
  const isNew = await addLines(tx, crawl, [...trials, ...held])
  return [
    ...trials.map(({ pattern, visit, lines, urls }) => {
      // If two pages of a commit have the same new line, the first one counts it.
      const newLines = lines.filter((line) => isNew.delete(`${line} ${pattern}`)).length
      const fruitless = isFruitfulTrial(visit, { lines: newLines, urls }) ? 0 : 1
      return { pattern, state: PATTERN_STATE.suspected, visits: 1, fruitless }
    }),
    ...held.map(({ pattern }) => ({ pattern, state: PATTERN_STATE.suspected, visits: 0, fruitless: 0 })),
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
