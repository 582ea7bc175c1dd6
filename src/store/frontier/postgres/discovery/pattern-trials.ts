// How far the trials of each pattern have come (frontier/judge-pattern.ts).

import { NO_GENERATION, type TrialGenerations } from '../../../../frontier/judge-pattern.ts'
import type { Queryable } from '../../../postgres/query.ts'

const READ = { name: 'pattern_trials', text: 'select * from pattern_trials where crawl = $1' }
const BEGIN = {
  name: 'pattern_trials_begin',
  text: `insert into pattern_trials (crawl, pattern, base, latest, endless)
    select $1, t.pattern, t.base, ${NO_GENERATION}, ${NO_GENERATION}
    from unnest($2::text[], $3::int[]) as t (pattern, base) on conflict do nothing`,
}
/** Ordered, so that two commits do not deadlock. There is no row if the crawl has ended since the trials began. */
const RAISE = {
  name: 'pattern_trials_raise',
  text: `insert into pattern_trials (crawl, pattern, base, latest, endless)
    select $1, t.pattern, min(t.latest) - 1, max(t.latest), max(t.endless)
    from unnest($2::text[], $3::int[], $4::int[]) as t (pattern, latest, endless)
    group by t.pattern order by t.pattern
    on conflict (crawl, pattern) do update set
      latest = greatest(pattern_trials.latest, excluded.latest),
      endless = greatest(pattern_trials.endless, excluded.endless)`,
}
const SET_BASES = {
  name: 'pattern_trials_bases',
  text: `update pattern_trials p set base = t.base from unnest($2::text[], $3::int[]) as t (pattern, base)
    where p.crawl = $1 and p.pattern = t.pattern`,
}

export const NO_TRIALS: TrialGenerations = { base: NO_GENERATION, latest: NO_GENERATION, endless: NO_GENERATION }

interface PatternBase {
  pattern: string
  base: number
}

export async function readTrialGenerations(tx: Queryable, crawl: number): Promise<Map<string, TrialGenerations>> {
  const { rows } = await tx.query({ ...READ, values: [crawl] })
  return new Map(
    rows.map((row) => {
      const [base, latest, endless] = [Number(row['base']), Number(row['latest']), Number(row['endless'])]
      return [String(row['pattern']), { base, latest, endless }]
    }),
  )
}

/** Has no effect on patterns whose trials have begun. `started`: one base per pattern. */
export async function beginTrials(tx: Queryable, crawl: number, started: readonly PatternBase[]): Promise<void> {
  if (started.length === 0) return
  await tx.query({ ...BEGIN, values: [crawl, ...toLists(started)] })
}

export async function raiseTrialGenerations(
  tx: Queryable,
  crawl: number,
  raised: readonly { pattern: string; latest: number; endless: number }[],
): Promise<void> {
  if (raised.length === 0) return
  const lists = [
    raised.map(({ pattern }) => pattern),
    raised.map(({ latest }) => latest),
    raised.map(({ endless }) => endless),
  ]
  await tx.query({ ...RAISE, values: [crawl, ...lists] })
}

/** Where the next path of these patterns begins. */
export async function setTrialBases(tx: Queryable, crawl: number, ended: readonly PatternBase[]): Promise<void> {
  if (ended.length === 0) return
  await tx.query({ ...SET_BASES, values: [crawl, ...toLists(ended)] })
}

function toLists(bases: readonly PatternBase[]): [string[], number[]] {
  return [bases.map(({ pattern }) => pattern), bases.map(({ base }) => base)]
}
