// Why a url was visited or not: the steps that a crawl takes before it asks for one, each with its outcome. Works for a
// url that the crawl has never heard of.

import type { z } from 'zod'
import { patternFault } from '../../engine/crawl/pattern-check.ts'
import { shapeOf } from '../../engine/traps/shape.ts'
import { UrlPatterns } from '../../engine/url/patterns.ts'
import { Scope } from '../../engine/url/scope.ts'
import { DEFAULT_SHAPE_LIMITS, shapeProblem } from '../../engine/url/shape.ts'
import type { CrawlProgress } from '../../ports/crawls.ts'
import { pageCount } from '../../ports/state.ts'
import type { UrlRow } from '../../ports/urls.ts'
import type { Explanation } from '../contract/urls.ts'
import type { ApiParts } from '../handlers.ts'
import { explainRobots } from './explain-robots.ts'

export type ExplanationJson = z.output<typeof Explanation>
export type Step = ExplanationJson['steps'][number]

export interface Asked {
  url: string
  host: string
  progress: CrawlProgress
  /** What the crawl knows of it, if anything. */
  row: UrlRow | null
}

type ExplainParts = Pick<ApiParts, 'browse' | 'manners' | 'robots' | 'loadFilterLists' | 'clock'>

export async function explain(asked: Asked, parts: ExplainParts): Promise<ExplanationJson> {
  const robots = await explainRobots(asked.url, asked.progress.crawl.settings, parts)
  const steps: Step[] = [
    passed('address', `${asked.url} is a url that can be visited.`),
    scopeStep(asked),
    shapeStep(asked),
    await filterStep(asked, parts),
    depthStep(asked),
    await trapStep(asked, parts),
    { step: 'robots', outcome: robots.outcome, detail: robots.detail },
    await hostStep(asked, parts),
    limitStep(asked),
  ]
  return {
    url: asked.url,
    answer: answerOf(asked, steps),
    is_known: asked.row !== null,
    url_id: asked.row?.id ?? null,
    steps,
  }
}

function scopeStep({ url, host, progress: { crawl } }: Asked): Step {
  const { settings, seeds } = crawl
  const fault = patternFault(settings)
  if (fault !== null) return { step: 'scope', outcome: 'unknown', detail: fault.message }
  switch (new Scope(settings, seeds).judge(url, host)) {
    case null:
      return passed('scope', `It belongs to the crawl, whose scope is ${settings.scope}.`)
    case 'scope':
      return refused('scope', `It lies outside the crawl, whose scope is ${settings.scope} of ${shortList(seeds)}.`)
    case 'not_included':
      return refused('scope', `It matches none of the include patterns ${shortList(settings.include)}.`)
    case 'excluded_pattern': {
      const pattern = settings.exclude.find((text) => UrlPatterns.of([text], 'exclude').matches(url)) ?? ''
      return refused('scope', `It matches the exclude pattern ${pattern}.`)
    }
  }
}

function shapeStep({ url, progress: { crawl } }: Asked): Step {
  const problem = shapeProblem(url, { ...DEFAULT_SHAPE_LIMITS, ...crawl.settings })
  switch (problem) {
    case null:
      return passed('shape', 'Its path and query are of a sane shape.')
    case 'path_too_deep':
      return refused('shape', `Its path has more than ${crawl.settings.maxPathSegments} parts.`)
    case 'too_many_parameters':
      return refused('shape', `Its query has more than ${crawl.settings.maxQueryParams} parameters.`)
    case 'repeated_segments':
      return refused('shape', 'Its path repeats itself, as in a loop of relative links.')
  }
}

async function filterStep({ url, progress: { crawl } }: Asked, parts: ExplainParts): Promise<Step> {
  const lists = await parts.loadFilterLists(crawl.settings.filterLists)
  if (lists === null) return passed('filter', 'The crawl has no filter lists.')
  const filter = lists.match(url, crawl.rootUrl)
  return filter === null
    ? passed('filter', 'It matches no filter list.')
    : refused('filter', `It matches the filter ${filter}.`)
}

function depthStep({ row, progress: { crawl } }: Asked): Step {
  const { maxDepth } = crawl.settings
  if (row === null) {
    return maxDepth === null
      ? passed('depth', 'The crawl has no limit of depth.')
      : { step: 'depth', outcome: 'unknown', detail: `Nobody knows how deep it lies; the limit is ${maxDepth}.` }
  }
  if (maxDepth !== null && row.depth > maxDepth) {
    return refused('depth', `It lies ${stepCount(row.depth)} from a start url; the limit is ${maxDepth}.`)
  }
  return passed('depth', row.depth === 0 ? 'It is a start url.' : `It lies ${stepCount(row.depth)} from a start url.`)
}

async function trapStep({ url, host, progress: { crawl } }: Asked, { manners }: ExplainParts): Promise<Step> {
  if (!crawl.settings.traps) return passed('trap', 'The crawl does not look for traps.')
  const pattern = host + shapeOf(url)
  const capped = (await manners.patterns(crawl.id)).some((row) => row.pattern === pattern && row.state === 'capped')
  if (capped) return refused('trap', `It matches ${pattern}, a pattern that repeated itself without anything new.`)
  return passed('trap', 'It matches no excluded pattern.')
}

async function hostStep({ host, progress: { crawl } }: Asked, { browse }: ExplainParts): Promise<Step> {
  const known = await browse.host(crawl.id, host)
  if (known === null) return { step: 'host', outcome: 'unknown', detail: `No crawl has met ${host} yet.` }
  if (known.isBlocked) return refused('host', `${host} is blocked in this crawl.`)
  if (known.strikes > 0) return passed('host', `${host} is asked, but has refused or failed lately.`)
  return passed('host', `${host} is asked.`)
}

function limitStep({ progress }: Asked): Step {
  const { crawl } = progress
  const { maxPages } = crawl.settings
  if (maxPages !== null && pageCount(progress) >= maxPages) {
    return refused('limit', `The crawl has visited the ${maxPages} pages that it may.`)
  }
  if (crawl.reason !== null) return refused('limit', `The crawl was ended: ${crawl.reason}.`)
  return passed('limit', 'The crawl has reached no limit.')
}

function answerOf({ row, progress: { crawl } }: Asked, steps: Step[]): string {
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

function passed(step: Step['step'], detail: string): Step {
  return { step, outcome: 'passed', detail }
}

function refused(step: Step['step'], detail: string): Step {
  return { step, outcome: 'refused', detail }
}

function shortList(texts: readonly string[]): string {
  const shown = texts.slice(0, 3).join(', ')
  return texts.length > 3 ? `${shown} and ${texts.length - 3} more` : shown
}

function stepCount(depth: number): string {
  return depth === 1 ? '1 step' : `${depth} steps`
}
