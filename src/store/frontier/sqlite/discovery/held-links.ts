// Links held back because their URL pattern may be a trap, and the ancestry that pages pass on to their children. Held
// links enter the ledger when nothing else of the crawl is open: the next lease request then judges each pattern by its
// trials.

import type { DatabaseSync, StatementSync } from 'node:sqlite'
import {
  chooseLinks,
  generationIn,
  type HeldLink,
  type HeldLinks as HeldLinksOfPattern,
  hasPattern,
  judgePattern,
  latestHeldOf,
  NO_GENERATION,
  nextPhase,
  nextTrials,
  type PatternTrial,
  stateAfterVerdict,
} from '../../../../frontier/judge-pattern.ts'
import { PATTERN_STATE } from '../../../../ports/patterns.ts'
import type { TrapFindings } from '../../../../ports/visits.ts'
import { decodeFoundUrls, encodeFoundUrls } from '../../../encoding/found-urls.ts'
import { holdConflictSql } from '../../../encoding/held-links-sql.ts'
import { stateCode, TRAP_REASON } from '../../../encoding/state-codes.ts'
import { decodeTrials, encodeHashes } from '../../../encoding/trials.ts'
import { urlHash } from '../../../encoding/url-hash.ts'
import type { Transactions } from '../../../sqlite/transactions.ts'
import { type ActiveCrawl, type ActiveCrawls, countCrawlPages } from '../crawl-state/active-crawls.ts'
import type { DiscoveryPath, UrlDiscoverer } from './discover.ts'
import type { Patterns } from './patterns.ts'
import type { Trials } from './trials.ts'

export interface HeldLinksDependencies {
  db: DatabaseSync
  transactions: Transactions
  active: ActiveCrawls
  urlDiscoverer: UrlDiscoverer
  patterns: Patterns
  trials: Trials
}

/** A page that has been visited. */
interface VisitedPage {
  id: number
  hostId: number
  trials: readonly PatternTrial[]
}

interface HeldLinksToJudge extends HeldLinksOfPattern<HeldLinkOfPage> {
  /** There are more links that are unknown to the crawl. */
  hasMore: boolean
}

interface HeldLinkOfPage extends HeldLink {
  pattern: string
  pageId: number
}

