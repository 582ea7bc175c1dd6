// The step of a visit in which its page is rendered. The visit waits for the result.

import type { RenderedPage } from '../../../ports/renderer.ts'
import type { PageRenderer } from '../render/page-renderer.ts'
import { retryOrEnd } from './verdict.ts'
import type { FetchedReport } from './visit-reports.ts'
import type { FetchedVisit, Rendering, Steps, VisitDependencies } from './visit-steps.ts'
import { waitFor } from './wait-for.ts'

/**
 * If the browser dies, or files that the page needs did not load, the URL is retried. After the last retry its DOM is
 * used as it is, or its plain HTML if there is none, as with any other outcome.
 */
export function* renderPage(
  { pageRenderer, isSample }: { pageRenderer: PageRenderer; isSample: boolean },
  report: FetchedReport,
  visit: FetchedVisit,
  dependencies: VisitDependencies,
): Steps<Rendering> {
  const { url, host, result, openSubresources } = visit
  const page = { url: url.url, host, result }
  const subresources = openSubresources()
  const ending = isSample ? pageRenderer.renderSample(page, subresources) : pageRenderer.render(page, subresources)
  const rendered = yield* waitFor(
    'renderer',
    ending.finally(() => subresources.close()),
  )
  if (rendered === null) return { page: null, subresponses: [] }
  const rendering = { page: rendered, subresponses: subresources.received }
  const { outcome } = rendered
  if (outcome === 'rendered') return rendering
  if (pageRenderer.mustRetry(host, rendered, url.attempts >= dependencies.retryPolicy.retries)) {
    const attempt = { attempts: url.attempts, now: visit.now, jitter: dependencies.random() }
    const next = retryOrEnd('failed', outcome, 0, dependencies.retryPolicy, attempt)
    if (next.state === 'retry') {
      report.outcome = next
      return rendering
    }
  }
  if (report.outcome.reason === null) report.outcome = { state: 'visited', reason: outcome }
  return rendering
}

const MAX_EVIDENCE = 300

/** Text for the note of a page version: the outcome, and the evidence. */
export function renderNote({ outcome, evidence }: RenderedPage): string {
  return evidence === null || outcome === 'rendered' ? outcome : `${outcome}: ${evidence.slice(0, MAX_EVIDENCE)}`
}
