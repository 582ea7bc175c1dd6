// URL patterns excluded as traps, for the summary of a crawl.

import type { PatternRow } from '../ports/patterns.ts'
import { formatCommand, type StoreLocation } from './format/format-command.ts'
import { sanitizeText } from './format/units.ts'

export interface ExcludedPattern {
  pattern: string
  urls: number
  example: string
}

export function excludedPatterns(
  rows: readonly Pick<PatternRow, 'pattern' | 'state' | 'excludedUrls' | 'example'>[],
): ExcludedPattern[] {
  return rows.flatMap(({ pattern, excludedUrls, example }) =>
    example !== null ? [{ pattern, urls: excludedUrls, example }] : [],
  )
}

export function releaseCommand(
  crawlId: string,
  pattern: string,
  program: string,
  storeLocation: StoreLocation,
): string {
  return formatCommand(
    program,
    `traps ${sanitizeText(crawlId.slice(0, 8))} --release '${sanitizeText(pattern)}'`,
    storeLocation,
  )
}
