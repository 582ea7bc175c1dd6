// Stores the states of URL patterns that may be traps (see ports/patterns.ts) and the results of their trials; what they
// mean is decided in src/frontier/judge-pattern.ts. Changes are sent to threads with their leases.

import type { DatabaseSync } from 'node:sqlite'
import { mergeStates } from '../../../../frontier/judge-pattern.ts'
import { PATTERN_STATE, type PatternReport, type PatternRow, type PatternState } from '../../../../ports/patterns.ts'
import { TRAP_REASON } from '../../../encoding/state-codes.ts'
import type { ActiveCrawl } from '../crawl-state/active-crawls.ts'

interface KnownPattern {
  state: PatternState
  visits: number
  fruitless: number
  version: number
}

interface CrawlPatterns {
  patterns: Map<string, KnownPattern>
  version: number
}

export class Patterns {
  readonly #byCrawl = new Map<number, CrawlPatterns>()
  readonly #select
  readonly #save

  constructor(db: DatabaseSync) {
    this.#select = db.prepare('select pattern, state, visits, fruitless from patterns where crawl = ?')
    this.#save = db.prepare(
      'insert or replace into patterns (crawl, pattern, state, visits, fruitless) values (?, ?, ?, ?, ?)',
    )
  }

  record(crawl: ActiveCrawl, reports: PatternReport[]): void {
    if (reports.length === 0) return
    const crawlPatterns = this.#patternsOf(crawl)
    crawlPatterns.version += 1
    for (const { pattern, state, visits, fruitless } of reports) {
      const knownPattern = crawlPatterns.patterns.get(pattern) ?? { state, visits: 0, fruitless: 0, version: 0 }
      knownPattern.visits += visits
      knownPattern.fruitless += fruitless
      knownPattern.state = mergeStates(knownPattern.state, state)
      knownPattern.version = crawlPatterns.version
      crawlPatterns.patterns.set(pattern, knownPattern)
      this.#save.run(crawl.rowId, pattern, knownPattern.state, knownPattern.visits, knownPattern.fruitless)
    }
  }

  has(crawl: ActiveCrawl, pattern: string): boolean {
    return this.#patternsOf(crawl).patterns.has(pattern)
  }

  find(crawl: ActiveCrawl, pattern: string): PatternReport {
    const known = this.#patternsOf(crawl).patterns.get(pattern)
    return {
      pattern,
      state: known?.state ?? PATTERN_STATE.suspected,
      visits: known?.visits ?? 0,
      fruitless: known?.fruitless ?? 0,
    }
  }

  release(crawl: ActiveCrawl, pattern: string): void {
    this.record(crawl, [{ pattern, state: 'released', visits: 0, fruitless: 0 }])
  }

  changesSince(crawl: ActiveCrawl, version: number): { patterns: PatternReport[]; patternsVersion: number } {
    const crawlPatterns = this.#patternsOf(crawl)
    const patterns: PatternReport[] = []
    // The version comes from before the store was reopened.
    if (crawlPatterns.version < version) version = 0
    if (crawlPatterns.version > version) {
      for (const [pattern, { version: changed, ...known }] of crawlPatterns.patterns) {
        if (changed > version) patterns.push({ pattern, ...known })
      }
    }
    return { patterns, patternsVersion: crawlPatterns.version }
  }

  /** Called when the rows of the crawl are gone and its id may be reused. */
  unload(crawl: ActiveCrawl): void {
    this.#byCrawl.delete(crawl.rowId)
  }

  #patternsOf(crawl: ActiveCrawl): CrawlPatterns {
    const known = this.#byCrawl.get(crawl.rowId)
    if (known !== undefined) return known
    const crawlPatterns: CrawlPatterns = { patterns: new Map(), version: 1 }
    for (const row of this.#select.iterate(crawl.rowId)) {
      crawlPatterns.patterns.set(String(row['pattern']), { ...toReport(row), version: 1 })
    }
    this.#byCrawl.set(crawl.rowId, crawlPatterns)
    return crawlPatterns
  }
}

function toReport(row: Record<string, unknown>): Omit<PatternReport, 'pattern'> {
  return {
    state: row['state'] as PatternState,
    visits: Number(row['visits']),
    fruitless: Number(row['fruitless']),
  }
}

/** The patterns of a crawl with the number of URLs excluded by each. Reads every excluded URL. */
export function listPatterns(db: DatabaseSync, crawl: number): PatternRow[] {
  const { excluded, proven, suspected, released } = PATTERN_STATE
  const rows = db
    .prepare(
      `select p.pattern, p.state, p.visits, p.fruitless, coalesce(s.n, 0) as excluded_urls, s.example from patterns p left join
         (select reason, count(*) as n, min(url) as example from urls
          where crawl = ?1 and reason like '${TRAP_REASON}%' group by reason) s
         on s.reason = '${TRAP_REASON}' || p.pattern
       where p.crawl = ?1 and (p.state in ('${excluded}', '${released}') or s.n > 0
         or p.pattern in (select h.pattern from held_urls h where h.crawl = ?1))
       order by instr('${excluded} ${proven} ${suspected} ${released}', p.state), excluded_urls desc, p.fruitless desc, p.pattern`,
    )
    .all(crawl)
  return rows.map((row) => ({
    pattern: String(row['pattern']),
    ...toReport(row),
    excludedUrls: Number(row['excluded_urls']),
    example: row['example'] as string | null,
  }))
}
