// Checks the seeds and settings of a new crawl together.

import { splitUrlCredentials } from '../../../config/values/auth-entry.ts'
import { AppError } from '../../../lib/errors.ts'
import type { CrawlSettings, NewCrawl } from '../../../ports/crawls.ts'
import { Scope } from '../../url/scope.ts'
import { findCookieProblem } from './find-cookie-problem.ts'
import { type SeedInput, seedText, toSeeds, toSitemapSeeds } from './seeds.ts'

export interface CrawlInput {
  urls: readonly SeedInput[]
  /** URLs, or paths that are tried on the host of every seed. */
  sitemaps: readonly string[]
  settings: CrawlSettings
  keySeed: number
}

export function planCrawl({ urls: given, sitemaps, settings: requested, keySeed }: CrawlInput): NewCrawl {
  const { urls, entries } = splitCredentials(given)
  const settings = entries.length === 0 ? requested : { ...requested, auth: [...requested.auth, ...entries] }
  if (settings.sitemapOnly && !settings.sitemaps && sitemaps.length === 0) {
    throw new AppError(
      'BAD_CONFIG',
      '--sitemap-only needs a sitemap: name one with --sitemap, or leave out --no-sitemaps.',
    )
  }
  if (settings.requisites && settings.archive === 'none') {
    throw new AppError('BAD_CONFIG', '--requisites needs an archive: leave out --archive none.')
  }
  if ((settings.extract.length > 0 || settings.structuredData) && settings.archive === 'none') {
    throw new AppError(
      'BAD_CONFIG',
      '--extract and --structured-data are stored with archived pages: leave out --archive none.',
    )
  }
  const cookieProblem = findCookieProblem(settings.startCookies)
  if (cookieProblem !== null) throw new AppError('BAD_CONFIG', cookieProblem)
  const pages = toSeeds(urls, keySeed, settings.hashRoutes)
  const seeds = [...pages, ...toSitemapSeeds(sitemaps, pages, keySeed)]
  if (seeds.length === 0) throw new AppError('BAD_SEED', 'Give at least one URL or sitemap to start from.')
  checkSeedsInScope(
    settings,
    pages.map((seed) => seed.url),
  )
  return { seeds, settings, keySeed, ...requestedUrlOf(urls[0], seeds) }
}

/** A user name and password in a start URL become credentials of the crawl for its origin. */
function splitCredentials(seeds: readonly SeedInput[]): { urls: readonly SeedInput[]; entries: string[] } {
  const entries = new Set<string>()
  const urls = seeds.map((seed) => {
    const split = splitUrlCredentials(seedText(seed))
    if (split === null) return seed
    entries.add(split.entry)
    return typeof seed === 'string' ? split.url : { ...seed, text: split.url }
  })
  return { urls, entries: [...entries] }
}

/** Later requests should show the URL as it was typed. */
function requestedUrlOf(seed: SeedInput | undefined, seeds: NewCrawl['seeds']): Pick<NewCrawl, 'requestedUrl'> {
  const text = typeof seed === 'object' ? seed.text : seed
  return text === undefined || text === seeds[0]?.url ? {} : { requestedUrl: text }
}

/** A pattern that excludes a seed is a mistake. Reporting it now is better than an empty crawl. */
function checkSeedsInScope(settings: CrawlSettings, seeds: string[]): void {
  const scope = new Scope({ ...settings, include: [] }, seeds)
  const outside = seeds.find((seed) => scope.check(seed, new URL(seed).host) !== null)
  if (outside !== undefined) throw new AppError('BAD_CONFIG', `--exclude matches the start URL ${outside}.`)
}
