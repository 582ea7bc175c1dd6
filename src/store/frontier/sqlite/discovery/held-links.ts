// Links held back because their URL pattern may be a trap, and the ancestry that pages pass on to their children. Held
// links enter the ledger when nothing else of the crawl is open: the next lease request then judges each pattern by its
// trials.

import type { DatabaseSync, StatementSync } from 'node:sqlite'
import {
  chooseAdmitted,
  generationIn,
  type HeldLink,
  hasPattern,
  isFruitfulTrial,
  judgePattern,
  keepsTrapped,
  latestHeldOf,
  NO_GENERATION,
  NO_TRIALS,
  nextTrials,
  type PatternTrial,
  type PatternVerdict,
  stateAfterVerdict,
  type TrialProgress,
} from '../../../../frontier/judge-pattern.ts'
import { PATTERN_STATE, type PatternReport } from '../../../../ports/patterns.ts'
import type { TrapFindings, VisitReport } from '../../../../ports/visits.ts'
import { decodeTrials, encodeSkeletons, encodeTrials } from '../../../encoding/ancestry.ts'
import { decodeFoundUrls, encodeFoundUrls } from '../../../encoding/found-urls.ts'
import { stateCode, TRAP_REASON } from '../../../encoding/state-codes.ts'
import type { Transactions } from '../../../sqlite/transactions.ts'
import { type ActiveCrawl, type ActiveCrawls, countCrawlPages } from '../crawl-state/active-crawls.ts'
import type { DiscoveryPath, UrlDiscoverer } from './discover.ts'
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
  pattern: string
  pageId: number
  /** Its URL is excluded with a trap. */
  isTrapped: boolean
}

/** Some held links of a pattern. */
interface HeldLinksOfPattern {
  report: PatternReport
  /** Those that the crawl does not know. */
  unknown: HeldLinkOfPage[]
  /** These may get a shorter path. */
  known: HeldLinkOfPage[]
}

type JudgedPattern<Verdict extends PatternVerdict = PatternVerdict> = HeldLinksOfPattern & { verdict: Verdict }
type AdmittedPattern = JudgedPattern<PatternVerdict & { kind: 'admit' }>

/** Patterns per transaction, and links of each that are known or not, with the pattern or without, to keep it short. */
const MAX_PATTERNS = 100
const MAX_LINKS = 500
const EXCLUDED = stateCode('excluded')

