// Links held back because their URL pattern may be a trap, and the ancestry that pages pass on to their children. Held
// links enter the ledger when nothing else of the crawl is open: the next lease request then judges each pattern by its
// trials.

import type { DatabaseSync } from 'node:sqlite'
import {
  chooseAdmitted,
  type HeldLink,
  hasPattern,
  isFruitfulTrial,
  judgeGrowth,
  judgePattern,
  NO_GENERATION,
  type PatternVerdict,
  stateAfterVerdict,
  type TrialGenerations,
} from '../../../../frontier/judge-pattern.ts'
import { PATTERN_STATE, type PatternReport } from '../../../../ports/patterns.ts'
import type { TrapFindings, VisitReport } from '../../../../ports/visits.ts'
import { encodeSkeletons, generationIn, type UrlTrial } from '../../../encoding/ancestry.ts'
import { decodeFoundUrls, encodeFoundUrls } from '../../../encoding/found-urls.ts'
import { TRAP_REASON } from '../../../encoding/state-codes.ts'
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

/** A page that has been visited. */
interface VisitedPage {
  id: number
  hostId: number
}

interface HeldLinkOfPage extends HeldLink {
  pageId: number
}

/** Patterns per transaction, and links of each, to keep it short. */
const MAX_PATTERNS = 100
const MAX_LINKS = 500

export class HeldLinks {
  readonly #dependencies: HeldLinksDependencies
  readonly #hold
  readonly #insertAncestry
  readonly #nextLinks
  readonly #heldPatterns
  readonly #delete
  readonly #setTrial
  readonly #page
  readonly #insertLine
  readonly #isKnown
  readonly #trials
  readonly #beginTrials
  readonly #setBase
  readonly #raiseTrials

