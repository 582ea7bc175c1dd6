// Why a url was visited or not: the steps that a crawl takes before it asks for one, each with its outcome. Works for a
// url that the crawl has never heard of.

import type { z } from 'zod'
import { findPatternError } from '../../engine/crawl/plan/find-pattern-error.ts'
import { toPathPattern } from '../../engine/traps/path-pattern.ts'
import { Scope } from '../../engine/url/scope.ts'
import { UrlPatterns } from '../../engine/url/url-patterns.ts'
import { DEFAULT_URL_SHAPE_LIMITS, findUrlShapeProblem } from '../../engine/url/url-shape.ts'
import type { CrawlProgress } from '../../ports/crawls.ts'
import { pageCount } from '../../ports/state.ts'
import type { UrlRow } from '../../ports/urls.ts'
import type { Explanation } from '../contract/urls.ts'
import type { ApiDependencies } from '../handlers.ts'
import { explainStoredRobots } from './explain-stored-robots.ts'

export type ExplanationJson = z.output<typeof Explanation>
export type ExplanationStep = ExplanationJson['steps'][number]

export interface ExplainRequest {
  url: string
  host: string
  progress: CrawlProgress
  /** What the crawl knows of it, if anything. */
  row: UrlRow | null
}

type ExplainDependencies = Pick<ApiDependencies, 'browse' | 'diagnostics' | 'robots' | 'loadFilterLists' | 'clock'>

export async function explainUrl(explainRequest: ExplainRequest, parts: ExplainDependencies): Promise<ExplanationJson> {
  const robots = await explainStoredRobots(explainRequest.url, explainRequest.progress.crawl.settings, parts)
  const steps: ExplanationStep[] = [
    passedStep('address', `${explainRequest.url} is a url that can be visited.`),
    scopeStep(explainRequest),
    shapeStep(explainRequest),
    await filterStep(explainRequest, parts),
    depthStep(explainRequest),
    await trapStep(explainRequest, parts),
    { step: 'robots', outcome: robots.outcome, detail: robots.detail },
    await hostStep(explainRequest, parts),
    limitStep(explainRequest),
  ]
  return {
    url: explainRequest.url,
    answer: summariseSteps(explainRequest, steps),
    is_known: explainRequest.row !== null,
    url_id: explainRequest.row?.id ?? null,
    steps,
  }
}

function scopeStep({ url, host, progress: { crawl } }: ExplainRequest): ExplanationStep {
  const { settings, seeds } = crawl
  const fault = findPatternError(settings)
  if (fault !== null) return { step: 'scope', outcome: 'unknown', detail: fault.message }
  switch (new Scope(settings, seeds).check(url, host)) {
    case null:
      return passedStep('scope', `It belongs to the crawl, whose scope is ${settings.scope}.`)
    case 'scope':
      return refusedStep('scope', `It lies outside the crawl, whose scope is ${settings.scope} of ${shortList(seeds)}.`)
    case 'not_included':
      return refusedStep('scope', `It matches none of the include patterns ${shortList(settings.include)}.`)
    case 'excluded_pattern': {
      const pattern = settings.exclude.find((text) => UrlPatterns.compile([text], 'exclude').matches(url)) ?? ''
      return refusedStep('scope', `It matches the exclude pattern ${pattern}.`)
    }
  }
}

function shapeStep({ url, progress: { crawl } }: ExplainRequest): ExplanationStep {
  const problem = findUrlShapeProblem(url, { ...DEFAULT_URL_SHAPE_LIMITS, ...crawl.settings })
  switch (problem) {
    case null:
      return passedStep('shape', 'Its path and query are of a sane shape.')
    case 'path_too_deep':
      return refusedStep('shape', `Its path has more than ${crawl.settings.maxPathSegments} parts.`)
    case 'too_many_parameters':
      return refusedStep('shape', `Its query has more than ${crawl.settings.maxQueryParams} parameters.`)
    case 'repeated_segments':
      return refusedStep('shape', 'Its path repeats itself, as in a loop of relative links.')
  }
}

