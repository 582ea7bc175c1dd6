// Reads a response that is a document of a known type and not an HTML page: plain text, a feed, a PDF. The extractor of
// its type (engine/media) returns text, metadata and links. An unreadable document ends as visited, with the reason.

import type { ContentType, ExtractedContent, ExtractedLink, ExtractFunction } from '../../media/content-type.ts'
import { isDocumentFailure, packExtracted } from '../../media/document-types.ts'
import { profileText } from '../../text/text-profiler.ts'
import { admitLinks, type ListedLink } from './admit-links.ts'
import { recordMetadata } from './page-metadata.ts'
import { NOTHING_PARSED, type ParsedResponse } from './parsed-response.ts'
import { cutFact, cutTitle, NO_PAGE_FACTS, type PageFacts } from './response-to-archive.ts'
import type { FetchedReport } from './visit-reports.ts'
import type { FetchedVisit, Steps, VisitDependencies } from './visit-steps.ts'
import { waitFor } from './wait-for.ts'

export function* extractDocument(
  media: ContentType & { extract: ExtractFunction },
  report: FetchedReport,
  visit: FetchedVisit,
  dependencies: VisitDependencies,
): Steps<ParsedResponse> {
  const { url, result } = visit
  const { nofollow } = recordMetadata(report, null, visit, dependencies)
  const queue = dependencies.pageReading.documentQueue
  const context = { url: url.url, contentType: result.contentType, readDocument: queue.read.bind(queue) }
  const extracting = media.extract(result.body, context)
  const extractedContent = extracting instanceof Promise ? yield* waitFor('documents', extracting) : extracting
  if (extractedContent.title !== '') report.facts.title = cutTitle(extractedContent.title)
  if (isDocumentFailure(extractedContent.problem))
    report.outcome = { state: 'visited', reason: result.truncated ? 'truncated' : extractedContent.problem }
  const page = toPageFacts(extractedContent, dependencies.pageReading.textProfiler !== null)
  const toArchive =
    dependencies.pageReading.textProfiler !== null && media.isHeavy(result.body)
      ? packExtracted(extractedContent)
      : null
  if (nofollow) dependencies.linkAdmission.rejections.count('nofollow', extractedContent.links.length)
  if (nofollow || dependencies.pageReading.sitemapOnly || extractedContent.links.length === 0)
    return { ...NOTHING_PARSED, page, extracted: toArchive }
  const { links, listed } = splitLinks(extractedContent.links, dependencies.tracksChanges)
  const { found, linkKeys } = yield* admitLinks(links, url.url, visit, dependencies, { listed })
  return { ...NOTHING_PARSED, found, linkKeys, page, extracted: toArchive }
}

/** In a recrawled crawl, entries of a feed are reported with their times, even if their URLs are known. */
function splitLinks(links: readonly ExtractedLink[], tracksChanges: boolean) {
  if (!tracksChanges) return { links, listed: [] }
  const listed = links.flatMap(({ href, modifiedAt }): ListedLink[] => {
    const listing = { lastmod: modifiedAt ?? null, changefreq: null, priority: null, source: 'feed' as const }
    return modifiedAt === undefined ? [] : [{ href, listing }]
  })
  return { links: links.filter(({ modifiedAt }) => modifiedAt === undefined), listed }
}

function toPageFacts(extractedContent: ExtractedContent, isArchived: boolean): PageFacts {
  const text = isArchived ? profileText(extractedContent.text) : null
  return {
    ...NO_PAGE_FACTS,
    lang: cutFact(extractedContent.lang),
    description: cutFact(extractedContent.description),
    keywords: cutFact(extractedContent.keywords),
    words: text?.wordCount ?? null,
    fingerprint: text?.fingerprint ?? null,
    note: extractedContent.problem,
  }
}
