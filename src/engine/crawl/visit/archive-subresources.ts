// Archives the responses to requests of a rendered page, as requisites of the page that requested them first.

import { copyString } from '../../../lib/copy-string.ts'
import type { SubresourceReport } from '../../../ports/visits.ts'
import { normaliseUrl } from '../../url/normalise-url.ts'
import type { Subresponse } from '../render/page-subresources.ts'
import { NO_PAGE_FACTS, prepareForArchive, type ResponseToArchive, shouldArchive } from './response-to-archive.ts'
import { toVisitFacts } from './visit-reports.ts'
import type { Visit, VisitDependencies } from './visit-steps.ts'

/** `toArchive` belongs to the page of the report. */
export interface SubresourceToArchive {
  report: SubresourceReport
  toArchive: ResponseToArchive
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])
const PARTIAL = 206

export function archiveSubresources(
  subresponses: readonly Subresponse[],
  { url: { id } }: Visit,
  { archiveRules, linkAdmission, pageReading: { requisites } }: VisitDependencies,
): SubresourceToArchive[] {
  if (archiveRules.archive === 'html' && !requisites) return []
  return subresponses.flatMap(({ url, response, receivedAt }) => {
    const state = stateOf(response.status)
    if (state === null || !shouldArchive(archiveRules, { url, kind: 'requisite' }, response, false)) return []
    const facts = toVisitFacts(response, receivedAt)
    if (state === 'redirected') facts.redirectTo = redirectTarget(response.location ?? '', url)
    const about = { facts: NO_PAGE_FACTS, extracted: null, dom: null, screenshot: null, contentHash: facts.contentHash }
    const prepared = prepareForArchive({ url, fetchedAt: receivedAt }, response, about)
    const toArchive = { ...prepared, isCertain: false }
    const report = { parent: id, found: linkAdmission.toRequisiteUrl(url), state, facts, page: toArchive.page }
    return [{ report, toArchive }]
  })
}

/** Null for responses that are not archived: errors, parts of files, and copies that were only validated. */
function stateOf(status: number): SubresourceReport['state'] | null {
  if (REDIRECTS.has(status)) return 'redirected'
  return status >= 200 && status < 300 && status !== PARTIAL ? 'visited' : null
}

function redirectTarget(location: string, base: string): string {
  const target = normaliseUrl(location, base)
  return 'url' in target ? target.url : copyString(location)
}
