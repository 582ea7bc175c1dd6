// Reads a visited answer that is no html page but a document we know: plain text, a feed, a PDF. Its type's extractor
// says what it holds (engine/media).

import { detach } from '../../lib/detach.ts'
import type { FetchResponse } from '../fetch/result.ts'
import type { Extract, Extracted } from '../media/type.ts'
import { surveyText } from '../text/survey.ts'
import { Resolver } from '../url/resolve.ts'
import { NO_PAGE_FACTS, type PageFacts } from './keep.ts'
import type { FetchedReport, Read, Steps, Visit, VisitParts } from './visit.ts'

const MAX_TITLE = 500
const MAX_DESCRIPTION = 1000

export function* readDocument(
  extract: Extract,
  report: FetchedReport,
  visit: Visit & { result: FetchResponse },
  parts: VisitParts,
): Steps<Read> {
  const { url, result } = visit
  const context = { url: url.url, contentType: result.contentType, readPdf: parts.page.readPdf }
  const extracting = extract(result.body, context)
  const extracted = extracting instanceof Promise ? yield* settled(extracting) : extracting
  if (extracted.title !== '') report.facts.title = detach(extracted.title.slice(0, MAX_TITLE))
  const page = pageFactsOf(extracted, parts.page.survey !== null)
  if (parts.page.sitemapOnly || extracted.links.length === 0) return { found: [], links: 0, page }
  const { admit } = parts
  const resolver = new Resolver(url.url, parts.page.keepSessionIds)
  const place = { urlId: url.id, pageUrl: url.url, resolver, depth: url.depth + 1, hops: 0, kind: 'page' as const }
  const open = admit.open(place)
  admit.add(open, extracted.links, 0, extracted.links.length)
  const { found, links } = admit.close(open)
  return { found, links, page }
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
  const cut = (text: string) => (text === '' ? null : detach(text.slice(0, MAX_DESCRIPTION)))
  return {
    ...NO_PAGE_FACTS,
    lang: cut(extracted.lang),
    description: cut(extracted.description),
    keywords: cut(extracted.keywords),
    words: text?.wordCount ?? null,
    fingerprint: text?.fingerprint ?? null,
    note: extracted.problem,
  }
}
