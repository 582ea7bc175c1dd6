// Reads an archived page for the index, or says why it is excluded.

import { unpackExtracted } from '../../engine/media/document-types.ts'
import { extractContent, htmlOf, type PageReaderDependencies, readBody } from '../../engine/pages/read-archived-page.ts'
import { asAppError } from '../../lib/errors.ts'
import type { PageVersion } from '../../ports/pages.ts'
import type { PageSource } from '../analyse/analyser.ts'

const EXCLUSION_REASONS = ['not_kept', 'status', 'noindex', 'requisite', 'no_text', 'gone', 'unreadable'] as const
export type ExclusionReason = (typeof EXCLUSION_REASONS)[number]

interface Excluded {
  leftOut: ExclusionReason
}

/** The worker that archived the page is unreachable, or the indexer is stopping. The page is offered again later. */
interface Unavailable {
  isUnavailable: true
}

export type PageSourceResult = { source: PageSource } | Excluded | Unavailable

/**
 * Reads what is indexed of a page. A requisite is not indexed, unless its URL is in the index already (`isIndexed`),
 * because another crawl visited it as a page. Otherwise a page could remove others from the index by embedding them.
 */
export async function readPageSource(
  version: PageVersion,
  dependencies: PageReaderDependencies,
  { isIndexed }: { isIndexed: boolean },
): Promise<PageSourceResult> {
  const reason = findExclusionReason(version) ?? (version.isRequisite && !isIndexed ? 'requisite' : null)
  return reason === null ? readSource(version, dependencies) : { leftOut: reason }
}

/** Like `readPageSource`, but also reads pages that opt out of search indexes. */
export async function readSource(
  version: PageVersion,
  dependencies: PageReaderDependencies,
): Promise<PageSourceResult> {
  return readIfAvailable(async () => {
    const page = await readBody(version, dependencies)
    if (page.media?.isPage) {
      const reported = page.extracted === null ? null : unpackExtracted(page.extracted)
      return { source: { html: htmlOf(page), reported } }
    }
    const extracted = await extractContent(page, version.url, dependencies.readDocument)
    if (extracted === null || (extracted.text === '' && extracted.title === '')) return { leftOut: 'no_text' }
    return { source: { extracted } }
  })
}

/** Types without links, unless the label is wrong. */
const IS_MEDIA = /^(?:image|audio|video|font|application\/(?:pdf|zip))\b/i

/** The HTML of a page. Other files have no links that count. */
export async function readPageHtml(
  version: PageVersion,
  dependencies: PageReaderDependencies,
): Promise<{ html: string } | Excluded | Unavailable> {
  const reason = findExclusionReason(version) ?? (version.isRequisite ? 'requisite' : null)
  if (reason !== null) return { leftOut: reason }
  return readIfAvailable(async () => {
    if (IS_MEDIA.test(version.contentType ?? '')) return { leftOut: 'no_text' }
    const page = await readBody(version, dependencies)
    return page.media?.isPage ? { html: htmlOf(page) } : { leftOut: 'no_text' }
  })
}

async function readIfAvailable<T>(read: () => Promise<T | Excluded>): Promise<T | Excluded | Unavailable> {
  try {
    return await read()
  } catch (error) {
    const { code } = asAppError(error)
    if (code === 'ARCHIVE_AWAY' || code === 'INTERRUPTED') return { isUnavailable: true }
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
