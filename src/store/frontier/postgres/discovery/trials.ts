// Visits on trial for URL patterns. They are saved with their commits, and evaluated when the patterns are judged
// (frontier/evaluate-trials.ts).

import { evaluateTrials, lineId, linesOf, type TrialVisit } from '../../../../frontier/evaluate-trials.ts'
import type { PatternTrial } from '../../../../frontier/judge-pattern.ts'
import { decodeLinkKeys, encodeLinkKeys } from '../../../encoding/link-keys.ts'
import { QUEUED } from '../../../encoding/state-codes.ts'
import { decodeHashes, encodeHashes, encodeTrials } from '../../../encoding/trials.ts'
import { bulkInsert } from '../../../postgres/bulk-insert.ts'
import type { Queryable } from '../../../postgres/query.ts'
import type { VisitToRecord } from './collect-discoveries.ts'
import { CRAWL_OWNER, recordPatterns } from './patterns.ts'
import { raiseProgress } from './trial-progress.ts'

/** Visits evaluated per transaction. */
const MAX_VISITS = 1000

const SAVE = bulkInsert(
  'trial_visits',
  {
    crawl: 'int',
    host: 'int',
    url_id: 'bigint',
    pattern: 'text',
    generation: 'int',
    is_visited: 'boolean',
    is_endless: 'boolean',
    lines: 'bytea',
    added: 'bytea',
  },
  `on conflict (crawl, host, url_id) do nothing`,
)
/** URLs that were queued in this transaction. */
const BEGIN = {
  name: 'trials_begin',
  text: `with new as materialized (
      select $1::int as crawl, n.* from unnest($2::bigint[], $3::text[]) as n (key, trials))
    update urls u set trials = n.trials from new n
    where u.crawl = n.crawl and u.key = n.key and u.state = ${QUEUED} and u.trials is null`,
}
const NEXT = {
  name: 'trials_next',
  text: `select t.*, t.url_id::text as id from trial_visits t
      join urls u on u.crawl = t.crawl and u.host = t.host and u.id = t.url_id
    where t.crawl = $1 order by u.url collate "C" limit ${MAX_VISITS}`,
}
const LINKS = {
  name: 'trials_links',
  text: `with wanted as materialized (select $1::int as crawl, w.* from unnest($2::int[], $3::bigint[]) as w (host, id))
    select l.url_id::text as id, l.targets from wanted w
      join links l on l.crawl = w.crawl and l.host = w.host and l.url_id = w.id`,
}
const DELETE = {
  name: 'trials_delete',
  text: `delete from trial_visits t using unnest($2::int[], $3::bigint[]) as d (host, id)
    where t.crawl = $1 and t.host = d.host and t.url_id = d.id`,
}
/** Ordered, so that two commits do not deadlock. */
const ADD_LINES = {
  name: 'pattern_lines_add',
  text: `insert into pattern_lines (crawl, pattern, line)
    select distinct $1::int, * from unnest($2::text[], $3::int[]) as l (pattern, line) order by pattern, line
    on conflict do nothing returning pattern, line`,
}

/** Puts queued URLs on trial. */
export async function beginTrials(
  tx: Queryable,
  crawl: number,
  urls: readonly { key: bigint; trials: readonly PatternTrial[] }[],
): Promise<void> {
  if (urls.length === 0) return
  const values = [crawl, `{${urls.map(({ key }) => key).join(',')}}`, urls.map(({ trials }) => encodeTrials(trials))]
  await tx.query({ ...BEGIN, values })
}

/** Saves the visits of a commit that are on trial. `added`: keys of the URLs that each of them added to the crawl. */
export async function recordTrials(
  tx: Queryable,
  crawl: number,
  visitsToRecord: readonly VisitToRecord[],
  added: ReadonlyMap<number, readonly bigint[]>,
): Promise<void> {
  const onTrial = visitsToRecord.filter(
    ({ url, visit: { outcome } }) => url.countsAsTrial && url.trials.length > 0 && outcome.state !== 'retry',
  )
  if (onTrial.length === 0) return
  const redirected = onTrial.filter(({ visit: { outcome } }) => outcome.state === 'redirected')
  // New redirect targets are on trial instead.
  await beginTrials(
    tx,
    crawl,
    redirected.flatMap(({ url: { id, trials } }) => (added.get(id) ?? []).map((key) => ({ key, trials }))),
  )
  const rows = onTrial.flatMap(({ url, visit }) => {
    const [trial] = url.trials
    if (trial === undefined || visit.outcome.state === 'redirected') return []
    const lines = linesOf(visit)
    return {
      crawl,
      host: url.host,
      url_id: url.id,
      pattern: trial.pattern,
      generation: trial.generation,
      is_visited: visit.outcome.state === 'visited',
      is_endless: visit.traps?.hasEndlessPaths === true,
      lines: lines === null ? null : encodeHashes(lines),
      added: encodeLinkKeys(added.get(url.id) ?? []),
    }
  })
  await SAVE.run(tx, rows)
}

/** Evaluates some visits. Returns whether there may be more. */
export async function evaluateVisits(tx: Queryable, crawl: number, now: number): Promise<boolean> {
  const { rows } = await tx.query({ ...NEXT, values: [crawl] })
  if (rows.length === 0) return false
  const ids = [rows.map((row) => Number(row['host'])), `{${rows.map((row) => row['id']).join(',')}}`]
  const visits = rows.map((row): TrialVisit => {
    const lines = row['lines'] as Buffer | null
    return {
      pattern: String(row['pattern']),
      generation: Number(row['generation']),
      isVisited: row['is_visited'] === true,
      isEndless: row['is_endless'] === true,
      lines: lines === null ? null : decodeHashes(lines),
      added: [...decodeLinkKeys(row['added'])],
      links: [],
    }
  })
  if (visits.some(({ added }) => added.length > 0)) {
    const { rows: found } = await tx.query({ ...LINKS, values: [crawl, ...ids] })
    const links = new Map(found.map((row) => [row['id'], row['targets']]))
    for (const [i, visit] of visits.entries()) visit.links = [...decodeLinkKeys(links.get(rows[i]?.['id']))]
  }
  const newLines = await addLines(
    tx,
    crawl,
    visits.map(({ pattern, lines }) => ({ pattern, lines: lines ?? [] })),
  )
  const evaluated = evaluateTrials(visits, newLines)
  await raiseProgress(tx, crawl, evaluated)
  await recordPatterns(tx, { crawl, holder: CRAWL_OWNER }, evaluated, now)
  await tx.query({ ...DELETE, values: [crawl, ...ids] })
  return rows.length === MAX_VISITS
}

/** Adds lines to the known text of patterns. Returns the new ones, by `lineId`. */
export async function addLines(
  tx: Queryable,
  crawl: number,
  pages: readonly { pattern: string; lines: readonly number[] }[],
): Promise<Set<string>> {
  const all = pages.flatMap(({ pattern, lines }) => lines.map((line) => ({ pattern, line })))
  if (all.length === 0) return new Set()
  const lists = [all.map(({ pattern }) => pattern), all.map(({ line }) => line)]
  const { rows } = await tx.query({ ...ADD_LINES, values: [crawl, ...lists] })
  return new Set(rows.map((row) => lineId(String(row['pattern']), Number(row['line']))))
}
