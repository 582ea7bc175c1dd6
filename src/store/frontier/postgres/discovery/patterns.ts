// Stores the states of URL patterns that may be traps (see ports/patterns.ts); what they mean is decided in
// src/frontier/judge-pattern.ts. The commits of each thread add to its own rows; the sums are sent to every thread with
// its leases.

import { mergedStateSql, stateStrengthSql } from '../../../../frontier/judge-pattern.ts'
import type { PatternReport, PatternState } from '../../../../ports/patterns.ts'
import type { Queryable, Row } from '../../../postgres/query.ts'

/** Holder of rows written by the owner of the crawl or by a verdict. */
export const CRAWL_OWNER = ''

const RECORD = {
  name: 'patterns_record',
  text: `insert into patterns (crawl, worker, changed_at, pattern, state, visits, fruitless)
    select $1, $2, $3, * from unnest($4::text[], $5::text[], $6::bigint[], $7::bigint[])
      as r (pattern, state, visits, fruitless) order by pattern
    on conflict (crawl, pattern, worker) do update set
      visits = patterns.visits + excluded.visits, fruitless = patterns.fruitless + excluded.fruitless,
      changed_at = excluded.changed_at,
      state = case when ${stateStrengthSql('excluded.state')} >= ${stateStrengthSql('patterns.state')}
        then excluded.state else patterns.state end`,
}

const SINCE = {
  name: 'patterns_since',
  text: `select p.pattern, sum(p.visits)::bigint as visits, sum(p.fruitless)::bigint as fruitless,
      ${mergedStateSql('p.')} as state,
      max(p.changed_at) as changed_at
    from patterns p where p.crawl = $1 and p.pattern in
      (select c.pattern from patterns c where c.crawl = $1 and c.changed_at > $2)
    group by p.pattern`,
}

const EXISTS = { text: 'select 1 from patterns where crawl = $1 and pattern = $2 limit 1' }

export async function patternTotals(tx: Queryable, crawl: number): Promise<Map<string, PatternReport>> {
  const { rows } = await tx.query({ ...SINCE, values: [crawl, -1] })
  return new Map(rows.map((row) => [String(row['pattern']), toReport(row)]))
}

function toReport(row: Row): PatternReport {
  const [visits, fruitless] = [Number(row['visits']), Number(row['fruitless'])]
  return { pattern: String(row['pattern']), state: row['state'] as PatternState, visits, fruitless }
}

export async function recordPatterns(
  tx: Queryable,
  { crawl, holder }: { crawl: number; holder: string },
  reports: PatternReport[],
  now: number,
): Promise<void> {
  if (reports.length === 0) return
  const merged = new Map<string, PatternReport>()
  for (const report of reports) {
    const known = merged.get(report.pattern)
    const [visits, fruitless] = [known?.visits ?? 0, known?.fruitless ?? 0]
    merged.set(report.pattern, { ...report, visits: visits + report.visits, fruitless: fruitless + report.fruitless })
  }
  const rows = [...merged.values()]
  const lists = [
    rows.map(({ pattern }) => pattern),
    rows.map(({ state }) => state),
    rows.map(({ visits }) => visits),
    rows.map(({ fruitless }) => fruitless),
  ]
  await tx.query({ ...RECORD, values: [crawl, holder, now, ...lists] })
}

export async function hasPattern(db: Queryable, crawl: number, pattern: string): Promise<boolean> {
  return (await db.query({ ...EXISTS, values: [crawl, pattern] })).rows.length > 0
}

export interface PatternChanges {
  patterns: PatternReport[]
  patternsVersion: number
}

/** How long it may take until other transactions see what a transaction wrote. */
const OVERLAP_MS = 10_000

/**
 * The version is a time. Patterns that changed shortly before it are read again, and sent only if they are new to the
 * worker.
 */
export class PatternUpdates {
  /** Last state sent, by crawl and thread. */
  readonly #sent = new Map<string, Map<string, string>>()

  async changesSince(db: Queryable, of: { crawl: number; holder: string }, version: number): Promise<PatternChanges> {
    const { rows } = await db.query({ ...SINCE, values: [of.crawl, version - OVERLAP_MS] })
    const key = `${of.crawl} ${of.holder}`
    const before = version === 0 ? undefined : this.#sent.get(key)
    const sent = new Map<string, string>()
    const patterns: PatternReport[] = []
    let patternsVersion = version
    for (const row of rows) {
      const report = toReport(row)
      const text = `${report.state} ${report.visits} ${report.fruitless}`
      if (before?.get(report.pattern) !== text) patterns.push(report)
      sent.set(report.pattern, text)
      patternsVersion = Math.max(patternsVersion, Number(row['changed_at']))
    }
    this.#sent.set(key, sent)
    return { patterns, patternsVersion }
  }
}
