// What the visits of a commit say about traps: links held back because their URL pattern may be one, the ancestry that
// pages pass on to their children, and the results of trials. held-links.ts judges the held links later.

import { isFruitfulTrial } from '../../../../frontier/judge-pattern.ts'
import { PATTERN_STATE, type PatternReport } from '../../../../ports/patterns.ts'
import { encodeSkeletons } from '../../../encoding/ancestry.ts'
import { encodeFoundUrls } from '../../../encoding/found-urls.ts'
import { bulkInsert } from '../../../postgres/bulk-insert.ts'
import { runPipelined } from '../../../postgres/database.ts'
import type { Queryable } from '../../../postgres/query.ts'
import type { VisitToRecord } from './collect-discoveries.ts'

export const SAVE_HELD = bulkInsert(
  'held_links',
  { crawl: 'int', host: 'int', url_id: 'bigint', pattern: 'text', found: 'text' },
  'on conflict (crawl, host, url_id) do update set pattern = excluded.pattern, found = excluded.found',
)
const SAVE_ANCESTRY = bulkInsert(
  'ancestry',
  { crawl: 'int', host: 'int', url_id: 'bigint', skeletons: 'bytea' },
  'on conflict (crawl, host, url_id) do update set skeletons = excluded.skeletons',
)

/** Ordered, so that two commits do not deadlock. */
const ADD_LINES = {
  name: 'pattern_lines_add',
  text: `insert into pattern_lines (crawl, pattern, line)
    select $1, * from unnest($2::text[], $3::int[]) as l (pattern, line) order by pattern, line
    on conflict do nothing returning pattern, line`,
}

/** Saves the held links of the visits and the ancestry of their children. */
export async function recordTrapFindings(tx: Queryable, crawl: number, visitsToRecord: VisitToRecord[]): Promise<void> {
  const found = visitsToRecord.flatMap(({ url, visit: { traps, outcome } }) =>
    traps === null || outcome.state === 'retry' ? [] : [{ at: { crawl, host: url.host, url_id: url.id }, traps }],
  )
  const inherited = found.filter(({ traps }) => traps.skeletons.length > 0)
  const held = found.flatMap(({ at, traps }) => (traps.held === null ? [] : [{ at, ...traps.held }]))
  await runPipelined(
    SAVE_ANCESTRY.run(
      tx,
      inherited.map(({ at, traps }) => ({ ...at, skeletons: encodeSkeletons(traps.skeletons) })),
    ),
    SAVE_HELD.run(
      tx,
      held.map(({ at, pattern, found: links }) => ({ ...at, pattern, found: encodeFoundUrls(links) })),
    ),
  )
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
  const trials = visitsToRecord.flatMap(({ url, visit }) => {
    if (url.trial === null || visit.outcome.state === 'retry' || visit.outcome.state === 'redirected') return []
    return [{ pattern: url.trial, visit, lines: visit.traps?.lineHashes ?? [], urls: addedBy.get(url.id) ?? 0 }]
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
