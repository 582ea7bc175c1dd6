// Applies all rules to a crawl. Rows, links and archived pages are read as streams, in an order that lets every rule
// decide with the data it keeps in memory: see RuleCheck. The pages take most of the time; nothing else depends on the
// archive.

import { type PageReaderDependencies, readBody } from '../engine/pages/read-archived-page.ts'
import type { Clock } from '../lib/clock.ts'
import { asAppError, type ErrorCode } from '../lib/errors.ts'
import { ledgerTotal } from '../lib/states.ts'
import type { AuditProgress, AuditStage, AuditSummary, Audits, SkipReason } from '../ports/audits.ts'
import type { Crawl, Crawls } from '../ports/crawls.ts'
import type { Pages, PageVersion } from '../ports/pages.ts'
import type { Urls } from '../ports/urls.ts'
import { findEarlierCrawl } from './earlier-crawl.ts'
import { FindingWriter } from './finding-writer.ts'
import { type PageFacts, readPageFacts } from './page-facts.ts'
import type { Rule, RuleCheck } from './rule.ts'
import { UrlTable } from './url-table.ts'

export interface AuditDependencies {
  crawls: Pick<Crawls, 'list' | 'progress'>
  urls: Pick<Urls, 'rows' | 'edges'>
  pages: Pick<Pages, 'find' | 'listByCrawl'>
  archive: PageReaderDependencies['archive']
  audits: Pick<Audits, 'report' | 'add'>
  clock: Clock
  rules: readonly Rule[]
}

export interface AuditRequest {
  auditId: number
  crawlId: string
  signal: AbortSignal
}

const REPORT_MS = 1000

const UNREADABLE: ReadonlySet<ErrorCode> = new Set([
  'PAGE_NOT_FOUND',
  'PAGE_NOT_KEPT',
  'ARCHIVE_BROKEN',
  'ARCHIVE_AWAY',
])

/** Null if the audit was cancelled or replaced in the meantime. */
export async function runAudit(request: AuditRequest, dependencies: AuditDependencies): Promise<AuditSummary | null> {
  const run = new AuditRun(request, dependencies)
  try {
    return await run.run()
  } catch (error) {
    if (error instanceof AuditStopped) return null
    throw error
  }
}

class AuditStopped extends Error {}

interface RunningRule {
  rule: Rule
  writer: FindingWriter
  check: RuleCheck
}

class AuditRun {
  readonly #request: AuditRequest
  readonly #dependencies: AuditDependencies
  readonly #urls = new UrlTable()
  readonly #rules: readonly RunningRule[]
  #progress: AuditProgress = { stage: 'urls', done: 0, total: 0 }
  #reportedAt: number
  #readPages = 0
  #unreadPages = 0

