// Crawls made by an older version may have patterns that can no longer be used. Such a crawl cannot go on until they are
// changed; everything else about it can be seen as before.

import { AppError } from '../../../lib/errors.ts'
import type { CrawlSettings } from '../../../ports/crawls.ts'
import { UrlPatterns } from '../../url/url-patterns.ts'

type PatternSettings = Pick<CrawlSettings, 'include' | 'exclude' | 'archiveInclude' | 'archiveExclude'>

/** BAD_CONFIG with the pattern and what is wrong with it, or null when all can be used. */
export function findPatternError(settings: PatternSettings): AppError | null {
  const lists = {
    include: settings.include,
    exclude: settings.exclude,
    archive_include: settings.archiveInclude,
    archive_exclude: settings.archiveExclude,
  }
  try {
    for (const [name, patterns] of Object.entries(lists)) UrlPatterns.compile(patterns, name)
    return null
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}
