// Checks whether a page looks like a spider trap: it repeats the pages that led to it.

import type { HtmlSource } from '../../parse/charset/decode-html.ts'
import type { HtmlFacts } from '../../parse/html-reader.ts'
import { openSkeleton } from '../../traps/trap-detector.ts'
import type { AdmittedLinks } from '../links/link-admission.ts'
import { parseHtml } from './parse-html.ts'
import type { ParsedResponse } from './parsed-response.ts'
import type { Steps, Visit, VisitDependencies } from './visit-steps.ts'

/** If it does, its links are held. */
export function* checkForTraps(
  { found, held: queryVariations, variesQuery, isBeyondLimit }: AdmittedLinks,
  { html, source, baseUrl }: { html: HtmlFacts; source: HtmlSource; baseUrl: string },
  { url, host }: Visit,
  { linkAdmission, pageReading: { trapDetector } }: VisitDependencies,
): Steps<Pick<ParsedResponse, 'found' | 'traps'>> {
  const trial = url.ancestry?.trial ?? null
  const mustAssess = (!isBeyondLimit && found.length + queryVariations.length > 0) || trial !== null
  if (trapDetector === null || !mustAssess) return { found, traps: null }
  const hrefs = html.links.map(({ href }) => href)
  const skeletons = url.ancestry?.skeletons ?? []
  const followed = isBeyondLimit ? [] : found
  const page = { url: url.url, host, title: html.title, hrefs, baseUrl }
  const candidate = { ...page, skeletons, trial, found: followed, variesQuery }
  const sink = openSkeleton(page)
  yield* parseHtml(source, sink, { maxLinks: 0, requisites: false })
  const assessment = trapDetector.assess(candidate, sink.finish())
  // A meta refresh is never held: a chain of them is ended by the limit on hops.
  const isHeld = (i: number) =>
    found[i]?.isRefresh !== true && (assessment.held === 'all' || (assessment.held?.has(i) ?? false))
  const heldByAssessment = found.filter((_, i) => isHeld(i))
  linkAdmission.forgetUrls(heldByAssessment)
  const allHeld = [...queryVariations, ...heldByAssessment]
  const held = allHeld.length === 0 ? null : { pattern: assessment.pattern, found: allHeld }
  return {
    found: heldByAssessment.length === 0 ? found : found.filter((_, i) => !isHeld(i)),
    traps: {
      skeletons: assessment.skeletons,
      held,
      hasEndlessPaths: assessment.hasEndlessPaths,
      lineHashes: held === null && trial === null ? [] : assessment.lineHashes,
    },
  }
}
