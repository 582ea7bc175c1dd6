// URL patterns whose pages are to be rendered (ports/render-patterns.ts), in memory and in their table.

import type { DatabaseSync } from 'node:sqlite'
import { matchesRenderPattern, rendersAgain } from '../../../../frontier/render-patterns.ts'
import type { LeaseGrant, LeaseRequest, VisitReport } from '../../../../ports/frontier.ts'
import { MAX_RENDER_PATTERNS, parseRenderPattern, plainPatternOf } from '../../../../ports/render-patterns.ts'
import { PAGE_KIND, QUEUED, stateCode } from '../../../encoding/state-codes.ts'
import type { ActiveCrawl } from '../crawl-state/active-crawls.ts'
import type { Hosts } from '../hosts.ts'
import { reopenUrl } from './queued-url.ts'

export class RenderPatterns {
  readonly #hosts: Hosts
  readonly #byCrawl = new Map<number, Set<string>>()
  readonly #select
  readonly #insert
  readonly #visitedPages
  readonly #requeue

  constructor(db: DatabaseSync, hosts: Hosts) {
    this.#hosts = hosts
    this.#select = db.prepare('select pattern from render_patterns where crawl = ?')
    this.#insert = db.prepare('insert into render_patterns (crawl, pattern) values (?, ?)')
    this.#visitedPages = db.prepare(
      `select id, host, rank, url, reason from urls
       where crawl = ? and kind = ${PAGE_KIND} and state = ${stateCode('visited')} and substr(url, 1, ?) = ?`,
    )
    this.#requeue = db.prepare(`update urls set state = ${QUEUED}, reason = null where id = ?`)
  }

  changesSince(crawl: ActiveCrawl, { renderPatterns }: LeaseRequest): Pick<LeaseGrant, 'renderPatterns'> {
    if (crawl.settings.render !== 'auto') return {}
    const patterns = this.#patternsOf(crawl)
    return patterns.size === renderPatterns ? {} : { renderPatterns: [...patterns] }
  }

  /** Called after the visit of the page that gained, so that the page itself is not requeued. */
  record(crawl: ActiveCrawl, urlId: number, pattern: string, now: number): void {
    const patterns = this.#patternsOf(crawl)
    if (patterns.has(pattern) || patterns.size >= MAX_RENDER_PATTERNS) return
    patterns.add(pattern)
    this.#insert.run(crawl.rowId, pattern)
    if (!rendersAgain(crawl.settings, crawl.closing)) return
    const prefix = `${parseRenderPattern(pattern).origin}/`
    const pages = this.#visitedPages.all(crawl.rowId, prefix.length, prefix)
    for (const { id, host, rank, url, reason } of pages) {
      const page = { url: String(url), reason: reason as string | null }
      if (id === urlId || !matchesRenderPattern(pattern, page)) continue
      this.#requeue.run(Number(id))
      reopenUrl(this.#hosts, crawl, { host: Number(host), rank: Number(rank), was: 'visited' }, now)
    }
  }

  /** Whether the page was read without rendering while another thread found that its pattern gains. */
  mustRenderAgain(crawl: ActiveCrawl, { outcome, render }: VisitReport, url: string): boolean {
    if (render === undefined || outcome.state !== 'visited') return false
    if (!rendersAgain(crawl.settings, crawl.closing)) return false
    const patterns = this.#patternsOf(crawl)
    if (patterns.size === 0) return false
    const pattern = plainPatternOf(render, url)
    return pattern !== null && patterns.has(pattern)
  }

  /** Its rows are gone, and its id may be reused. */
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
