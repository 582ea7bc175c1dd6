// URL patterns whose pages are to be rendered (ports/render-patterns.ts), in memory and in their table.

import type { DatabaseSync } from 'node:sqlite'
import { CHECKED_PAGES, hasUncheckedPattern, rendersAgain, staysAsRead } from '../../../../frontier/render-patterns.ts'
import type { LeaseGrant, LeaseRequest } from '../../../../ports/leases.ts'
import { MAX_RENDER_PATTERNS, plainPatternOf } from '../../../../ports/render-patterns.ts'
import type { VisitReport } from '../../../../ports/visits.ts'
import { toCompleteness } from '../../../encoding/completeness-codes.ts'
import { PAGE_KINDS_SQL, QUEUED, stateCode } from '../../../encoding/state-codes.ts'
import type { Transactions } from '../../../sqlite/transactions.ts'
import type { ActiveCrawl, ActiveCrawls } from '../crawl-state/active-crawls.ts'
import type { Hosts } from '../hosts.ts'
import { reopenUrl } from './queued-url.ts'

export interface RenderPatternsDependencies {
  db: DatabaseSync
  transactions: Transactions
  active: ActiveCrawls
  hosts: Hosts
}

export class RenderPatterns {
  readonly #dependencies: RenderPatternsDependencies
  readonly #byCrawl = new Map<number, Set<string>>()
  readonly #select
  readonly #insert
  readonly #unchecked
  readonly #setChecked
  readonly #nextPages
  readonly #requeue

  constructor(dependencies: RenderPatternsDependencies) {
    const { db } = dependencies
    this.#dependencies = dependencies
    this.#select = db.prepare('select pattern from render_patterns where crawl = ?')
    this.#insert = db.prepare('insert into render_patterns (crawl, pattern, checked_to) values (?, ?, ?)')
    this.#unchecked = db.prepare(
      'select pattern, checked_to from render_patterns where crawl = ? and checked_to is not null',
    )
    // The maximum of a number and null is null.
    this.#setChecked = db.prepare(
      'update render_patterns set checked_to = max(checked_to, ?2) where crawl = ?1 and checked_to is not null',
    )
    this.#nextPages = db.prepare(
      `select u.id, u.host, u.rank, u.depth, u.url,
         case when u.kind in ${PAGE_KINDS_SQL} and u.state = ${stateCode('visited')} then
           (select v.plain_look from visits v where v.url_id = u.id and v.attempt = u.attempts) end as look
       from urls u indexed by urls_crawl where u.crawl = ? and u.id > ? order by u.id limit ${CHECKED_PAGES}`,
    )
    this.#requeue = db.prepare(`update urls set state = ${QUEUED}, reason = null where id = ?`)
  }

  changesSince(crawl: ActiveCrawl, { renderPatterns }: LeaseRequest): Pick<LeaseGrant, 'renderPatterns'> {
    if (crawl.settings.render !== 'auto') return {}
    const patterns = this.#patternsOf(crawl)
    return patterns.size === renderPatterns ? {} : { renderPatterns: [...patterns] }
  }

  record(crawl: ActiveCrawl, pattern: string): void {
    const patterns = this.#patternsOf(crawl)
    if (patterns.has(pattern) || patterns.size >= MAX_RENDER_PATTERNS) return
    patterns.add(pattern)
    const mustCheck = rendersAgain(crawl.settings, crawl.closing)
    this.#insert.run(crawl.rowId, pattern, mustCheck ? 0 : null)
    if (mustCheck) crawl.hasUncheckedPatterns = true
  }

  /** Requeues pages of new patterns that were read without rendering, a batch at a time. */
  checkBatch(crawl: ActiveCrawl, now: number): void {
    const { transactions, active } = this.#dependencies
    transactions.run(() => {
      const isAll = !rendersAgain(crawl.settings, crawl.closing) || !this.#checkNext(crawl, now)
      if (isAll) this.#setChecked.run(crawl.rowId, null)
      crawl.hasUncheckedPatterns = !isAll
      active.save(crawl, now)
    })
  }

  /** True if there are more. */
  #checkNext(crawl: ActiveCrawl, now: number): boolean {
    const { hosts } = this.#dependencies
    const unchecked = new Map(
      this.#unchecked.all(crawl.rowId).map((row) => [String(row['pattern']), Number(row['checked_to'])]),
    )
    const rows = this.#nextPages.all(crawl.rowId, Math.min(...unchecked.values()))
    for (const row of rows) {
      const page = { id: Number(row['id']), url: String(row['url']), completeness: toCompleteness(row['look']) }
      if (!hasUncheckedPattern(unchecked, page)) continue
      const place = { host: Number(row['host']), depth: Number(row['depth']) }
      if (staysAsRead(crawl, place, hosts.byId(place.host)?.policy ?? null)) continue
      this.#requeue.run(page.id)
      reopenUrl(hosts, crawl, { host: place.host, rank: Number(row['rank']), was: 'visited' }, now)
    }
    if (rows.length < CHECKED_PAGES) return false
    this.#setChecked.run(crawl.rowId, Number(rows.at(-1)?.['id']))
    return true
  }

  /** Whether the page was read without rendering while another thread found that its pattern is to be rendered. */
  mustRenderAgain(
    crawl: ActiveCrawl,
    { outcome, render }: VisitReport,
    { url, host, depth }: { url: string; host: number; depth: number },
  ): boolean {
    if (render === undefined || outcome.state !== 'visited') return false
    if (!rendersAgain(crawl.settings, crawl.closing)) return false
    const patterns = this.#patternsOf(crawl)
    if (patterns.size === 0) return false
    const pattern = plainPatternOf(render, url)
    if (pattern === null || !patterns.has(pattern)) return false
    return !staysAsRead(crawl, { host, depth }, this.#dependencies.hosts.byId(host)?.policy ?? null)
  }

  /** Called when the rows of the crawl are gone and its id may be reused. */
  unload(crawl: ActiveCrawl): void {
    this.#byCrawl.delete(crawl.rowId)
  }

  #patternsOf(crawl: ActiveCrawl): Set<string> {
    const known = this.#byCrawl.get(crawl.rowId)
    if (known !== undefined) return known
    const patterns = new Set(this.#select.all(crawl.rowId).map(({ pattern }) => String(pattern)))
    this.#byCrawl.set(crawl.rowId, patterns)
    return patterns
  }
}
