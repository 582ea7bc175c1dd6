// Operations on one page outside a crawl: the decision of robots.txt, rendering, and extraction.

import { checkRobots as fetchAndCheckRobots } from '../cli/single-page/check-robots.ts'
import type { ExtractedPage } from '../cli/single-page/extract-page.ts'
import type { ExtractRule } from '../config/values/extract-rules.ts'
import type { RenderOutcome, Subrequest } from '../ports/renderer.ts'
import { openers } from '../setup/openers.ts'
import { parseRules, type RequestOptions, toRequestConfig } from './options.ts'

export interface RobotsAnswer {
  url: string
  isAllowed: boolean
  because: string
  /** The rule that decides; null if none matches. */
  rule: { line: number; text: string } | null
  /** The user agent of the group that applies. */
  group: string | null
  crawlDelayMs: number | null
  /** The URL of robots.txt after redirects, and the result of the request. */
  file: string
  answer: string
  sitemaps: string[]
}

/** Fetches the robots.txt of a host and explains its decision about a URL. */
export async function checkRobots(url: string, options: RequestOptions = {}): Promise<RobotsAnswer> {
  const found = await fetchAndCheckRobots(url, toRequestConfig(options), openers)
  const { allowed: isAllowed, crawl_delay_ms: crawlDelayMs, ...rest } = found
  return { ...rest, isAllowed, crawlDelayMs }
}

export interface RenderResult {
  outcome: RenderOutcome
  /** Status of the response. */
  status: number
  /** The DOM after the scripts have run; null if it could not be read. */
  html: string | null
  /** Changed by scripts that use the history. */
  url: string
  /** URLs that scripts pushed to the history or tried to open. */
  routes: string[]
  navigations: string[]
  requests: Pick<Subrequest, 'url' | 'type' | 'status' | 'bytes' | 'blockedReason'>[]
  cpuMs: number
  /** The rule or limit that ended the page; null if it was rendered. */
  evidence: string | null
}

/** Opens a page in a browser without network access, and returns the result of its scripts. */
export async function renderPage(url: string, options: RequestOptions = {}): Promise<RenderResult> {
  const { renderPage: render } = await import('../cli/single-page/render-page.ts')
  const { subrequests, finalUrl, ...page } = await render(url, toRequestConfig(options), openers)
  const { outcome, status, html, routes, navigations, cpuMs, evidence } = page
  const requests = subrequests.map(({ url, type, status, bytes, blockedReason }) => ({
    url,
    type,
    status,
    bytes,
    blockedReason,
  }))
  return { outcome, status, html, url: finalUrl, routes, navigations, requests, cpuMs, evidence }
}

/** Applies extraction rules to a page that is fetched now, or to an HTML file; without rules, its structured data. */
export async function extractPage(
  urlOrFile: string,
  rules: readonly ExtractRule[] = [],
  options: RequestOptions = {},
): Promise<ExtractedPage> {
  const { extractPage: extract } = await import('../cli/single-page/extract-page.ts')
  return extract(urlOrFile, { ...toRequestConfig(options), rules: parseRules(rules) }, openers)
}
