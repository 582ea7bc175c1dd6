// Visits on trial for URL patterns, which are evaluated when the patterns are judged, and the progress of the trials
// (frontier/evaluate-trials.ts, judge-pattern.ts).

import type { DatabaseSync } from 'node:sqlite'
import { evaluateTrials, lineId, linesOf, type TrialVisit } from '../../../../frontier/evaluate-trials.ts'
import {
  NO_GENERATION,
  NO_TRIALS,
  type PatternTrial,
  type TrialPhase,
  type TrialProgress,
} from '../../../../frontier/judge-pattern.ts'
import type { PatternReport } from '../../../../ports/patterns.ts'
import type { VisitReport } from '../../../../ports/visits.ts'
import { decodeLinkKeys, encodeLinkKeys } from '../../../encoding/link-keys.ts'
import { QUEUED } from '../../../encoding/state-codes.ts'
import { decodeHashes, encodeHashes, encodeTrials } from '../../../encoding/trials.ts'
import type { ActiveCrawl } from '../crawl-state/active-crawls.ts'
import type { Patterns } from './patterns.ts'

/** Visits evaluated per transaction, to keep it short. */
const MAX_VISITS = 1000

export class Trials {
  readonly #patterns: Patterns
  readonly #setTrials
  readonly #insertLine
  readonly #insertVisit
  readonly #nextVisits
  readonly #links
  readonly #deleteVisit
  readonly #progress
  readonly #fruitlessPages
  readonly #countAdmitted
  readonly #setBase
  readonly #beginPhase
  readonly #raise

