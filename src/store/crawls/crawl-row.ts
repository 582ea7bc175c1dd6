// Converts crawls between their rows and the port.

import { parseCrawlSettings } from '../../config/crawl-settings.ts'
import { AppError } from '../../lib/errors.ts'
import { CRAWL_STATUSES, type CrawlStatus, isActive } from '../../lib/states.ts'
import type { Crawl } from '../../ports/crawls.ts'
import type { FoundUrl } from '../../ports/visits.ts'

export function toCrawl(row: Record<string, unknown>): Crawl {
  const createdAt = Number(row['created_at'])
  const finishedAt = row['finished_at'] === null ? null : Number(row['finished_at'])
  return {
    id: String(row['uuid']),
    status: row['status'] as CrawlStatus,
    reason: row['reason'] as string | null,
    rootUrl: String(row['root_url']),
    requestedUrl: String(row['requested_url'] ?? row['root_url']),
    seeds: JSON.parse(String(row['seeds'])) as string[],
    settings: parseCrawlSettings(String(row['settings'])),
    keySeed: Number(row['key_seed']),
    createdAt,
    finishedAt,
    statusAt: Number(row['status_at']) || (finishedAt ?? createdAt),
    activeMs: Number(row['active_ms']),
  }
}

export function crawlNotFoundError(uuid: string): AppError {
  return new AppError('CRAWL_NOT_FOUND', `There is no crawl ${uuid}.`)
}

/** The URLs that define the scope: page seeds, or sitemaps if there are none. */
export function scopeSeeds(seeds: FoundUrl[]): string[] {
  const pages = seeds.filter((seed) => seed.kind === 'page')
  return (pages.length > 0 ? pages : seeds).map((seed) => seed.url)
}

/** The only crawl whose id has this prefix. `rows` are the first two matches. */
export function requireOneCrawl<T>(idOrPrefix: string, rows: T[]): T {
  const [first, second] = rows
  if (idOrPrefix === '' || first === undefined) {
    throw new AppError('CRAWL_NOT_FOUND', `There is no crawl "${idOrPrefix}".`)
  }
  if (second !== undefined) {
    throw new AppError('CRAWL_AMBIGUOUS', `More than one crawl id starts with "${idOrPrefix}". Use more characters.`)
  }
  return first
}

/** The stored statuses that appear as `status` to readers (see withEffectiveStatus); undefined: any. */
export function storedStatusesFor(status: CrawlStatus | undefined, hasLiveProcess: boolean): CrawlStatus[] {
  if (status === undefined) return [...CRAWL_STATUSES]
  if (hasLiveProcess) return [status]
  return isActive(status) ? [] : status === 'paused' ? ['running', 'watching', 'paused'] : [status]
}

/** A process that was killed could not mark its crawl as paused. */
export function withEffectiveStatus(crawl: Crawl, hasLiveProcess: boolean): Crawl {
  const isAbandoned = isActive(crawl.status) && !hasLiveProcess
  return isAbandoned ? { ...crawl, status: 'paused', reason: crawl.reason ?? 'interrupted' } : crawl
}
