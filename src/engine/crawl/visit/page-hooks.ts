// The steps of a visit that call hooks of the program that runs the crawl. The visit waits for their results. If a hook
// fails, the URL fails with the name of the problem, and its links are not followed; the response is still archived.

import type { HookProblem, Hooks } from '../../../ports/hooks.ts'
import { HOOK_REFUSED } from '../../../ports/hooks.ts'
import type { FieldValue } from '../../../ports/pages.ts'
import { normaliseUrl } from '../../url/normalise-url.ts'
import type { RawLink } from '../links/link-admission.ts'
import type { FetchedReport } from './visit-reports.ts'
import type { FetchedVisit, Steps, VisitDependencies } from './visit-steps.ts'
import { waitFor } from './wait-for.ts'

/** The links to follow; null if the hook failed. Invalid links are left to link admission. */
export function* selectLinks<T extends RawLink>(
  links: readonly T[],
  baseUrl: string,
  report: FetchedReport,
  { url }: FetchedVisit,
  { pageReading: { hooks }, linkAdmission }: VisitDependencies,
): Steps<readonly T[] | null> {
  if (hooks === null || !hooks.has.shouldFollow || links.length === 0) return links
  const targets = links.map(({ href }) => normaliseUrl(href, baseUrl))
  const asked = targets.flatMap((target, i) => {
    const rel = links[i]?.rel ?? ''
    return 'url' in target ? [{ url: target.url, pageUrl: url.url, pageDepth: url.depth, rel }] : []
  })
  const decided = yield* waitFor('hooks', hooks.shouldFollow(asked))
  if ('problem' in decided) return fail(report, decided.problem)
  let next = 0
  const followed = links.filter((_, i) => {
    const target = targets[i]
    return target === undefined || !('url' in target) || decided.follow[next++] !== false
  })
  if (followed.length < links.length) linkAdmission.rejections.count(HOOK_REFUSED, links.length - followed.length)
  return followed
}

/** The fields that the hook returned; null if there are none or the hook failed. */
export function* extractByHook(
  page: { html: string; fields: Record<string, FieldValue> },
  hooks: Hooks | null,
  report: FetchedReport,
  { url, result }: FetchedVisit,
): Steps<Record<string, FieldValue> | null> {
  if (hooks === null || !hooks.has.extract) return null
  const about = { url: url.url, status: result.status, contentType: result.contentType, depth: url.depth }
  const decided = yield* waitFor('hooks', hooks.extract({ ...about, ...page }))
  return 'problem' in decided ? fail(report, decided.problem) : decided.fields
}

function fail(report: FetchedReport, reason: HookProblem): null {
  report.outcome = { state: 'failed', reason }
  return null
}
