// Reads a requisite of a page. Only style sheets lead on: to their imports, images and fonts.

import { HOPS_PER_IMPORT } from '../../../ports/visits.ts'
import { decodeHtml } from '../../parse/charset/decode-html.ts'
import { RequisiteCollector } from '../../parse/requisites.ts'
import { admitRequisites } from './admit-links.ts'
import { recordMetadata } from './page-metadata.ts'
import { NOTHING_PARSED, type ParsedResponse } from './parsed-response.ts'
import type { FetchedReport } from './visit-reports.ts'
import type { FetchedVisit, Steps, VisitDependencies } from './visit-steps.ts'

/** Longer style sheets are not read to the end: a few ms per MiB. */
const MAX_STYLE_SHEET_BYTES = 4 << 20
/** Levels of imports. Without a limit, a server could keep naming new style sheets. */
const MAX_IMPORT_LEVELS = 50

export function* readRequisite(
  report: FetchedReport,
  visit: FetchedVisit,
  dependencies: VisitDependencies,
): Steps<ParsedResponse> {
  recordMetadata(report, null, visit, dependencies)
  const { url, result } = visit
  if (!isStyleSheet(visit) || url.hops >= MAX_IMPORT_LEVELS * HOPS_PER_IMPORT) return NOTHING_PARSED
  yield null
  const { text } = decodeHtml(result.body.subarray(0, MAX_STYLE_SHEET_BYTES), result.contentType)
  const requisites = new RequisiteCollector()
  requisites.addStyles(text)
  const found = yield* admitRequisites(requisites, url.url, visit, dependencies)
  return { ...NOTHING_PARSED, found }
}

/** Decided by the content type, as in browsers; without one, by the file name. */
function isStyleSheet({ url, result: { contentType } }: FetchedVisit): boolean {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return type === '' ? /\.css(?:\?|$)/i.test(url.url) : type === 'text/css'
}