  constructor(request: AuditRequest, dependencies: AuditDependencies) {
    this.#request = request
    this.#dependencies = dependencies
    this.#reportedAt = dependencies.clock.now()
    this.#rules = dependencies.rules.map((rule) => {
      const writer = new FindingWriter(dependencies.audits, request.auditId, rule.name)
      const context = {
        urls: this.#urls,
        add: writer.add.bind(writer),
        countOnly: writer.countOnly.bind(writer),
      }
      return { rule, writer, check: rule.start(context) }
    })
  }

  async run(): Promise<AuditSummary> {
    const { crawls } = this.#dependencies
    const { crawl, ledger } = await crawls.progress(this.#request.crawlId)
    await this.#readUrls(ledgerTotal(ledger))
    await this.#readLinks()
    await this.#examinePages(await this.#findVersions())
    const earlier = await findEarlierCrawl(crawl, crawls)
    await this.#report(earlier)
    for (const { check, writer } of this.#rules) {
      check.end?.()
      if (!(await writer.writeRest())) throw new AuditStopped()
    }
    return {
      urls: this.#urls.size,
      pages: this.#readPages,
      unreadPages: this.#unreadPages,
      openUrls: this.#urls.openUrls,
      crawlStatus: crawl.status,
      earlierCrawlId: earlier?.id ?? null,
      counts: Object.fromEntries(this.#rules.map(({ rule, writer }) => [rule.name, writer.count])),
      skipped: this.#skipped(),
    }
  }

  async #readUrls(total: number): Promise<void> {
    this.#begin('urls', total)
    const checks = this.#checks('url')
    for await (const row of this.#dependencies.urls.rows(this.#request.crawlId)) {
      const index = this.#urls.add(row)
      for (const check of checks) check.url?.(row, index)
      await this.#advance()
    }
  }

  async #readLinks(): Promise<void> {
    this.#begin('links', this.#urls.size)
    const checks = this.#checks('link')
    const urls = this.#urls
    let [lastId, from] = [0, -1]
    for await (const edge of this.#dependencies.urls.edges(this.#request.crawlId)) {
      if (edge.from !== lastId) {
        lastId = edge.from
        from = urls.indexOfId(lastId)
        this.#progress.done = from
        await this.#advance(0)
      }
      const to = urls.indexOfId(edge.to)
      if (from === -1 || to === -1 || from === to) continue
      if (!urls.has(from, 'sitemap')) urls.addInlink(to)
      else if (!urls.has(to, 'sitemap')) urls.setListed(to)
      for (const check of checks) check.link?.(from, to)
    }
  }

  /** Chooses the version of the last visit of each page. Returns how many there are. */
  async #findVersions(): Promise<number> {
    const urls = this.#urls
    let total = 0
    for await (const { index, version } of this.#versions()) {
      if (!urls.has(index, 'page')) continue
      if (urls.pageIdOf(index) === 0) total += 1
      // Ids rise with visits.
      urls.setPageId(index, Math.max(version.id, urls.pageIdOf(index)))
      await this.#advance(0)
    }
    return total
  }

  async #examinePages(total: number): Promise<void> {
    this.#begin('pages', total)
    if (total === 0) return
    const checks = this.#checks('version')
    for await (const { index, version } of this.#versions()) {
      if (version.id !== this.#urls.pageIdOf(index)) continue
      for (const check of checks) check.version?.(version, index)
      await this.#advance(0)
    }
    const pageChecks = this.#checks('page')
    for await (const { index, version } of this.#versions()) {
      if (version.id !== this.#urls.pageIdOf(index)) continue
      const facts = await this.#read(version)
      if (facts === null) this.#unreadPages += 1
      else {
        this.#readPages += 1
        this.#urls.set(index, 'examined')
        for (const check of pageChecks) check.page?.({ index, version, facts })
      }
      await this.#advance()
    }
  }

  async *#versions(): AsyncGenerator<{ index: number; version: PageVersion }> {
    for await (const version of this.#dependencies.pages.listByCrawl(this.#request.crawlId)) {
      const index = this.#urls.indexOfUrl(version.url)
      if (index !== -1) yield { index, version }
    }
  }

  async #read(version: PageVersion): Promise<PageFacts | null> {
    try {
      const page = await readBody(version, this.#dependencies)
      return page.media?.isPage === true ? readPageFacts(version, page) : null
    } catch (error) {
      if (UNREADABLE.has(asAppError(error).code)) return null
      throw error
    }
  }

  async #report(earlier: Crawl | null): Promise<void> {
    this.#begin('findings', this.#urls.size)
    const earlierChecks = this.#checks('earlierUrl')
    if (earlier !== null) {
      for await (const row of this.#dependencies.urls.rows(earlier.id)) {
        for (const check of earlierChecks) check.earlierUrl?.(row)
        await this.#advance(0)
      }
    }
    const checks = this.#checks('report')
    for await (const row of this.#dependencies.urls.rows(this.#request.crawlId)) {
      const index = this.#urls.indexOfUrl(row.url)
      // A URL that was found meanwhile is left to the next audit.
      if (index === -1) continue
      for (const check of checks) check.report?.(row, index)
      await this.#advance()
    }
  }

  #checks(method: keyof RuleCheck): RuleCheck[] {
    return this.#rules.map(({ check }) => check).filter((check) => check[method] !== undefined)
  }

  #begin(stage: AuditStage, total: number): void {
    this.#progress = { stage, done: 0, total }
  }

  /** Writes full chunks, and reports once a second. */
  async #advance(items = 1): Promise<void> {
    this.#progress.done += items
    if (this.#request.signal.aborted) throw new AuditStopped()
    for (const { writer } of this.#rules) {
      if (writer.hasFullChunk && !(await writer.writeFull())) throw new AuditStopped()
    }
    const { audits, clock } = this.#dependencies
    const now = clock.now()
    if (now - this.#reportedAt < REPORT_MS) return
    this.#reportedAt = now
    if (!(await audits.report(this.#request.auditId, this.#progress, now))) throw new AuditStopped()
  }

  #skipped(): Record<string, SkipReason> {
    if (!this.#urls.isAnyVisited)
      return Object.fromEntries(this.#rules.map(({ rule }) => [rule.name, 'nothing_visited']))
    const hasArchive = this.#readPages + this.#unreadPages > 0
    const skipped = this.#rules.flatMap(({ rule, check }): [string, SkipReason][] => {
      const reason = rule.needs === 'archive' && !hasArchive ? 'no_archive' : (check.skipReason?.() ?? null)
      return reason === null ? [] : [[rule.name, reason]]
    })
    return Object.fromEntries(skipped)
  }
}