export class HeldLinks {
  readonly #dependencies: HeldLinksDependencies
  readonly #hold
  readonly #insertAncestry
  readonly #unknownLinks
  readonly #knownLinks
  readonly #heldPatterns
  readonly #delete
  readonly #setTrial
  readonly #page
  readonly #insertLine
  readonly #trials
  readonly #countAdmitted
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
      `insert into ancestry (url_id, host, skeletons, page_trial) values (?, ?, ?, ?)
       on conflict (url_id) do update set skeletons = excluded.skeletons, page_trial = excluded.page_trial`,
    )
    this.#heldPatterns = db.prepare(
      `select p.pattern from patterns p where p.crawl = ?
         and exists (select 1 from held_urls h where h.crawl = p.crawl and h.pattern = p.pattern)
       order by p.pattern limit ?`,
    )
    // The same links are tried, no matter in which order they were found.
    const nextLinks = (isKnown: string) =>
      db.prepare(
        `select h.url_id, h.generation, h.has_pattern, h.found, a.page_trial, exists (select 1 from urls u
             where u.crawl = h.crawl and u.key = h.key and u.state = ${EXCLUDED} and u.reason like '${TRAP_REASON}%') as is_trapped
         from held_urls h left join ancestry a on a.url_id = h.url_id
         where h.crawl = ? and h.pattern = ? and h.has_pattern = ?
           and ${isKnown} (select 1 from urls u where u.crawl = h.crawl and u.key = h.key)
         order by h.generation desc, h.key limit ${MAX_LINKS}`,
      )
    this.#unknownLinks = nextLinks('not exists')
    this.#knownLinks = nextLinks('exists')
    this.#page = db.prepare('select host, depth from urls where id = ?')
    this.#insertLine = db.prepare('insert or ignore into pattern_lines (crawl, pattern, line) values (?, ?, ?)')
    this.#delete = db.prepare('delete from held_urls where crawl = ? and pattern = ? and key = ?')
    this.#setTrial = db.prepare(
      `insert into ancestry (url_id, host, trial) values (?, ?, ?)
       on conflict (url_id) do update set trial = excluded.trial`,
    )
    this.#trials = db.prepare(
      'select admitted, base, latest, endless from pattern_trials where crawl = ? and pattern = ?',
    )
    this.#countAdmitted = db.prepare(
      `insert into pattern_trials (crawl, pattern, admitted, base, latest, endless)
       values (?, ?, 1, ?, ${NO_GENERATION}, ${NO_GENERATION})
       on conflict do update set admitted = admitted + 1`,
    )
    this.#setBase = db.prepare('update pattern_trials set base = ? where crawl = ? and pattern = ?')
    this.#raiseTrials = db.prepare(
      `insert into pattern_trials (crawl, pattern, admitted, base, latest, endless) values (?, ?, 0, ?, ?, ?)
       on conflict do update set latest = max(latest, excluded.latest), endless = max(endless, excluded.endless)`,
    )
  }

  /** Saves the held links of a visit and the ancestry of its children. `trials`: those of the page itself. */
  record(
    crawl: ActiveCrawl,
    page: VisitedPage,
    { skeletons, held, lineHashes }: TrapFindings,
    trials: readonly PatternTrial[],
  ): void {
    if (skeletons.length > 0)
      this.#insertAncestry.run(page.id, page.hostId, encodeSkeletons(skeletons), encodeTrials(trials))
    if (held === null) return
    const { pattern, found } = held
    const generation = generationIn(pattern, trials)
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
      const goodPages = countCrawlPages(crawl) - patterns.countFruitless(crawl)
      const held = this.#heldPatterns
        .all(crawl.rowId, MAX_PATTERNS)
        .map(({ pattern }) => this.#heldLinksOf(crawl, String(pattern)))
      const latestHeld = latestHeldOf(held.flatMap(({ unknown }) => unknown))
      const judged = held.map((heldLinks): JudgedPattern => {
        const { report, unknown } = heldLinks
        const circumstances = { unknown, latestHeld: latestHeld.get(report.pattern) ?? NO_GENERATION, goodPages }
        return { ...heldLinks, verdict: judgePattern(report, this.#progressOf(crawl, report), circumstances) }
      })
      // A link that several patterns hold is visited if one of them admits it.
      const queued = new Set<bigint>()
      for (const judgedPattern of judged)
        if (isAdmitted(judgedPattern)) this.#admit(crawl, judgedPattern, { queued, now })
      for (const judgedPattern of judged)
        if (judgedPattern.verdict.kind === 'exclude') this.#exclude(crawl, judgedPattern, { queued, now })
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

  #heldLinksOf(crawl: ActiveCrawl, pattern: string): HeldLinksOfPattern {
    const read = (statement: StatementSync) =>
      [1, 0].flatMap((ofPattern) =>
        statement.all(crawl.rowId, pattern, ofPattern).flatMap((row) => {
          const held = {
            pattern,
            pageId: Number(row['url_id']),
            generation: Number(row['generation']),
            trials: decodeTrials(row['page_trial']),
            hasPattern: ofPattern === 1,
            isTrapped: row['is_trapped'] === 1,
          }
          return decodeFoundUrls(String(row['found'])).map((link): HeldLinkOfPage => ({ ...held, link }))
        }),
      )
    const report = this.#dependencies.patterns.find(crawl, pattern)
    return { report, unknown: read(this.#unknownLinks), known: read(this.#knownLinks) }
  }

  #progressOf(crawl: ActiveCrawl, { pattern }: PatternReport): TrialProgress {
    const row = this.#trials.get(crawl.rowId, pattern)
    if (row === undefined) return NO_TRIALS
    return {
      admitted: Number(row['admitted']),
      base: Number(row['base']),
      latest: Number(row['latest']),
      endless: Number(row['endless']),
    }
  }

  #admit(
    crawl: ActiveCrawl,
    { report: { pattern }, unknown, known, verdict }: AdmittedPattern,
    { queued, now }: { queued: Set<bigint>; now: number },
  ): void {
    const { urlDiscoverer } = this.#dependencies
    if (verdict.newBase !== undefined) this.#setBase.run(verdict.newBase, crawl.rowId, pattern)
    const chosen = chooseAdmitted(verdict, unknown, (key) => queued.has(key))
    for (const held of verdict.isFruitful ? [...known, ...chosen] : chosen) {
      const path = this.#pathTo(held)
      this.#setTrial.run(held.pageId, path.host, encodeTrials(nextTrials(pattern, held)))
      const isNew = verdict.isFruitful
        ? urlDiscoverer.add(crawl, held.link, path, now)
        : urlDiscoverer.addHeld(crawl, held.link, path, now)
      if (isNew) {
        queued.add(held.link.key)
        this.#countAdmitted.run(crawl.rowId, pattern, held.generation)
      }
      this.#delete.run(crawl.rowId, pattern, held.link.key)
    }
    if (verdict.isFruitful) return
    const keeps = keepsTrapped(verdict, unknown)
    for (const held of known) if (!(keeps && held.isTrapped)) this.#shorten(crawl, held, now)
  }

  /** A link that another pattern admits now stays until the next time, when its URL is known. */
  #exclude(
    crawl: ActiveCrawl,
    { report: { pattern }, unknown, known }: JudgedPattern,
    { queued, now }: { queued: ReadonlySet<bigint>; now: number },
  ): void {
    for (const held of unknown) {
      if (queued.has(held.link.key)) continue
      const reason = TRAP_REASON + pattern
      this.#dependencies.urlDiscoverer.addExcluded(crawl, held.link, this.#pathTo(held), { reason, now })
      this.#delete.run(crawl.rowId, pattern, held.link.key)
    }
    for (const held of known) this.#shorten(crawl, held, now)
  }

  /** The path to a URL that the crawl knows may be shorter. */
  #shorten(crawl: ActiveCrawl, held: HeldLinkOfPage, now: number): void {
    this.#dependencies.urlDiscoverer.addHeld(crawl, held.link, this.#pathTo(held), now)
    this.#delete.run(crawl.rowId, held.pattern, held.link.key)
  }

  /** As it is now: links of other pages may have lowered the depth of the page. */
  #pathTo({ pageId }: HeldLinkOfPage): DiscoveryPath & { host: number } {
    const row = this.#page.get(pageId)
    return { host: Number(row?.['host']), parent: pageId, depth: Number(row?.['depth']) + 1, hops: 0 }
  }

  /** Counts a visit on trial as fruitful or not. */
  recordTrial(
    crawl: ActiveCrawl,
    trials: readonly PatternTrial[],
    page: VisitedPage,
    visit: VisitReport,
    addedUrls: number,
  ): void {
    const [trial] = trials
    if (trial === undefined) return
    const { pattern, generation } = trial
    const { outcome, traps } = visit
    // Its target is on trial instead.
    if (outcome.state === 'redirected') return void this.#setTrial.run(page.id, page.hostId, encodeTrials(trials))
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

function isAdmitted(judgedPattern: JudgedPattern): judgedPattern is AdmittedPattern {
  return judgedPattern.verdict.kind === 'admit'
}
