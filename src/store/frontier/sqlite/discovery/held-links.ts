// Links held back because their URL pattern may be a trap, and the ancestry that pages pass on to their children. Held
// links enter the ledger when nothing else of the crawl is open: the next lease request then judges each pattern by its
// trials.

import type { DatabaseSync } from 'node:sqlite'
import {
  isFruitfulTrial,
  judgePattern,
  linksToApply,
  type PatternVerdict,
  splitHeldLinks,
  stateAfterVerdict,
} from '../../../../frontier/judge-pattern.ts'
import { PATTERN_STATE } from '../../../../ports/patterns.ts'
import type { FoundUrl, TrapFindings, VisitReport } from '../../../../ports/visits.ts'
import { encodeSkeletons } from '../../../encoding/ancestry.ts'
import { decodeFoundUrls, encodeFoundUrls } from '../../../encoding/found-urls.ts'
import type { Transactions } from '../../../sqlite/transactions.ts'
import { type ActiveCrawl, type ActiveCrawls, countCrawlPages } from '../crawl-state/active-crawls.ts'
import type { UrlDiscoverer } from './discover.ts'
import type { Patterns } from './patterns.ts'

export interface HeldLinksDependencies {
  db: DatabaseSync
  transactions: Transactions
  active: ActiveCrawls
  urlDiscoverer: UrlDiscoverer
  patterns: Patterns
}

/** Pages whose links are admitted or excluded per transaction, to keep it short. */
const CHUNK = 500

interface HeldPage {
  urlId: number
  host: number
  depth: number
  found: FoundUrl[]
}

export class HeldLinks {
  readonly #dependencies: HeldLinksDependencies
  readonly #save
  readonly #insertAncestry
  readonly #nextPages
  readonly #heldPatterns
  readonly #delete
  readonly #setTrial
  readonly #depth
  readonly #insertLine

  constructor(dependencies: HeldLinksDependencies) {
    this.#dependencies = dependencies
    const { db } = dependencies
    this.#save = db.prepare('insert or replace into held_links (url_id, crawl, pattern, found) values (?, ?, ?, ?)')
    this.#insertAncestry = db.prepare('insert or replace into ancestry (url_id, host, skeletons) values (?, ?, ?)')
    this.#heldPatterns = db.prepare('select distinct pattern from held_links where crawl = ?')
    // By key: the same links are tried first, no matter in which order they were found.
    this.#nextPages = db.prepare(
      `select h.url_id, h.found, u.host, u.depth from held_links h join urls u on u.id = h.url_id
       where h.crawl = ? and h.pattern = ? order by u.key limit ${CHUNK}`,
    )
    this.#depth = db.prepare('select depth from urls where id = ?')
    this.#insertLine = db.prepare('insert or ignore into pattern_lines (crawl, pattern, line) values (?, ?, ?)')
    this.#delete = db.prepare('delete from held_links where url_id = ?')
    this.#setTrial = db.prepare(
      `insert into ancestry (url_id, host, trial) values (?, ?, ?)
       on conflict (url_id) do update set trial = excluded.trial`,
    )
  }

  /** Saves the held links of a visit and the ancestry of its children. */
  record(crawl: ActiveCrawl, urlId: number, hostId: number, { skeletons, held, lineHashes }: TrapFindings): void {
    if (skeletons.length > 0) this.#insertAncestry.run(urlId, hostId, encodeSkeletons(skeletons))
    if (held === null) return
    const { pattern, found } = held
    this.#save.run(urlId, crawl.rowId, pattern, encodeFoundUrls(found))
    this.#addLines(crawl, pattern, lineHashes)
    this.#dependencies.patterns.record(crawl, [{ pattern, state: PATTERN_STATE.suspected, visits: 0, fruitless: 0 }])
    crawl.hasHeldLinks = true
  }

  /** Called when nothing of the crawl is open or in flight. */
  judge(crawl: ActiveCrawl, now: number): void {
    const { transactions, active, patterns } = this.#dependencies
    transactions.run(() => {
      const good = countCrawlPages(crawl) - patterns.countFruitless(crawl)
      for (const { pattern } of this.#heldPatterns.all(crawl.rowId)) {
        const known = patterns.find(crawl, String(pattern))
        const verdict = judgePattern(known, good)
        this.#applyVerdict(crawl, known.pattern, verdict, now)
        const state = stateAfterVerdict(verdict)
        if (state !== known.state) patterns.record(crawl, [{ pattern: known.pattern, state, visits: 0, fruitless: 0 }])
      }
      crawl.hasHeldLinks = this.#heldPatterns.get(crawl.rowId) !== undefined
      active.save(crawl, now)
    })
  }

  #applyVerdict(crawl: ActiveCrawl, pattern: string, verdict: PatternVerdict, now: number): void {
    let room = linksToApply(verdict)
    for (const row of this.#nextPages.all(crawl.rowId, pattern)) {
      if (room <= 0) return
      // A link of an earlier page may have lowered its depth.
      const page = { ...toHeldPage(row), depth: Number(this.#depth.get(Number(row['url_id']))?.['depth']) }
      const { taken, rest } = splitHeldLinks(page.found, room)
      room -= taken.length
      if (verdict.kind === 'admit') this.#admit(crawl, pattern, { ...page, found: taken }, now)
      else this.#exclude(crawl, pattern, { ...page, found: taken }, now)
      if (rest.length === 0) this.#delete.run(page.urlId)
      else this.#save.run(page.urlId, crawl.rowId, pattern, encodeFoundUrls(rest))
    }
  }

  #admit(crawl: ActiveCrawl, pattern: string, { urlId, host, depth, found }: HeldPage, now: number): void {
    this.#setTrial.run(urlId, host, pattern)
    const path = { parent: urlId, depth: depth + 1, hops: 0 }
    for (const link of found) this.#dependencies.urlDiscoverer.add(crawl, link, path, now)
  }

  #exclude(crawl: ActiveCrawl, pattern: string, { urlId, depth, found }: HeldPage, now: number): void {
    const path = { parent: urlId, depth: depth + 1, hops: 0 }
    for (const link of found)
      this.#dependencies.urlDiscoverer.addExcluded(crawl, link, path, { reason: `trap:${pattern}`, now })
  }

  /** Counts a visit on trial as fruitful or not. */
  recordTrial(crawl: ActiveCrawl, pattern: string, visit: VisitReport, addedUrls: number): void {
    if (visit.outcome.state === 'redirected') return
    const lines = this.#addLines(crawl, pattern, visit.traps?.lineHashes ?? [])
    const fruitless = isFruitfulTrial(visit, { lines, urls: addedUrls }) ? 0 : 1
    this.#dependencies.patterns.record(crawl, [{ pattern, state: PATTERN_STATE.suspected, visits: 1, fruitless }])
  }

  /** Returns how many are new to the pattern. */
  #addLines(crawl: ActiveCrawl, pattern: string, lines: readonly number[]): number {
    let added = 0
    for (const line of lines) added += Number(this.#insertLine.run(crawl.rowId, pattern, line).changes)
    return added
  }
}

function toHeldPage(row: Record<string, unknown>): HeldPage {
  const found = decodeFoundUrls(String(row['found']))
  return { urlId: Number(row['url_id']), host: Number(row['host']), depth: Number(row['depth']), found }
}
