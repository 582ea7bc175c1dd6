// Progress of the trials of each pattern (frontier/judge-pattern.ts).

import type { EvaluatedTrials } from '../../../../frontier/evaluate-trials.ts'
import { NO_GENERATION, type TrialPhase, type TrialProgress } from '../../../../frontier/judge-pattern.ts'
import type { PatternReport } from '../../../../ports/patterns.ts'
import type { Queryable } from '../../../postgres/query.ts'

const READ = { name: 'trial_progress', text: 'select * from pattern_trials where crawl = $1' }
const COUNT_ADMITTED = {
  name: 'trial_progress_admitted',
  text: `insert into pattern_trials (crawl, pattern, admitted, base, latest, endless, fruitless_pages)
    select $1, t.pattern, t.admitted, t.base, ${NO_GENERATION}, ${NO_GENERATION}, 0
    from unnest($2::text[], $3::int[], $4::int[]) as t (pattern, admitted, base) order by t.pattern
    on conflict (crawl, pattern) do update set admitted = pattern_trials.admitted + excluded.admitted`,
}
const RAISE = {
  name: 'trial_progress_raise',
  text: `insert into pattern_trials (crawl, pattern, admitted, base, latest, endless, fruitless_pages, fruitful)
    select $1, t.pattern, 0, t.latest - 1, t.latest, t.endless, t.fruitless_pages, t.fruitful
    from unnest($2::text[], $3::int[], $4::int[], $5::int[], $6::int[])
      as t (pattern, latest, endless, fruitless_pages, fruitful) order by t.pattern
    on conflict (crawl, pattern) do update set
      latest = greatest(pattern_trials.latest, excluded.latest),
      endless = greatest(pattern_trials.endless, excluded.endless),
      fruitless_pages = pattern_trials.fruitless_pages + excluded.fruitless_pages,
      fruitful = greatest(pattern_trials.fruitful, excluded.fruitful)`,
}
const SET_BASES = {
  name: 'trial_progress_bases',
  text: `update pattern_trials p set phase = 'trying', base = t.base, latest = t.base, fruitful = ${NO_GENERATION},
      endless = ${NO_GENERATION}
    from unnest($2::text[], $3::int[]) as t (pattern, base)
    where p.crawl = $1 and p.pattern = t.pattern`,
}
const BEGIN_PHASES = {
  name: 'trial_progress_phases',
  text: `insert into pattern_trials (crawl, pattern, phase, endless_paths, visits_before, fruitless_before, admitted, base,
      latest, endless, fruitless_pages)
    select $1, t.*, 0, 0, 0, ${NO_GENERATION}, 0
    from unnest($2::text[], $3::text[], $4::int[], $5::int[], $6::int[])
      as t (pattern, phase, endless_paths, visits, fruitless) order by t.pattern
    on conflict (crawl, pattern) do update set phase = excluded.phase, endless_paths = excluded.endless_paths,
      visits_before = excluded.visits_before, fruitless_before = excluded.fruitless_before`,
}

interface PatternBase {
  pattern: string
  base: number
}

interface AdmittedLinks extends PatternBase {
  admitted: number
}

type PhaseOfPattern = Pick<PatternReport, 'pattern' | 'visits' | 'fruitless'> &
  Pick<TrialProgress, 'phase' | 'endlessPaths'>

export interface CrawlTrials {
  byPattern: Map<string, TrialProgress>
  /** Sum over all patterns. */
  fruitlessPages: number
}

export async function readTrialProgress(tx: Queryable, crawl: number): Promise<CrawlTrials> {
  const { rows } = await tx.query({ ...READ, values: [crawl] })
  return {
    byPattern: new Map(
      rows.map((row) => {
        const [admitted, base] = [Number(row['admitted']), Number(row['base'])]
        const [latest, fruitful, endless] = [Number(row['latest']), Number(row['fruitful']), Number(row['endless'])]
        const paths = { phase: row['phase'] as TrialPhase, endlessPaths: Number(row['endless_paths']) }
        const before = {
          visitsBefore: Number(row['visits_before']),
          fruitlessBefore: Number(row['fruitless_before']),
        }
        return [String(row['pattern']), { ...paths, ...before, admitted, base, latest, fruitful, endless }]
      }),
    ),
    fruitlessPages: rows.reduce((sum, row) => sum + Number(row['fruitless_pages']), 0),
  }
}

/** One entry per pattern. Its base has no effect if its trials have already started. */
export async function countAdmitted(tx: Queryable, crawl: number, links: readonly AdmittedLinks[]): Promise<void> {
  if (links.length === 0) return
  const lists = [
    links.map(({ pattern }) => pattern),
    links.map(({ admitted }) => admitted),
    links.map(({ base }) => base),
  ]
  await tx.query({ ...COUNT_ADMITTED, values: [crawl, ...lists] })
}

export async function raiseProgress(tx: Queryable, crawl: number, trials: readonly EvaluatedTrials[]): Promise<void> {
  const visited = trials.filter(({ latest }) => latest !== NO_GENERATION)
  if (visited.length === 0) return
  const lists = [
    visited.map(({ pattern }) => pattern),
    visited.map(({ latest }) => latest),
    visited.map(({ endless }) => endless),
    visited.map(({ fruitlessPages }) => fruitlessPages),
    visited.map(({ fruitful }) => fruitful),
  ]
  await tx.query({ ...RAISE, values: [crawl, ...lists] })
}

/** Sets the position at which the next path of these patterns begins. */
export async function setTrialBases(tx: Queryable, crawl: number, ended: readonly PatternBase[]): Promise<void> {
  if (ended.length === 0) return
  const lists = [ended.map(({ pattern }) => pattern), ended.map(({ base }) => base)]
  await tx.query({ ...SET_BASES, values: [crawl, ...lists] })
}

export async function beginPhases(tx: Queryable, crawl: number, phases: readonly PhaseOfPattern[]): Promise<void> {
  if (phases.length === 0) return
  const lists = [
    phases.map(({ pattern }) => pattern),
    phases.map(({ phase }) => phase),
    phases.map(({ endlessPaths }) => endlessPaths),
    phases.map(({ visits }) => visits),
    phases.map(({ fruitless }) => fruitless),
  ]
  await tx.query({ ...BEGIN_PHASES, values: [crawl, ...lists] })
}