  constructor(dependencies: HeldLinksDependencies) {
    this.#dependencies = dependencies
    const { db } = dependencies
    const depthOf = (row: string) => `(select depth from urls where id = ${row}.url_id)`
    this.#hold = db.prepare(
      `insert into held_urls (crawl, pattern, key, url_id, generation, has_pattern, found) values (?, ?, ?, ?, ?, ?, ?)
       on conflict do update set url_id = excluded.url_id, generation = excluded.generation
       where excluded.generation < generation
         or excluded.generation = generation and ${depthOf('excluded')} < ${depthOf('held_urls')}`,
    )
    this.#insertAncestry = db.prepare(
      `insert into ancestry (url_id, host, skeletons) values (?, ?, ?)
       on conflict (url_id) do update set skeletons = excluded.skeletons`,
    )
    this.#heldPatterns = db.prepare(
      `select p.pattern from patterns p where p.crawl = ?
         and exists (select 1 from held_urls h where h.crawl = p.crawl and h.pattern = p.pattern)
       order by p.pattern limit ?`,
    )
    // The same links are tried, no matter in which order they were found.
    this.#nextLinks = db.prepare(
      `select url_id, generation, has_pattern, found from held_urls where crawl = ? and pattern = ? and has_pattern = ?
       order by generation desc, key limit ${MAX_LINKS}`,
    )
    this.#page = db.prepare('select host, depth from urls where id = ?')
    this.#insertLine = db.prepare('insert or ignore into pattern_lines (crawl, pattern, line) values (?, ?, ?)')
    this.#delete = db.prepare('delete from held_urls where crawl = ? and pattern = ? and key = ?')
    this.#isKnown = db.prepare('select 1 from urls where crawl = ? and key = ?')
    this.#setTrial = db.prepare(
      `insert into ancestry (url_id, host, trial, generation) values (?, ?, ?, ?)
       on conflict (url_id) do update set trial = excluded.trial, generation = excluded.generation`,
    )
    this.#trials = db.prepare('select base, latest, endless from pattern_trials where crawl = ? and pattern = ?')
    this.#beginTrials = db.prepare(
      `insert or ignore into pattern_trials (crawl, pattern, base, latest, endless) values (?, ?, ?, ${NO_GENERATION}, ${NO_GENERATION})`,
    )
    this.#setBase = db.prepare('update pattern_trials set base = ? where crawl = ? and pattern = ?')
    this.#raiseTrials = db.prepare(
      `insert into pattern_trials (crawl, pattern, base, latest, endless) values (?, ?, ?, ?, ?)
       on conflict do update set latest = max(latest, excluded.latest), endless = max(endless, excluded.endless)`,
    )
  }

  /** Saves the held links of a visit and the ancestry of its children. `trial`: what the page itself is on trial for. */
  record(
    crawl: ActiveCrawl,
    page: VisitedPage,
    { skeletons, held, lineHashes }: TrapFindings,
    trial: UrlTrial | null,
  ): void {
    if (skeletons.length > 0) this.#insertAncestry.run(page.id, page.hostId, encodeSkeletons(skeletons))
    if (held === null) return
    const { pattern, found } = held
    const generation = generationIn(pattern, trial)
    for (const link of found) {
      const isOfPattern = hasPattern(link, pattern) ? 1 : 0
      this.#hold.run(crawl.rowId, pattern, link.key, page.id, generation, isOfPattern, encodeFoundUrls([link]))
    }
    this.#addLines(crawl, pattern, lineHashes)
    this.#dependencies.patterns.record(crawl, [{ pattern, state: PATTERN_STATE.suspected, visits: 0, fruitless: 0 }])
    crawl.hasHeldLinks = true
  }

  /** Called when nothing of the crawl is open or in flight. Judges some patterns; the next lease request does the rest. */
  judge(crawl: ActiveCrawl, now: number): void {
    const { transactions, active, patterns } = this.#dependencies
    transactions.run(() => {
      const good = countCrawlPages(crawl) - patterns.countFruitless(crawl)
      const judged = this.#heldPatterns.all(crawl.rowId, MAX_PATTERNS).map(({ pattern }) => {
        const report = patterns.find(crawl, String(pattern))
        const held = this.#nextHeld(crawl, report.pattern)
        return { report, held, verdict: judgePattern(report, good) ?? this.#judgeGrowth(crawl, report, held, good) }
      })
      // A link that several patterns hold is visited if one of them admits it.
      for (const { report, held, verdict } of judged)
        if (verdict.kind === 'admit') this.#admit(crawl, report, { held, verdict }, now)
      for (const { report, held, verdict } of judged)
        if (verdict.kind === 'exclude') this.#exclude(crawl, report, held, now)
      patterns.record(
        crawl,
        judged.flatMap(({ report: { pattern, state: before }, verdict }) => {
          const state = stateAfterVerdict(verdict)
          return state === before ? [] : [{ pattern, state, visits: 0, fruitless: 0 }]
        }),
      )
      crawl.hasHeldLinks = this.#heldPatterns.get(crawl.rowId, 1) !== undefined
      active.save(crawl, now)
    })
  }

  #judgeGrowth(crawl: ActiveCrawl, report: PatternReport, held: HeldLinkOfPage[], goodPages: number): PatternVerdict {
    const row = this.#trials.get(crawl.rowId, report.pattern)
    const trialGenerations: TrialGenerations = {
      base: Number(row?.['base'] ?? NO_GENERATION),
      latest: Number(row?.['latest'] ?? NO_GENERATION),
      endless: Number(row?.['endless'] ?? NO_GENERATION),
    }
    const unknown = held.filter(({ link: { key } }) => !this.#isKnownKey(crawl, key))
    return judgeGrowth(report, trialGenerations, { unknown, goodPages })
  }

  #admit(
    crawl: ActiveCrawl,
    { pattern }: PatternReport,
    { held, verdict }: { held: HeldLinkOfPage[]; verdict: PatternVerdict & { kind: 'admit' } },
    now: number,
  ): void {
    if (verdict.newBase !== undefined) this.#setBase.run(verdict.newBase, crawl.rowId, pattern)
    for (const { pageId, generation, link } of chooseAdmitted(verdict, held, (key) => this.#isKnownKey(crawl, key))) {
      const { host, depth } = this.#pageOf(pageId)
      this.#beginTrials.run(crawl.rowId, pattern, generation)
      this.#setTrial.run(pageId, host, pattern, generation + 1)
      // A link that the crawl knows by now may get a shorter path.
      this.#dependencies.urlDiscoverer.addHeld(crawl, link, { parent: pageId, depth: depth + 1, hops: 0 }, now)
      this.#delete.run(crawl.rowId, pattern, link.key)
    }
  }

  #exclude(crawl: ActiveCrawl, { pattern }: PatternReport, held: HeldLinkOfPage[], now: number): void {
    for (const { pageId, link } of held) {
      const path = { parent: pageId, depth: this.#pageOf(pageId).depth + 1, hops: 0 }
      const isNew = this.#dependencies.urlDiscoverer.addExcluded(crawl, link, path, {
        reason: TRAP_REASON + pattern,
        now,
      })
      if (!isNew) this.#dependencies.urlDiscoverer.addHeld(crawl, link, path, now)
      this.#delete.run(crawl.rowId, pattern, link.key)
    }
  }

  /** As it is now: links of other pages may have lowered its depth. */
  #pageOf(pageId: number): { host: number; depth: number } {
    const row = this.#page.get(pageId)
    return { host: Number(row?.['host']), depth: Number(row?.['depth']) }
  }

  #nextHeld(crawl: ActiveCrawl, pattern: string): HeldLinkOfPage[] {
    return [1, 0].flatMap((ofPattern) =>
      this.#nextLinks.all(crawl.rowId, pattern, ofPattern).flatMap(({ url_id, generation, found }) =>
        decodeFoundUrls(String(found)).map((link) => {
          return { pageId: Number(url_id), generation: Number(generation), hasPattern: ofPattern === 1, link }
        }),
      ),
    )
  }

  #isKnownKey(crawl: ActiveCrawl, key: bigint): boolean {
    return this.#isKnown.get(crawl.rowId, key) !== undefined
  }

  /** Counts a visit on trial as fruitful or not. */
  recordTrial(
    crawl: ActiveCrawl,
    { pattern, generation }: UrlTrial,
    page: VisitedPage,
    visit: VisitReport,
    addedUrls: number,
  ): void {
    const { outcome, traps } = visit
    // Its target is on trial instead.
    if (outcome.state === 'redirected') return void this.#setTrial.run(page.id, page.hostId, pattern, generation)
    if (outcome.state === 'visited') {
      const endless = traps?.hasEndlessPaths === true ? generation : NO_GENERATION
      this.#raiseTrials.run(crawl.rowId, pattern, generation - 1, generation, endless)
    }
    const lines = this.#addLines(crawl, pattern, traps?.lineHashes ?? [])
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
