// The rules of a crawl that hold for outside crawlers too: which urls are given out, and which links are admitted.

import { Admit } from '../../../engine/crawl/admit.ts'
import { retryOr } from '../../../engine/crawl/verdict.ts'
import { reportDown, reportExcluded } from '../../../engine/crawl/visit.ts'
import { downReason } from '../../../engine/politeness/health.ts'
import { domainOf, Scope, twinOf } from '../../../engine/url/scope.ts'
import { SeenSet } from '../../../engine/url/seen.ts'
import { DEFAULT_SHAPE_LIMITS } from '../../../engine/url/shape.ts'
import type { Crawl } from '../../../ports/crawls.ts'
import type { Lease, LeasedUrl, VisitReport } from '../../../ports/frontier.ts'
import { explainRobots } from '../../answers/explain-robots.ts'
import type { ApiParts } from '../../handlers.ts'

interface PolicyParts extends Pick<ApiParts, 'manners' | 'robots' | 'clock' | 'loadFilterLists'> {
  random: () => number
}

/** Every link of a report is news: nothing is known of what the crawler told before. */
const SEEN_URLS = 1000

export type Permission = { report: VisitReport } | { report: null; crawlDelayMs: number }

export class Policy {
  readonly #crawl: Crawl
  readonly #parts: PolicyParts
  /** Patterns may have changed since a url was found; those to include are not for start urls. */
  readonly #scope: { pages: Scope; seeds: Scope }

  constructor(crawl: Crawl, parts: PolicyParts) {
    this.#crawl = crawl
    this.#parts = parts
    const { settings, seeds } = crawl
    this.#scope = { pages: new Scope(settings, seeds), seeds: new Scope({ ...settings, include: [] }, seeds) }
  }

  /** Whether the url may be asked for now; if not, the report that ends or delays it. The order is that of a crawl thread. */
  async permit(lease: Lease, url: LeasedUrl): Promise<Permission> {
    const leased = { token: lease.token, url }
    const now = this.#parts.clock.now()
    if (lease.health.downUntil > now) return { report: reportDown(leased, downReason(lease.health)) }
    const outside = this.#outsideOf(url, lease.host)
    if (outside !== null) return { report: reportExcluded(leased, outside) }
    const { settings } = this.#crawl
    const { outcome, line, detail, crawlDelayMs } = await explainRobots(url.url, settings, this.#parts)
    if (outcome !== 'refused') return { report: null, crawlDelayMs }
    if (line !== null) return { report: reportExcluded(leased, `robots ${line}`) }
    const attempt = { attempts: url.attempts, now, luck: this.#parts.random() }
    const verdict = retryOr('excluded', `robots_unreachable: ${detail}`.slice(0, 200), 0, settings, attempt)
    return { report: { ...reportExcluded(leased, ''), verdict } }
  }

  async admit(): Promise<Admit> {
    const { settings, keySeed } = this.#crawl
    return new Admit({
      ...settings,
      scope: this.#scope.pages,
      seen: new SeenSet(SEEN_URLS),
      keySeed,
      shape: { ...DEFAULT_SHAPE_LIMITS, ...settings },
      filters: await this.#parts.loadFilterLists(settings.filterLists),
      traps: null,
      onDropped: () => undefined,
    })
  }

  #outsideOf({ url, kind, depth }: LeasedUrl, host: string): string | null {
    if (kind === 'sitemap') return null
    return (depth === 0 ? this.#scope.seeds : this.#scope.pages).judge(url, host)
  }
}

/** Where the urls of a crawl may lie; empty: anywhere. */
export function domainRestrictions({ settings, seeds }: Crawl): string[] {
  const urls = seeds.map((seed) => new URL(seed))
  switch (settings.scope) {
    case 'any':
      return []
    case 'domain':
      return [...new Set(urls.map(({ hostname }) => domainOf(hostname)))]
    case 'host':
      return [...new Set(urls.flatMap(({ host }) => [host, twinOf(host)]))]
    case 'prefix':
      return [...new Set(urls.map(({ host }) => host))]
  }
}
