// Finds URL patterns that are no longer valid, in crawls created by an older version. Such a crawl can be viewed, but
// it cannot run until its patterns are changed.

import { AppError } from '../../../lib/errors.ts'
import type { CrawlSettings } from '../../../ports/crawls.ts'
import { UrlPatterns } from '../../url/url-patterns.ts'

type PatternSettings = Pick<CrawlSettings, 'include' | 'exclude' | 'archiveInclude' | 'archiveExclude'>

/** A BAD_CONFIG error that names the pattern and its problem; null if all are valid. */
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
