// Handlers for the hosts of a crawl and its URL patterns.

import { AppError } from '../../lib/errors.ts'
import { isoTime, isoTimeOrNull } from '../../lib/iso-time.ts'
import type { HostSummary } from '../../ports/browse.ts'
import type { Crawls } from '../../ports/crawls.ts'
import type { Diagnostics } from '../../ports/diagnostics.ts'
import type { ApiDependencies, Handler, HandlersFor } from '../handlers.ts'
import { findCrawl } from '../requests/find-crawl.ts'

export function hostHandlers(
  dependencies: ApiDependencies,
): HandlersFor<'listHosts' | 'blockHost' | 'releaseHost' | 'listTraps' | 'releaseTrap'> {
  const { crawls, browse, control, diagnostics } = dependencies
  return {
    async listHosts({ params, query }) {
      const crawl = await findCrawl(crawls, params.crawl_id)
      const { text = null, limit, cursor = null } = query
      const { hosts, nextCursor } = await browse.hosts(crawl.id, { text, limit, cursor })
      return { items: hosts.map(hostJson), next_cursor: nextCursor, total: null }
    },
    async blockHost({ params }) {
      const crawl = await findCrawl(crawls, params.crawl_id)
      const host = await knownHost(crawl.id, params.host)
      return { host, is_blocked: true, urls: await control.blockHost(crawl.id, host) }
    },
    async releaseHost({ params }) {
      const crawl = await findCrawl(crawls, params.crawl_id)
      const host = await knownHost(crawl.id, params.host)
      return { host, is_blocked: false, urls: await control.unblockHost(crawl.id, host) }
    },
    listTraps: listTrapsHandler({ crawls, diagnostics }),
    async releaseTrap({ params, body }) {
      const crawl = await findCrawl(crawls, params.crawl_id)
      return { queued: await crawls.releasePattern(crawl.id, body.pattern) }
    },
  }

  async function knownHost(crawlId: string, name: string): Promise<string> {
    const host = name.toLowerCase()
    if ((await browse.host(crawlId, host)) !== null) return host
    throw new AppError('HOST_NOT_FOUND', `The crawl has no host ${host}.`)
  }
}

export function listTrapsHandler({
  crawls,
  diagnostics,
}: {
  crawls: Pick<Crawls, 'progress'>
  diagnostics: Pick<Diagnostics, 'patterns'>
}): Handler<'listTraps'> {
  return async ({ params }) => {
    const crawl = await findCrawl(crawls, params.crawl_id)
    const rows = await diagnostics.patterns(crawl.id)
    return {
      items: rows.map(({ pattern, state, visits, fruitless, excludedUrls, example }) => ({
        pattern,
        state,
        visits,
        fruitless,
        saved: excludedUrls,
        example,
      })),
    }
  }
}

function hostJson(host: HostSummary) {
  const { urls, queued, visited, failed, excluded, bytes, strikes } = host
  return {
    host: host.host,
    urls,
    queued,
    visited,
    failed,
    excluded,
    bytes,
    strikes,
    mean_fetch_ms: host.meanFetchMs,
    gap_ms: host.gapMs,
    next_at: isoTimeOrNull(host.nextAt),
    is_blocked: host.isBlocked,
    robots: host.robots.map(({ origin, askedAt, status, problem }) => ({
      origin,
      status,
      problem,
      asked_at: isoTime(askedAt),
    })),
  }
}