async function filterStep(
  { url, progress: { crawl } }: ExplainRequest,
  parts: ExplainDependencies,
): Promise<ExplanationStep> {
  const lists = await parts.loadFilterLists(crawl.settings.filterLists)
  if (lists === null) return passedStep('filter', 'The crawl has no filter lists.')
  const filter = lists.match(url, crawl.rootUrl)
  return filter === null
    ? passedStep('filter', 'It matches no filter list.')
    : refusedStep('filter', `It matches the filter ${filter}.`)
}

function depthStep({ row, progress: { crawl } }: ExplainRequest): ExplanationStep {
  const { maxDepth } = crawl.settings
  if (row === null) {
    return maxDepth === null
      ? passedStep('depth', 'The crawl has no limit of depth.')
      : { step: 'depth', outcome: 'unknown', detail: `Nobody knows how deep it lies; the limit is ${maxDepth}.` }
  }
  if (maxDepth !== null && row.depth > maxDepth) {
    return refusedStep('depth', `It lies ${stepCount(row.depth)} from a start url; the limit is ${maxDepth}.`)
  }
  return passedStep(
    'depth',
    row.depth === 0 ? 'It is a start url.' : `It lies ${stepCount(row.depth)} from a start url.`,
  )
}

async function trapStep(
  { url, host, progress: { crawl } }: ExplainRequest,
  { diagnostics }: ExplainDependencies,
): Promise<ExplanationStep> {
  if (!crawl.settings.traps) return passedStep('trap', 'The crawl does not look for traps.')
  const pattern = host + toPathPattern(url)
  const capped = (await diagnostics.patterns(crawl.id)).some((row) => row.pattern === pattern && row.state === 'capped')
  if (capped) return refusedStep('trap', `It matches ${pattern}, a pattern that repeated itself without anything new.`)
  return passedStep('trap', 'It matches no excluded pattern.')
}

async function hostStep(
  { host, progress: { crawl } }: ExplainRequest,
  { browse }: ExplainDependencies,
): Promise<ExplanationStep> {
  const known = await browse.host(crawl.id, host)
  if (known === null) return { step: 'host', outcome: 'unknown', detail: `No crawl has met ${host} yet.` }
  if (known.isBlocked) return refusedStep('host', `${host} is blocked in this crawl.`)
  if (known.strikes > 0) return passedStep('host', `${host} is asked, but has refused or failed lately.`)
  return passedStep('host', `${host} is asked.`)
}

function limitStep({ progress }: ExplainRequest): ExplanationStep {
  const { crawl } = progress
  const { maxPages } = crawl.settings
  if (maxPages !== null && pageCount(progress) >= maxPages) {
    return refusedStep('limit', `The crawl has visited the ${maxPages} pages that it may.`)
  }
  if (crawl.reason !== null) return refusedStep('limit', `The crawl was ended: ${crawl.reason}.`)
  return passedStep('limit', 'The crawl has reached no limit.')
}

function summariseSteps({ row, progress: { crawl } }: ExplainRequest, steps: ExplanationStep[]): string {
  const obstacle = steps.find(({ outcome }) => outcome === 'refused')
  if (row === null) {
    if (obstacle !== undefined) return `The crawl does not know it, and would not visit it: ${obstacle.detail}`
    return 'The crawl does not know it: nothing that was visited links to it. Nothing else speaks against it.'
  }
  const reason = row.reason === null ? '' : ` (${row.reason})`
  switch (row.state) {
    case 'queued':
      return obstacle === undefined
        ? `It waits for its turn; the crawl is ${crawl.status}.`
        : `It is queued, but: ${obstacle.detail}`
    case 'in_progress':
      return 'A worker has it in hand.'
    case 'excluded':
      return `It was left out${reason === '' ? '' : `: ${row.reason}`}.`
    default:
      return `It ended as ${row.state.replace('_', ' ')}${reason} after ${row.attempts} ${row.attempts === 1 ? 'attempt' : 'attempts'}.`
  }
}

function passedStep(step: ExplanationStep['step'], detail: string): ExplanationStep {
  return { step, outcome: 'passed', detail }
}

function refusedStep(step: ExplanationStep['step'], detail: string): ExplanationStep {
  return { step, outcome: 'refused', detail }
}

function shortList(texts: readonly string[]): string {
  const shown = texts.slice(0, 3).join(', ')
  return texts.length > 3 ? `${shown} and ${texts.length - 3} more` : shown
}

function stepCount(depth: number): string {
  return depth === 1 ? '1 step' : `${depth} steps`
}