/** Patterns per transaction, and links of each with the pattern and without it, to keep it short. */
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
  readonly #page

  constructor(dependencies: HeldLinksDependencies) {
    this.#dependencies = dependencies
    const { db } = dependencies
    this.#hold = db.prepare(
      `insert into held_urls (crawl, pattern, key, url_id, generation, has_pattern, url_hash, found)
       values (?, ?, ?, ?, ?, ?, ?, ?)
       on conflict ${holdConflictSql(['url_id', 'generation'], (row) => `(select depth from urls where id = ${row}.url_id)`)}`,
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
    const columns = 'h.url_id, h.generation, h.has_pattern, h.found, p.trials'
    // The choice does not depend on the order in which links were found.
    const ofPattern = 'h.crawl = ? and h.pattern = ? and h.has_pattern = ?'
    const inOrder = `order by h.generation desc, h.url_hash limit ${MAX_LINKS}`
    this.#unknownLinks = db.prepare(
      `select ${columns}, 0 as is_excluded from held_urls h join urls p on p.id = h.url_id
       where ${ofPattern} and not exists (select 1 from urls u where u.crawl = h.crawl and u.key = h.key) ${inOrder}`,
    )
    // Searches only the next links: a search for all of them would read every link each time.
    this.#knownLinks = db.prepare(
      `select ${columns}, u.state = ${EXCLUDED} and u.reason like '${TRAP_REASON}%' as is_excluded
       from (select * from held_urls h where ${ofPattern} ${inOrder}) h
         join urls p on p.id = h.url_id join urls u on u.crawl = h.crawl and u.key = h.key
       order by h.generation desc, h.url_hash`,
    )
    this.#page = db.prepare('select depth from urls where id = ?')
    this.#delete = db.prepare('delete from held_urls where crawl = ? and pattern = ? and key = ?')
  }

  /** Saves the held links of a visit and the ancestry of its children. */
  record(crawl: ActiveCrawl, page: VisitedPage, { skeletons, held, lineHashes }: TrapFindings): void {
    if (skeletons.length > 0) this.#insertAncestry.run(page.id, page.hostId, encodeHashes(skeletons))
    if (held === null) return
    const { pattern, found } = held
    const generation = generationIn(pattern, page.trials)
    for (const link of found) {
      const isOfPattern = hasPattern(link, pattern) ? 1 : 0
      const place = [page.id, generation, isOfPattern, urlHash(link.url)] as const
      this.#hold.run(crawl.rowId, pattern, link.key, ...place, encodeFoundUrls([link]))
    }
    // The lines of a trial are added when it is evaluated.
    if (page.trials[0]?.pattern !== pattern) this.#dependencies.trials.addLines(crawl, pattern, lineHashes)
    this.#dependencies.patterns.record(crawl, [{ pattern, state: PATTERN_STATE.suspected, visits: 0, fruitless: 0 }])
    crawl.hasHeldLinks = true
  }

  /** Called when nothing of the crawl is open or in flight. Judges some patterns; the next lease request does the rest. */
  judge(crawl: ActiveCrawl, now: number): void {
    const { transactions, active, trials } = this.#dependencies
    transactions.run(() => {
      if (trials.evaluate(crawl)) return
      this.#judgePatterns(crawl, now)
      crawl.hasHeldLinks = this.#heldPatterns.get(crawl.rowId, 1) !== undefined
      active.save(crawl, now)
    })
  }

  #judgePatterns(crawl: ActiveCrawl, now: number): void {
    const { patterns, trials } = this.#dependencies
    const goodPages = countCrawlPages(crawl) - trials.countFruitlessPages(crawl)
    const heldLinks = this.#heldPatterns
      .all(crawl.rowId, MAX_PATTERNS)
      .map(({ pattern }) => this.#heldLinksOf(crawl, String(pattern)))
    const latestHeld = latestHeldOf(heldLinks)
    const judged = heldLinks.map((links) => {
      const { pattern, unknown, hasMore } = links
      const report = patterns.find(crawl, pattern)
      const progress = trials.progressOf(crawl, pattern)
      const context = { unknown, latestHeld: latestHeld.get(pattern) ?? NO_GENERATION, goodPages }
      const verdict = judgePattern(report, progress, context)
      const phase = nextPhase(verdict, progress, hasMore)
      if (phase !== null) trials.beginPhase(crawl, report, phase)
      if ('newBase' in verdict && verdict.newBase !== undefined) trials.setBase(crawl, pattern, verdict.newBase)
      return { ...links, state: report.state, verdict }
    })
    const { admitted, excluded, known } = chooseLinks(judged)
    for (const held of admitted) this.#admit(crawl, held, now)
    for (const held of excluded) this.#exclude(crawl, held, now)
    for (const held of known) this.#shorten(crawl, held, now)
    patterns.record(
      crawl,
      judged.flatMap(({ pattern, state: before, verdict }) => {
        const state = stateAfterVerdict(verdict, before)
        return state === before ? [] : [{ pattern, state, visits: 0, fruitless: 0 }]
      }),
    )
  }

  #heldLinksOf(crawl: ActiveCrawl, pattern: string): HeldLinksToJudge {
    const read = (statement: StatementSync, hasItsShape: number) =>
      statement.all(crawl.rowId, pattern, hasItsShape).flatMap((row) => {
        const held = {
          pattern,
          pageId: Number(row['url_id']),
          generation: Number(row['generation']),
          trials: decodeTrials(row['trials']),
          hasPattern: hasItsShape === 1,
          isExcluded: row['is_excluded'] === 1,
        }
        return decodeFoundUrls(String(row['found'])).map((link): HeldLinkOfPage => ({ ...held, link }))
      })
    const unknown = [1, 0].map((hasItsShape) => read(this.#unknownLinks, hasItsShape))
    const known = [1, 0].flatMap((hasItsShape) => read(this.#knownLinks, hasItsShape))
    return { pattern, unknown: unknown.flat(), known, hasMore: unknown.some(({ length }) => length === MAX_LINKS) }
  }

  #admit(crawl: ActiveCrawl, held: HeldLinkOfPage & { isFruitful: boolean }, now: number): void {
    const { urlDiscoverer, trials } = this.#dependencies
    const { link, pattern, generation, isFruitful } = held
    const isNew = isFruitful
      ? urlDiscoverer.add(crawl, link, this.#pathTo(held), now)
      : urlDiscoverer.addWithoutRequeue(crawl, link, this.#pathTo(held), now)
    if (isNew) trials.countAdmitted(crawl, pattern, generation)
    trials.begin(crawl, link.key, nextTrials(pattern, held))
    this.#delete.run(crawl.rowId, pattern, link.key)
  }

  #exclude(crawl: ActiveCrawl, held: HeldLinkOfPage, now: number): void {
    const { link, pattern } = held
    const reason = TRAP_REASON + pattern
    this.#dependencies.urlDiscoverer.addExcluded(crawl, link, this.#pathTo(held), { reason, now })
    this.#delete.run(crawl.rowId, pattern, link.key)
  }

  /** The path to a URL that the crawl knows may be shorter. */
  #shorten(crawl: ActiveCrawl, held: HeldLinkOfPage, now: number): void {
    this.#dependencies.urlDiscoverer.addWithoutRequeue(crawl, held.link, this.#pathTo(held), now)
    this.#delete.run(crawl.rowId, held.pattern, held.link.key)
  }

  /** The current path: links of other pages may have lowered the depth of the page. */
  #pathTo({ pageId }: HeldLinkOfPage): DiscoveryPath {
    return { parent: pageId, depth: Number(this.#page.get(pageId)?.['depth']) + 1, hops: 0 }
  }
}
