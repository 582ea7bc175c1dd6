// Links held back as a possible trap, and what pages pass on to the urls they lead to. The links enter the ledger when
// nothing else of the crawl is open: whoever asks for work then judges the patterns, each by what its trials brought.

import type { DatabaseSync } from 'node:sqlite'
import type { FoundUrl, TrapFindings, VisitReport } from '../../ports/frontier.ts'
import { fromLines, toLines } from '../rows/found-urls.ts'
import { isFruitful, judgePattern, type PatternVerdict } from '../rows/judge-pattern.ts'
import { writeSkeletons } from '../rows/skeletons.ts'
import type { ActiveCrawl, ActiveCrawls } from './active-crawl.ts'
import type { Discover } from './discover.ts'
import type { Patterns } from './patterns.ts'
import type { Transactions } from './transaction.ts'

export interface HeldLinksParts {
  db: DatabaseSync
  transactions: Transactions
  active: ActiveCrawls
  discover: Discover
  patterns: Patterns
}

/** Pages whose links are let in or excluded per transaction, so that nothing else waits long. */
const CHUNK = 500

interface HeldPage {
  urlId: number
  host: number
  depth: number
  found: FoundUrl[]
}

export class HeldLinks {
  readonly #parts: HeldLinksParts
  readonly #keep
  readonly #insertAncestry
  readonly #some
  readonly #families
  readonly #delete
  readonly #setTrial
  readonly #insertLine

  constructor(parts: HeldLinksParts) {
    this.#parts = parts
    const { db } = parts
    this.#keep = db.prepare('insert or replace into held_links (url_id, crawl, pattern, found) values (?, ?, ?, ?)')
    this.#insertAncestry = db.prepare('insert or replace into ancestry (url_id, host, skeletons) values (?, ?, ?)')
    this.#families = db.prepare('select pattern, count(*) as pages from held_links where crawl = ? group by pattern')
    // By key: the same links are tried first whoever found them first.
    this.#some = db.prepare(
      `select h.url_id, h.found, u.host, u.depth from held_links h join urls u on u.id = h.url_id
       where h.crawl = ? and h.pattern = ? order by u.key limit ${CHUNK}`,
    )
    this.#insertLine = db.prepare('insert or ignore into pattern_lines (crawl, pattern, line) values (?, ?, ?)')
    this.#delete = db.prepare('delete from held_links where url_id = ?')
    this.#setTrial = db.prepare(
      `insert into ancestry (url_id, host, trial) values (?, ?, ?)
       on conflict (url_id) do update set trial = excluded.trial`,
    )
  }

  /** What a visit holds back, and what its children inherit. */
  record(crawl: ActiveCrawl, urlId: number, hostId: number, { skeletons, held, lines }: TrapFindings): void {
    if (skeletons.length > 0) this.#insertAncestry.run(urlId, hostId, writeSkeletons(skeletons))
    if (held === null) return
    const { pattern, found } = held
    this.#keep.run(urlId, crawl.rowId, pattern, toLines(found))
    this.#addLines(crawl, pattern, lines)
    this.#parts.patterns.record(crawl, [{ pattern, state: 'slowed', visits: 0, fruitless: 0 }])
    crawl.hasHeld = true
  }

  /** Called when nothing of the crawl is open or in flight. */
  judge(crawl: ActiveCrawl, now: number): void {
    const { transactions, active, patterns } = this.#parts
    transactions.run(() => {
      const good = crawl.ended.visited - patterns.fruitlessOf(crawl)
      for (const { pattern } of this.#families.all(crawl.rowId)) {
        const known = patterns.find(crawl, String(pattern))
        const verdict = judgePattern(known, good)
        this.#carryOut(crawl, known.pattern, verdict, now)
        const state = verdict.kind === 'exclude' ? 'capped' : verdict.isProven ? 'open' : 'slowed'
        if (state !== known.state) patterns.record(crawl, [{ pattern: known.pattern, state, visits: 0, fruitless: 0 }])
      }
      crawl.hasHeld = this.#families.get(crawl.rowId) !== undefined
      active.save(crawl, now)
    })
  }

  #carryOut(crawl: ActiveCrawl, pattern: string, verdict: PatternVerdict, now: number): void {
    let room = verdict.kind === 'exclude' ? Number.POSITIVE_INFINITY : verdict.links
    for (const page of this.#some.all(crawl.rowId, pattern).map(toHeldPage)) {
      if (room <= 0) return
      const links = page.found.sort(byKey)
      const rest = links.splice(Math.min(room, links.length))
      room -= links.length
      if (verdict.kind === 'let_in') this.#letIn(crawl, pattern, { ...page, found: links }, now)
      else this.#exclude(crawl, pattern, { ...page, found: links }, now)
      if (rest.length === 0) this.#delete.run(page.urlId)
      else this.#keep.run(page.urlId, crawl.rowId, pattern, toLines(rest))
    }
  }

  #letIn(crawl: ActiveCrawl, pattern: string, { urlId, host, depth, found }: HeldPage, now: number): void {
    this.#setTrial.run(urlId, host, pattern)
    const way = { parent: urlId, depth: depth + 1, hops: 0 }
    for (const link of found) this.#parts.discover.add(crawl, link, way, now)
  }

  #exclude(crawl: ActiveCrawl, pattern: string, { urlId, depth, found }: HeldPage, now: number): void {
    const way = { parent: urlId, depth: depth + 1, hops: 0 }
    for (const link of found) this.#parts.discover.addExcluded(crawl, link, way, { reason: `trap:${pattern}`, now })
  }

  /** Counts a visit on trial by what it brought. */
  recordTrial(crawl: ActiveCrawl, pattern: string, visit: VisitReport, addedUrls: number): void {
    if (visit.verdict.state === 'redirected') return
    const lines = this.#addLines(crawl, pattern, visit.traps?.lines ?? [])
    const fruitless = isFruitful(visit, { lines, urls: addedUrls }) ? 0 : 1
    this.#parts.patterns.record(crawl, [{ pattern, state: 'slowed', visits: 1, fruitless }])
  }

  /** Answers how many are new to the pattern. */
  #addLines(crawl: ActiveCrawl, pattern: string, lines: readonly number[]): number {
    let added = 0
    for (const line of lines) added += Number(this.#insertLine.run(crawl.rowId, pattern, line).changes)
    return added
  }
}

function byKey(a: FoundUrl, b: FoundUrl): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0
}

function toHeldPage(row: Record<string, unknown>): HeldPage {
  const found = fromLines(String(row['found']))
  return { urlId: Number(row['url_id']), host: Number(row['host']), depth: Number(row['depth']), found }
}