  constructor(db: DatabaseSync, patterns: Patterns) {
    this.#patterns = patterns
    this.#setTrials = db.prepare(
      `update urls set trials = ? where crawl = ? and key = ? and state = ${QUEUED} and trials is null`,
    )
    this.#insertLine = db.prepare('insert or ignore into pattern_lines (crawl, pattern, line) values (?, ?, ?)')
    this.#insertVisit = db.prepare(
      `insert or replace into trial_visits (crawl, url_id, pattern, generation, is_visited, is_endless, lines, added)
       values (?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    this.#nextVisits = db.prepare(
      `select t.* from trial_visits t join urls u on u.id = t.url_id where t.crawl = ? order by u.url limit ${MAX_VISITS}`,
    )
    this.#links = db.prepare('select targets from links where url_id = ?')
    this.#deleteVisit = db.prepare('delete from trial_visits where crawl = ? and url_id = ?')
    this.#progress = db.prepare('select * from pattern_trials where crawl = ? and pattern = ?')
    this.#fruitlessPages = db.prepare(
      'select coalesce(sum(fruitless_pages), 0) as pages from pattern_trials where crawl = ?',
    )
    const insertion =
      'insert into pattern_trials (crawl, pattern, admitted, base, latest, endless, fruitless_pages, fruitful)'
    this.#countAdmitted = db.prepare(
      `${insertion} values (?, ?, 1, ?, ${NO_GENERATION}, ${NO_GENERATION}, 0, ${NO_GENERATION})
       on conflict do update set admitted = admitted + 1`,
    )
    this.#setBase = db.prepare(
      `update pattern_trials set phase = 'trying', base = ?1, latest = ?1, fruitful = ${NO_GENERATION}, endless = ${NO_GENERATION}
       where crawl = ?2 and pattern = ?3`,
    )
    this.#beginPhase = db.prepare(
      `insert into pattern_trials (crawl, pattern, phase, endless_paths, visits_before, fruitless_before, admitted, base,
         latest, endless, fruitless_pages) values (?, ?, ?, ?, ?, ?, 0, 0, 0, ${NO_GENERATION}, 0)
       on conflict do update set phase = excluded.phase, endless_paths = excluded.endless_paths,
         visits_before = excluded.visits_before, fruitless_before = excluded.fruitless_before`,
    )
    this.#raise = db.prepare(
      `${insertion} values (?, ?, 0, ?, ?, ?, ?, ?)
       on conflict do update set latest = max(latest, excluded.latest), endless = max(endless, excluded.endless),
         fruitless_pages = fruitless_pages + excluded.fruitless_pages, fruitful = max(fruitful, excluded.fruitful)`,
    )
  }

  /** Puts a queued URL on trial. `generation` is the generation of the page with its link. */
  begin(crawl: ActiveCrawl, key: bigint, trials: readonly PatternTrial[]): void {
    this.#setTrials.run(encodeTrials(trials), crawl.rowId, key)
  }

  /** Counts a link that was admitted from a page of this generation. */
  countAdmitted(crawl: ActiveCrawl, pattern: string, generation: number): void {
    this.#countAdmitted.run(crawl.rowId, pattern, generation)
  }

  /** Sets the position at which the next path begins. */
  setBase(crawl: ActiveCrawl, pattern: string, base: number): void {
    this.#setBase.run(base, crawl.rowId, pattern)
  }

  beginPhase(
    crawl: ActiveCrawl,
    { pattern, visits, fruitless }: PatternReport,
    { phase, endlessPaths }: Pick<TrialProgress, 'phase' | 'endlessPaths'>,
  ): void {
    this.#beginPhase.run(crawl.rowId, pattern, phase, endlessPaths, visits, fruitless)
  }

  /** Saves a visit on trial. `added`: URLs that it added to the crawl. */
  record(
    crawl: ActiveCrawl,
    { id, trials }: { id: number; trials: readonly PatternTrial[] },
    visit: VisitReport,
    added: readonly bigint[],
  ): void {
    const [trial] = trials
    if (trial === undefined) return
    const { outcome, traps } = visit
    if (outcome.state === 'redirected') {
      // The redirect target is on trial instead, if it is new.
      for (const key of added) this.begin(crawl, key, trials)
      return
    }
    const lines = linesOf(visit)
    this.#insertVisit.run(
      crawl.rowId,
      id,
      trial.pattern,
      trial.generation,
      outcome.state === 'visited' ? 1 : 0,
      traps?.hasEndlessPaths === true ? 1 : 0,
      lines === null ? null : encodeHashes(lines),
      encodeLinkKeys(added),
    )
  }

  /** Adds lines to the known text of a pattern. Returns the lines that are new to it. */
  addLines(crawl: ActiveCrawl, pattern: string, lines: readonly number[]): number[] {
    return lines.filter((line) => this.#insertLine.run(crawl.rowId, pattern, line).changes > 0)
  }

  /** Evaluates some visits. Returns whether there may be more. */
  evaluate(crawl: ActiveCrawl): boolean {
    const rows = this.#nextVisits.all(crawl.rowId)
    const visits = rows.map((row): TrialVisit => {
      const lines = row['lines'] as Uint8Array | null
      return {
        pattern: String(row['pattern']),
        generation: Number(row['generation']),
        isVisited: row['is_visited'] === 1,
        isEndless: row['is_endless'] === 1,
        lines: lines === null ? null : decodeHashes(lines),
        added: [...decodeLinkKeys(row['added'])],
        links: [],
      }
    })
    if (visits.some(({ added }) => added.length > 0)) {
      for (const [i, visit] of visits.entries())
        visit.links = [...decodeLinkKeys(this.#links.get(Number(rows[i]?.['url_id']))?.['targets'])]
    }
    const newLines = new Set(
      visits.flatMap(({ pattern, lines }) =>
        this.addLines(crawl, pattern, lines ?? []).map((line) => lineId(pattern, line)),
      ),
    )
    const evaluated = evaluateTrials(visits, newLines)
    for (const { pattern, latest, fruitful, endless, fruitlessPages } of evaluated) {
      if (latest === NO_GENERATION) continue
      this.#raise.run(crawl.rowId, pattern, latest - 1, latest, endless, fruitlessPages, fruitful)
    }
    this.#patterns.record(crawl, evaluated)
    for (const row of rows) this.#deleteVisit.run(crawl.rowId, Number(row['url_id']))
    return rows.length === MAX_VISITS
  }

  progressOf(crawl: ActiveCrawl, pattern: string): TrialProgress {
    const row = this.#progress.get(crawl.rowId, pattern)
    if (row === undefined) return NO_TRIALS
    return {
      phase: row['phase'] as TrialPhase,
      endlessPaths: Number(row['endless_paths']),
      visitsBefore: Number(row['visits_before']),
      fruitlessBefore: Number(row['fruitless_before']),
      admitted: Number(row['admitted']),
      base: Number(row['base']),
      latest: Number(row['latest']),
      fruitful: Number(row['fruitful']),
      endless: Number(row['endless']),
    }
  }

  countFruitlessPages(crawl: ActiveCrawl): number {
    return Number(this.#fruitlessPages.get(crawl.rowId)?.['pages'])
  }
}
