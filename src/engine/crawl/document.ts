// Reads a visited answer that is no html page but a document we know: plain text, a feed, a PDF. Its type's extractor
// says what it holds (engine/media); one that could not be read ends as visited, with the reason.

import type { FetchResponse } from '../fetch/result.ts'
import { isFailure, packExtracted } from '../media/heavy.ts'
import type { ContentType, Extract, Extracted } from '../media/type.ts'
import { surveyText } from '../text/survey.ts'
import { cutFact, cutTitle, NO_PAGE_FACTS, type PageFacts } from './keep.ts'
import { admitLinks } from './links.ts'
import { describe } from './page.ts'
import { NO_LINKS, type Read } from './read.ts'
import type { FetchedReport, Steps, Visit, VisitParts } from './visit.ts'

export function* readDocument(
  media: ContentType & { extract: Extract },
  report: FetchedReport,
  visit: Visit & { result: FetchResponse },
  parts: VisitParts,
): Steps<Read> {
  const { url, result } = visit
  const { nofollow } = describe(report, null, visit, parts)
  const queue = parts.page.documentQueue
  const context = { url: url.url, contentType: result.contentType, readDocument: queue.read.bind(queue) }
  const extracting = media.extract(result.body, context)
  const extracted = extracting instanceof Promise ? yield* settled(extracting) : extracting
  if (extracted.title !== '') report.facts.title = cutTitle(extracted.title)
  if (isFailure(extracted.problem))
    report.verdict = { state: 'visited', reason: result.truncated ? 'truncated' : extracted.problem }
  const page = pageFactsOf(extracted, parts.page.survey !== null)
  const toKeep = parts.page.survey !== null && media.isHeavy(result.body) ? packExtracted(extracted) : null
  if (nofollow) parts.admit.rejections.count('nofollow')
  if (nofollow || parts.page.sitemapOnly || extracted.links.length === 0)
    return { ...NO_LINKS, page, extracted: toKeep }
  const { found, links } = yield* admitLinks(extracted.links, url.url, visit, parts)
  return { ...NO_LINKS, found, links, page, extracted: toKeep }
}

/** Extractors do not fail: what is wrong with a document is its `problem`. */
function* settled(extracting: Promise<Extracted>): Steps<Extracted> {
  const end: { extracted?: Extracted; error?: unknown } = {}
  yield (resume) => {
    extracting
      .then(
        (extracted) => {
          end.extracted = extracted
        },
        (error: unknown) => {
          end.error = error
        },
      )
      .finally(resume)
  }
  if (end.extracted === undefined) throw end.error
  return end.extracted
}

function pageFactsOf(extracted: Extracted, isKept: boolean): PageFacts {
  const text = isKept ? surveyText(extracted.text) : null
  return {
    ...NO_PAGE_FACTS,
    lang: cutFact(extracted.lang),
    description: cutFact(extracted.description),
    keywords: cutFact(extracted.keywords),
    words: text?.wordCount ?? null,
    fingerprint: text?.fingerprint ?? null,
    note: extracted.problem,
  }
}
