// How far the trials of each pattern have come (frontier/judge-pattern.ts).

import { NO_GENERATION, type TrialProgress } from '../../../../frontier/judge-pattern.ts'
import type { Queryable } from '../../../postgres/query.ts'

const READ = { name: 'pattern_trials', text: 'select * from pattern_trials where crawl = $1' }
const COUNT_ADMITTED = {
  name: 'pattern_trials_admitted',
  text: `insert into pattern_trials (crawl, pattern, admitted, base, latest, endless)
    select $1, t.pattern, t.admitted, t.base, ${NO_GENERATION}, ${NO_GENERATION}
    from unnest($2::text[], $3::int[], $4::int[]) as t (pattern, admitted, base) order by t.pattern
    on conflict (crawl, pattern) do update set admitted = pattern_trials.admitted + excluded.admitted`,
}
/** Ordered, so that two commits do not deadlock. There is no row if the crawl has ended since the trials began. */
const RAISE = {
  name: 'pattern_trials_raise',
  text: `insert into pattern_trials (crawl, pattern, admitted, base, latest, endless)
    select $1, t.pattern, 0, min(t.latest) - 1, max(t.latest), max(t.endless)
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

interface PatternBase {
  pattern: string
  base: number
}

interface AdmittedLinks extends PatternBase {
  admitted: number
}

export async function readTrialProgress(tx: Queryable, crawl: number): Promise<Map<string, TrialProgress>> {
  const { rows } = await tx.query({ ...READ, values: [crawl] })
  return new Map(
    rows.map((row) => {
      const [admitted, base] = [Number(row['admitted']), Number(row['base'])]
      const [latest, endless] = [Number(row['latest']), Number(row['endless'])]
      return [String(row['pattern']), { admitted, base, latest, endless }]
    }),
  )
}

/** One entry per pattern. Its base has no effect if its trials have begun. */
export async function countAdmitted(tx: Queryable, crawl: number, links: readonly AdmittedLinks[]): Promise<void> {
  if (links.length === 0) return
  const lists = [
    links.map(({ pattern }) => pattern),
    links.map(({ admitted }) => admitted),
    links.map(({ base }) => base),
  ]
  await tx.query({ ...COUNT_ADMITTED, values: [crawl, ...lists] })
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
  const lists = [ended.map(({ pattern }) => pattern), ended.map(({ base }) => base)]
  await tx.query({ ...SET_BASES, values: [crawl, ...lists] })
}
