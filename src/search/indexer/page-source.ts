// Reads an archived page for the index, or says why it is excluded.

import { extractContent, type PageReaderDependencies, readBody } from '../../engine/pages/read-page.ts'
import { decodeHtml } from '../../engine/parse/charset/decode-html.ts'
import { asAppError } from '../../lib/errors.ts'
import type { PageVersion } from '../../ports/pages.ts'
import type { PageSource } from '../analyse/analyser.ts'

export const EXCLUSION_REASONS = ['not_kept', 'status', 'noindex', 'no_text', 'gone', 'unreadable'] as const
export type ExclusionReason = (typeof EXCLUSION_REASONS)[number]

/**
 * `isAway`: the worker that archived the page is unreachable, or the indexer is stopping. The page is offered again
 * later.
 */
export type PageSourceResult = { source: PageSource } | { leftOut: ExclusionReason } | { isAway: true }

export async function readPageSource(
  version: PageVersion,
  dependencies: PageReaderDependencies,
): Promise<PageSourceResult> {
  const reason = findExclusionReason(version)
  if (reason !== null) return { leftOut: reason }
  try {
    const page = await readBody(version, dependencies)
    const { body, contentType, media } = page
    if (media?.isPage) return { source: { html: decodeHtml(body, contentType).text } }
    const extracted = await extractContent(page, version.url, dependencies.readDocument)
    if (extracted === null || (extracted.text === '' && extracted.title === '')) return { leftOut: 'no_text' }
    return { source: { extracted } }
  } catch (error) {
    const { code } = asAppError(error)
    if (code === 'ARCHIVE_AWAY' || code === 'INTERRUPTED') return { isAway: true }
    if (code === 'PAGE_NOT_FOUND') return { leftOut: 'gone' }
    if (code === 'ARCHIVE_BROKEN' || code === 'PAGE_NOT_KEPT') return { leftOut: 'unreadable' }
    throw error
  }
}

function findExclusionReason({ isArchived, httpStatus, noindex }: PageVersion): ExclusionReason | null {
  if (!isArchived) return 'not_kept'
  if (httpStatus === null || httpStatus < 200 || httpStatus > 299) return 'status'
  return noindex ? 'noindex' : null
}
