// Extracts data from a page: by the rules of the crawl, and by the hook of the program that runs it.

import type { PageData } from '../../../ports/pages.ts'
import { SHARED_LENGTH } from '../../parse/utf16-codes.ts'
import { extractByHook } from './page-hooks.ts'
import type { ReadPage } from './parse-html.ts'
import type { ParsedResponse } from './parsed-response.ts'
import { joinNotes, NO_PAGE_FACTS } from './response-to-archive.ts'
import type { FetchedReport } from './visit-reports.ts'
import type { FetchedVisit, Steps, VisitDependencies } from './visit-steps.ts'

const NO_DATA = { data: null, note: null }
const EMPTY_DATA: PageData = { fields: null, missing: [], structured_data: null }

/** Returns the page with its data. */
export function* extractData(
  parsed: ParsedResponse,
  { html, source, baseUrl }: ReadPage & { baseUrl: string },
  report: FetchedReport,
  visit: FetchedVisit,
  { pageReading: { extractor, hooks } }: VisitDependencies,
): Steps<ParsedResponse> {
  if (extractor === null && hooks?.has.extract !== true) return parsed
  if (source.html.length > SHARED_LENGTH) yield null
  const text = source.isUtf8 ? Buffer.from(source.html, 'latin1').toString() : source.html
  const context = { lang: html.lang || null, baseUrl }
  const { data: ruled, note } = extractor === null ? NO_DATA : yield* extractor.extract(text, context)
  const added = yield* extractByHook({ html: text, fields: ruled?.fields ?? {} }, hooks, report, visit)
  const data = added === null ? ruled : { ...(ruled ?? EMPTY_DATA), fields: { ...ruled?.fields, ...added } }
  const facts = parsed.page ?? NO_PAGE_FACTS
  const page = { ...facts, data: data === null ? null : JSON.stringify(data), note: joinNotes(facts.note, note) }
  return { ...parsed, page }
}
