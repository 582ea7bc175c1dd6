// Handlers for the URLs of a crawl: list, details and explanation.

import { lacksScheme, toSeeds } from '../../engine/crawl/plan/seeds.ts'
import { buildAddressGuard } from '../../engine/fetch/address-guard.ts'
import { LinkResolver } from '../../engine/url/link-resolver.ts'
import { normaliseUrl } from '../../engine/url/normalise-url.ts'
import { Scope } from '../../engine/url/scope.ts'
import { urlKey } from '../../engine/url/url-key.ts'
import { AdaptiveCache } from '../../lib/adaptive-cache.ts'
import { AppError } from '../../lib/errors.ts'
import { isActive } from '../../lib/states.ts'
import type { UrlCounts } from '../../ports/browse.ts'
import { CRITICAL_PRIORITY } from '../../ports/control.ts'
import type { Crawl } from '../../ports/crawls.ts'
import type { PageVersion } from '../../ports/pages.ts'
import type { FoundUrl } from '../../ports/visits.ts'
import type { ApiDependencies, HandlersFor } from '../handlers.ts'
import { isAllowedHost } from '../requests/crawl-request.ts'
import { findCrawl } from '../requests/find-crawl.ts'
import { toUrlFilter } from '../requests/url-filter.ts'
import { explainStoredRobots } from '../views/explain-stored-robots.ts'
import { type ExplainDependencies, explainUrl } from '../views/explain-url.ts'
import { linkJson, pageJson, urlJson, visitJson } from '../views/row-json.ts'

/** Page versions per URL; the page history has older ones. */
const MAX_VERSIONS = 100

export function urlHandlers(
  dependencies: ApiDependencies,
): HandlersFor<'listUrls' | 'countUrls' | 'addUrls' | 'getUrl' | 'explainUrl'> {
  const { crawls, browse, pages, search, control, clock } = dependencies
  const counts = new AdaptiveCache<UrlCounts>(() => clock.now(), { servesStale: true })
  return {
    async listUrls({ params, query }) {
      const crawl = await findCrawl(crawls, params.crawl_id)
      const { rows, nextCursor, total } = await browse.urls(crawl.id, {
        ...toUrlFilter(query),
        order: query.sort,
        isDescending: query.order === 'desc',
        limit: query.limit,
        cursor: query.cursor ?? null,
      })
      return { items: rows.map(urlJson), next_cursor: nextCursor, total }
    },
    async countUrls({ params, query }) {
      const { crawl, ledger } = await crawls.progress(params.crawl_id)
      const filter = toUrlFilter(query)
      // The counts of an ended crawl change only with its ledger.
      const version = isActive(crawl.status) ? 'running' : Object.values(ledger).join()
      const key = `${crawl.id} ${version} ${JSON.stringify(filter)}`
      const { states, isComplete } = await counts.get(key, () => browse.countUrls(crawl.id, filter))
      return { states, is_complete: isComplete }
    },
    async addUrls({ params, body }) {
      const crawl = await findCrawl(crawls, params.crawl_id)
      const { protocol } = new URL(crawl.rootUrl)
      const texts = body.urls.map((text) => (lacksScheme(text.trim()) ? `${protocol}//${text.trim()}` : text))
      const urls = toSeeds(texts, crawl.keySeed, crawl.settings.hashRoutes)
      checkPushedUrls(urls, crawl)
      const { priority = null } = body
      return control.addUrls(crawl.id, urls, priority === 'critical' ? CRITICAL_PRIORITY : priority)
    },
    async getUrl({ params }) {
      const progress = await crawls.progress(params.crawl_id)
      const { crawl } = progress
      const details = await browse.urlDetails(crawl.id, params.url_id)
      if (details === null) {
        throw new AppError('URL_NOT_FOUND', `Crawl ${crawl.id} has no URL with the id ${params.url_id}.`)
      }
      const { row, revisit } = details
      const versions = await pages.history(row.url)
      const { line, isAllowed, detail } = await explainStoredRobots(row.url, crawl.settings, dependencies)
      return {
        url: urlJson(row),
        explanation: await explainUrl(
          { url: row.url, host: new URL(row.url).host, progress, row, revisit },
          dependencies,
        ),
        lineage: details.lineage.map(linkJson),
        inlinks: { total: details.inlinks.total, items: details.inlinks.items.map(linkJson) },
        outlinks: { total: details.outlinks.total, items: details.outlinks.items.map(linkJson) },
        robots: { line, is_allowed: isAllowed, detail },
        visits: details.visits.map(visitJson),
        pages: versions.slice(-MAX_VERSIONS).map(pageJson),
        index: await indexState(versions.at(-1)),
      }
    },
    explainUrl: explainUrlHandler(dependencies),
  }

  async function indexState(newest: PageVersion | undefined) {
    if (search === null) return { is_indexed: false, detail: 'There is no search index.' }
    if (newest === undefined) return { is_indexed: false, detail: 'It has no archived page that could be indexed.' }
    const isIndexed = await search.isIndexed(newest.id)
    const detail = isIndexed ? `Version ${newest.version} is in the index.` : 'It is not in the index.'
    return { is_indexed: isIndexed, detail }
  }
}

export function explainUrlHandler(
  dependencies: ExplainDependencies & { crawls: Pick<ApiDependencies['crawls'], 'progress'> },
): HandlersFor<'explainUrl'>['explainUrl'] {
  const { crawls, browse } = dependencies
  return async ({ params, query }) => {
    const progress = await crawls.progress(params.crawl_id)
    const { crawl } = progress
    const target = canonicalUrl(query.url, crawl)
    const key = urlKey(target.url, crawl.keySeed)
    const id = await browse.findUrl(crawl.id, { url: target.url, key })
    const details = id === null ? null : await browse.urlDetails(crawl.id, id)
    return explainUrl(
      { ...target, progress, row: details?.row ?? null, revisit: details?.revisit ?? null },
      dependencies,
    )
  }
}

/** Rejects URLs that the crawl would not visit. Include patterns do not apply, as for start URLs. */
function checkPushedUrls(urls: FoundUrl[], { settings, seeds }: Crawl): void {
  const scope = new Scope({ ...settings, include: [] }, seeds)
  const guard = buildAddressGuard(settings)
  for (const { url, host } of urls) {
    if (scope.check(url, host) !== null) throw new AppError('BAD_SEED', `${url} is outside the scope of the crawl.`)
    if (!isAllowedHost(new URL(url).hostname, guard))
      throw new AppError('BAD_SEED', `The address of ${url} is not public, and the crawl does not allow it.`)
  }
}

/** The URL as the crawl normalizes it. */
function canonicalUrl(text: string, { rootUrl, settings }: Crawl): { url: string; host: string } {
  const plain = normaliseUrl(text, undefined, settings.hashRoutes)
  const target =
    'url' in plain
      ? new LinkResolver(rootUrl, settings.keepSessionIds, rootUrl, settings.hashRoutes).resolveExact(plain.url)
      : null
  if (target === null || 'problem' in target) {
    throw new AppError('BAD_SEED', `"${text}" is not an http or https URL that can be visited.`)
  }
  return target
}
