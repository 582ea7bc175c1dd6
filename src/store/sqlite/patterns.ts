// Patterns of urls that may be traps (see ports/patterns.ts), with what their trials brought; passed on to workers.

import type { DatabaseSync } from 'node:sqlite'
import type { PatternReport, PatternRow, PatternState } from '../../ports/patterns.ts'
import type { ActiveCrawl } from './active-crawl.ts'

interface Known {
  state: PatternState
  visits: number
  fruitless: number
  version: number
}

interface Board {
  patterns: Map<string, Known>
  version: number
}

/** A verdict is not taken back: open and capped stay, and so does what its owner released. */
const STRENGTH: Record<PatternState, number> = { slowed: 0, open: 1, capped: 1, released: 2 }

export class Patterns {
  readonly #boards = new Map<number, Board>()
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
    const board = this.#boardOf(crawl)
    board.version += 1
    for (const { pattern, state, visits, fruitless } of reports) {
      const known = board.patterns.get(pattern) ?? { state, visits: 0, fruitless: 0, version: 0 }
      known.visits += visits
      known.fruitless += fruitless
      if (STRENGTH[state] >= STRENGTH[known.state]) known.state = state
      known.version = board.version
      board.patterns.set(pattern, known)
      this.#save.run(crawl.rowId, pattern, known.state, known.visits, known.fruitless)
    }
  }

  knows(crawl: ActiveCrawl, pattern: string): boolean {
    return this.#boardOf(crawl).patterns.has(pattern)
  }

  find(crawl: ActiveCrawl, pattern: string): PatternReport {
    const known = this.#boardOf(crawl).patterns.get(pattern)
    return { pattern, state: known?.state ?? 'slowed', visits: known?.visits ?? 0, fruitless: known?.fruitless ?? 0 }
  }

  /** Over all patterns. */
  fruitlessOf(crawl: ActiveCrawl): number {
    return this.#boardOf(crawl)
      .patterns.values()
      .reduce((sum, { fruitless }) => sum + fruitless, 0)
  }

  release(crawl: ActiveCrawl, pattern: string): void {
    this.record(crawl, [{ pattern, state: 'released', visits: 0, fruitless: 0 }])
  }

  since(crawl: ActiveCrawl, version: number): { patterns: PatternReport[]; patternsVersion: number } {
    const board = this.#boardOf(crawl)
    const patterns: PatternReport[] = []
    // A higher one is of before the store was opened anew.
    if (board.version < version) version = 0
    if (board.version > version) {
      for (const [pattern, { version: changed, ...known }] of board.patterns) {
        if (changed > version) patterns.push({ pattern, ...known })
      }
    }
    return { patterns, patternsVersion: board.version }
  }

  /** Its rows are gone, and its number may be given anew. */
  forget(crawl: ActiveCrawl): void {
    this.#boards.delete(crawl.rowId)
  }

  #boardOf(crawl: ActiveCrawl): Board {
    const known = this.#boards.get(crawl.rowId)
    if (known !== undefined) return known
    const board: Board = { patterns: new Map(), version: 1 }
    for (const row of this.#select.iterate(crawl.rowId)) {
      board.patterns.set(String(row['pattern']), { ...toReport(row), version: 1 })
    }
    this.#boards.set(crawl.rowId, board)
    return board
  }
}

function toReport(row: Record<string, unknown>): Omit<PatternReport, 'pattern'> {
  return {
    state: row['state'] as PatternState,
    visits: Number(row['visits']),
    fruitless: Number(row['fruitless']),
  }
}

/** With what each has saved, the costliest first. Reads every excluded url. */
export function listPatterns(db: DatabaseSync, crawl: number): PatternRow[] {
  const rows = db
    .prepare(
      `select p.pattern, p.state, p.visits, p.fruitless, coalesce(s.n, 0) as saved, s.example from patterns p left join
         (select reason, count(*) as n, min(url) as example from urls
          where crawl = ?1 and reason like 'trap:%' group by reason) s
         on s.reason = 'trap:' || p.pattern
       where p.crawl = ?1 and (p.state in ('capped', 'released')
         or p.pattern in (select h.pattern from held_links h where h.crawl = ?1))
       order by instr('capped slowed released', p.state), saved desc, p.fruitless desc, p.pattern`,
    )
    .all(crawl)
  return rows.map((row) => ({
    pattern: String(row['pattern']),
    ...toReport(row),
    saved: Number(row['saved']),
    example: row['example'] as string | null,
  }))
}
