// Explains why a URL was or was not visited: the checks that a crawl makes before a request, each with its outcome. Works
// for URLs that the crawl does not know.

import type { z } from 'zod'
import { type HostPolicy, PolicyTable } from '../../config/policies/policy-table.ts'
import { findPatternError } from '../../engine/crawl/plan/find-pattern-error.ts'
import { Scope } from '../../engine/url/scope.ts'
import { UrlPatterns } from '../../engine/url/url-patterns.ts'
import { DEFAULT_URL_SHAPE_LIMITS, findUrlShapeProblem } from '../../engine/url/url-shape.ts'
import { toPathPattern } from '../../lib/path-pattern.ts'
import { spellCode } from '../../lib/spell-code.ts'
import { pageCount } from '../../lib/states.ts'
import type { PlannedRevisit } from '../../ports/browse.ts'
import { CRITICAL_PRIORITY } from '../../ports/control.ts'
import type { CrawlProgress } from '../../ports/crawls.ts'
import { PATTERN_STATE } from '../../ports/patterns.ts'
import { HOST_MAX_PAGES } from '../../ports/policies.ts'
import type { UrlRow } from '../../ports/urls.ts'
import type { Explanation } from '../contract/urls.ts'
import type { ApiDependencies } from '../handlers.ts'
import { describePolicy } from './explain-policy.ts'
import { explainProxy } from './explain-proxy.ts'
import { explainRendering } from './explain-rendering.ts'
import { explainRevisit } from './explain-revisit.ts'
import { explainStoredRobots } from './explain-stored-robots.ts'

export type ExplanationJson = z.output<typeof Explanation>
export type ExplanationStep = ExplanationJson['steps'][number]

export interface ExplainRequest {
  url: string
  host: string
  progress: CrawlProgress
  /** Null if the crawl does not know the URL. */
  row: UrlRow | null
  /** Null if the URL is not visited again. */
  revisit: PlannedRevisit | null
}

export interface ExplainDependencies
  extends Pick<ApiDependencies, 'browse' | 'diagnostics' | 'loadFilterLists' | 'clock'> {
  robots: Pick<ApiDependencies['robots'], 'find'>
  policies: Pick<ApiDependencies['policies'], 'list'>
}

export async function explainUrl(
  explainRequest: ExplainRequest,
  dependencies: ExplainDependencies,
): Promise<ExplanationJson> {
  const robots = await explainStoredRobots(explainRequest.url, explainRequest.progress.crawl.settings, dependencies)
  const policy = new PolicyTable(await dependencies.policies.list()).resolve(explainRequest.host)
  const steps: ExplanationStep[] = [
    passedStep('address', `${explainRequest.url} is a valid URL.`),
    scopeStep(explainRequest),
    shapeStep(explainRequest),
    await filterStep(explainRequest, dependencies),
    depthStep(explainRequest),
    await trapStep(explainRequest, dependencies),
    { step: 'robots', outcome: robots.outcome, detail: robots.detail },
    await hostStep(explainRequest, dependencies),
    policyStep(explainRequest, policy),
    limitStep(explainRequest),
    ...priorityStep(explainRequest, policy),
    ...explainProxy(explainRequest),
    ...explainRendering(explainRequest),
    ...explainRevisit(explainRequest),
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
  const patternError = findPatternError(settings)
  if (patternError !== null) return { step: 'scope', outcome: 'unknown', detail: patternError.message }
  switch (new Scope(settings, seeds).check(url, host)) {
    case null:
      return passedStep('scope', `It is in the scope of the crawl (${settings.scope}).`)
    case 'scope':
      return refusedStep('scope', `It is outside the scope of the crawl (${settings.scope} of ${shortList(seeds)}).`)
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
      return passedStep('shape', 'Its path and query look normal.')
    case 'path_too_deep':
      return refusedStep('shape', `Its path has more than ${crawl.settings.maxPathSegments} segments.`)
    case 'too_many_parameters':
      return refusedStep('shape', `Its query has more than ${crawl.settings.maxQueryParams} parameters.`)
    case 'repeated_segments':
      return refusedStep('shape', 'Its path has repeated segments, as in a loop of relative links.')
    case 'hidden_email':
      return refusedStep('shape', 'It is the placeholder of Cloudflare for an e-mail address, and has no page.')
  }
}

async function filterStep(
  { url, progress: { crawl } }: ExplainRequest,
  dependencies: ExplainDependencies,
): Promise<ExplanationStep> {
  const lists = await dependencies.loadFilterLists(crawl.settings.filterLists)
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
      ? passedStep('depth', 'The crawl has no depth limit.')
      : { step: 'depth', outcome: 'unknown', detail: `Its depth is unknown; the limit is ${maxDepth}.` }
  }
  if (maxDepth !== null && row.depth > maxDepth) {
    return refusedStep('depth', `It is ${stepCount(row.depth)} away from a start URL; the limit is ${maxDepth}.`)
  }
  if (row.kind === 'requisite')
    return passedStep('depth', 'It is part of a page, such as an image or a style sheet; the depth limit is for pages.')
  const source = row.isFromScript ? ' Only scripts name it; no page links to it.' : ''
  return passedStep(
    'depth',
    row.depth === 0 ? 'It is a start URL.' : `It is ${stepCount(row.depth)} away from a start URL.${source}`,
  )
}

