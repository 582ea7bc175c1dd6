// Handlers for the hosts of a crawl, its politeness and its URL patterns.

import { AdaptiveCache } from '../../lib/adaptive-cache.ts'
import { AppError } from '../../lib/errors.ts'
import { isoTime, isoTimeOrNull } from '../../lib/iso-time.ts'
import type { HostSummary } from '../../ports/browse.ts'
import { concurrencyLimitBelow, type HostMeasurements } from '../../ports/diagnostics.ts'
import type { ApiDependencies, HandlersFor } from '../handlers.ts'
import { findCrawl } from '../requests/find-crawl.ts'

const MAX_CACHED = 20

export function hostHandlers(
  dependencies: ApiDependencies,
): HandlersFor<'listHosts' | 'blockHost' | 'releaseHost' | 'getPoliteness' | 'listTraps' | 'releaseTrap'> {
  const { crawls, browse, control, diagnostics, threadDiagnostics, clock } = dependencies
  const politeness = new AdaptiveCache<HostMeasurements[]>(() => clock.now(), { maxEntries: MAX_CACHED })
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
    async getPoliteness({ params, query }) {
      const crawl = await findCrawl(crawls, params.crawl_id)
      const { text = null, limit, cursor = null } = query
      const { hosts, nextCursor } = await browse.hosts(crawl.id, { text, limit, cursor })
      const names = hosts.map(({ host }) => host)
      const key = `${crawl.id} ${crawl.status} ${names.join(' ')}`
      const rows = await politeness.get(key, () => threadDiagnostics.measureHosts(crawl.id, names))
      return {
        next_cursor: nextCursor,
        total: null,
        items: sortByHost(rows, names).map((row) => ({
          host: row.host,
          requests: row.requests,
          subrequests: row.subrequests,
          peak: row.peak,
          denied: row.denied,
          smallest_gap_ms: row.smallestGapMs,
          gap_ms: row.gapMs,
          concurrency_limit: concurrencyLimitBelow(crawl.settings.perHost, row),
        })),
      }
    },
    async listTraps({ params }) {
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
    },
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

function sortByHost(rows: HostMeasurements[], names: readonly string[]): HostMeasurements[] {
  const byName = new Map(rows.map((row) => [row.host, row]))
  return names.flatMap((name) => byName.get(name) ?? [])
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
