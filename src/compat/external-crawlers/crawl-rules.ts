// Applies the rules of a crawl to external crawlers: which URLs they may visit and which links are admitted.

import type { ApiDependencies } from '../../api/handlers.ts'
import { explainStoredRobots } from '../../api/views/explain-stored-robots.ts'
import { LinkAdmission } from '../../engine/crawl/links/link-admission.ts'
import { retryOrEnd } from '../../engine/crawl/visit/verdict.ts'
import { reportExcluded, reportHostDown } from '../../engine/crawl/visit/visit-reports.ts'
import { downReason } from '../../engine/politeness/host-health.ts'
import { registrableDomain, Scope, toggleWww } from '../../engine/url/scope.ts'
import { SeenUrls } from '../../engine/url/seen-urls.ts'
import { DEFAULT_URL_SHAPE_LIMITS } from '../../engine/url/url-shape.ts'
import type { Crawl } from '../../ports/crawls.ts'
import type { Lease, LeasedUrl } from '../../ports/leases.ts'
import type { VisitReport } from '../../ports/visits.ts'

interface CrawlRulesDependencies extends Pick<ApiDependencies, 'diagnostics' | 'robots' | 'clock' | 'loadFilterLists'> {
  random: () => number
}

/** Small, because nothing is remembered between two reports. */
const SEEN_SET_SIZE = 1000

export type UrlPermission = { report: VisitReport } | { report: null; crawlDelayMs: number }

export class CrawlRules {
  readonly #crawl: Crawl
  readonly #dependencies: CrawlRulesDependencies
  /** Checked again, because patterns may have changed since a URL was found. Include patterns do not apply to seeds. */
  readonly #scope: { pages: Scope; seeds: Scope }

  constructor(crawl: Crawl, dependencies: CrawlRulesDependencies) {
    this.#crawl = crawl
    this.#dependencies = dependencies
    const { settings, seeds } = crawl
    this.#scope = { pages: new Scope(settings, seeds), seeds: new Scope({ ...settings, include: [] }, seeds) }
  }

  /** Returns a report that ends or delays the URL if it may not be requested now. Same order as in a crawl thread. */
  async checkUrl(lease: Lease, url: LeasedUrl): Promise<UrlPermission> {
    const leased = { token: lease.token, url }
    const now = this.#dependencies.clock.now()
    if (lease.health.downUntil > now) return { report: reportHostDown(leased, downReason(lease.health)) }
    const reason = this.#outOfScopeReason(url, lease.host)
    if (reason !== null) return { report: reportExcluded(leased, reason) }
    const { settings } = this.#crawl
    const { outcome, line, detail, crawlDelayMs } = await explainStoredRobots(url.url, settings, this.#dependencies)
    if (outcome !== 'refused') return { report: null, crawlDelayMs }
    if (line !== null) return { report: reportExcluded(leased, `robots ${line}`) }
    const attempt = { attempts: url.attempts, now, jitter: this.#dependencies.random() }
    const visitOutcome = retryOrEnd('excluded', `robots_unreachable: ${detail}`.slice(0, 200), 0, settings, attempt)
    return { report: { ...reportExcluded(leased, ''), outcome: visitOutcome } }
  }

  async createLinkAdmission(): Promise<LinkAdmission> {
    const { settings, keySeed } = this.#crawl
    return new LinkAdmission({
      ...settings,
      scope: this.#scope.pages,
      seen: new SeenUrls(SEEN_SET_SIZE),
      keySeed,
      shape: { ...DEFAULT_URL_SHAPE_LIMITS, ...settings },
      filters: await this.#dependencies.loadFilterLists(settings.filterLists),
      trapDetector: null,
      onRejected: () => undefined,
    })
  }

  #outOfScopeReason({ url, kind, depth }: LeasedUrl, host: string): string | null {
    if (kind === 'sitemap') return null
    if (kind === 'requisite') return this.#scope.pages.checkRequisite(url)
    return (depth === 0 ? this.#scope.seeds : this.#scope.pages).check(url, host)
  }
}

/** The hosts or domains of a crawl's scope; empty: any. */
export function domainRestrictions({ settings, seeds }: Crawl): string[] {
  const urls = seeds.map((seed) => new URL(seed))
  switch (settings.scope) {
    case 'any':
      return []
    case 'domain':
      return [...new Set(urls.map(({ hostname }) => registrableDomain(hostname)))]
    case 'host':
      return [...new Set(urls.flatMap(({ host }) => [host, toggleWww(host)]))]
    case 'prefix':
      return [...new Set(urls.map(({ host }) => host))]
  }
}