async function trapStep(
  { url, host, row, progress: { crawl } }: ExplainRequest,
  { diagnostics }: ExplainDependencies,
): Promise<ExplanationStep> {
  if (!crawl.settings.traps) return passedStep('trap', 'Trap detection is off.')
  // URLs of an excluded pattern are still visited if pages outside of it link to them.
  if (row !== null && row.state !== 'excluded') return passedStep('trap', 'It is not excluded as part of a trap.')
  const pattern = host + toPathPattern(url)
  const rows = await diagnostics.patterns(crawl.id)
  if (rows.some((row) => row.pattern === pattern && row.state === PATTERN_STATE.excluded))
    return refusedStep('trap', `It matches the URL pattern ${pattern}, which produced no new content.`)
  return passedStep('trap', 'It matches no excluded URL pattern.')
}

async function hostStep(
  { host, progress: { crawl } }: ExplainRequest,
  { browse }: ExplainDependencies,
): Promise<ExplanationStep> {
  const known = await browse.host(crawl.id, host)
  if (known === null) return { step: 'host', outcome: 'unknown', detail: `The crawl has not found ${host} yet.` }
  if (known.isBlocked) return refusedStep('host', `${host} is blocked in this crawl.`)
  if (known.strikes > 0)
    return passedStep('host', `Requests to ${host} are allowed, but it has refused or failed some recently.`)
  return passedStep('host', `Requests to ${host} are allowed.`)
}

function policyStep({ host, row, progress: { crawl } }: ExplainRequest, policy: HostPolicy | null): ExplanationStep {
  if (policy === null) return passedStep('policy', `No policy applies to ${host}.`)
  if (row?.reason === HOST_MAX_PAGES) {
    const { maxPages, patterns } = policy
    const limit = maxPages === null ? 'its limit of pages' : `the ${maxPages} pages of the policy ${patterns.maxPages}`
    return refusedStep('policy', `${host} has reached ${limit}.`)
  }
  const sentences = describePolicy(policy, crawl.settings)
  return passedStep('policy', sentences.join(' ') || `The policies of ${host} change nothing in this crawl.`)
}

/** The order of hosts depends on it, not whether a URL is visited. */
function priorityStep({ row }: ExplainRequest, policy: HostPolicy | null): ExplanationStep[] {
  if (row === null) return []
  if (row.priority === CRITICAL_PRIORITY) return [passedStep('priority', 'It is critical: it goes before all others.')]
  const weight = policy?.weight ?? 1
  const detail = `Its priority is ${row.priority} of 10`
  const weighted = `${detail}, and its host has the weight ${weight} (policy ${policy?.patterns.weight ?? ''}).`
  return [passedStep('priority', weight === 1 ? `${detail}.` : weighted)]
}

function limitStep({ progress }: ExplainRequest): ExplanationStep {
  const { crawl } = progress
  const { maxPages } = crawl.settings
  if (maxPages !== null && pageCount(progress) >= maxPages) {
    return refusedStep('limit', `The crawl has reached its limit of ${maxPages} pages.`)
  }
  if (crawl.reason !== null) return refusedStep('limit', `The crawl has ended: ${crawl.reason.replaceAll('_', ' ')}.`)
  return passedStep('limit', 'The crawl has reached no limit.')
}

function summariseSteps({ row, progress: { crawl } }: ExplainRequest, steps: ExplanationStep[]): string {
  const obstacle = steps.find(({ outcome }) => outcome === 'refused')
  if (row === null) {
    if (obstacle !== undefined) return `The crawl has not found this URL and would not visit it. ${obstacle.detail}`
    return 'The crawl has not found this URL: no visited page links to it. Otherwise it would be visited.'
  }
  const reason = row.reason === null ? '' : `: ${readableReason(row.reason)}`
  switch (row.state) {
    case 'queued':
      return obstacle === undefined
        ? `It is queued; the crawl is ${crawl.status}.`
        : `It is queued, but: ${obstacle.detail}`
    case 'in_progress':
      return 'A worker is visiting it.'
    case 'excluded':
      return `It was excluded${reason}.`
    default:
      return `${ENDED[row.state]} after ${row.attempts} ${row.attempts === 1 ? 'attempt' : 'attempts'}${reason}.`
  }
}

const ENDED = {
  visited: 'Visited',
  redirected: 'Redirected',
  forbidden: 'Forbidden',
  not_found: 'Not found',
  http_error: 'HTTP error',
  failed: 'Failed',
} as const satisfies Partial<Record<UrlRow['state'], string>>

/** Codes lose their underscores; a line of robots.txt or a trap pattern stays as it is. */
function readableReason(reason: string): string {
  return /^\w+(?:: \w+)?$/.test(reason) ? spellCode(reason) : reason
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
