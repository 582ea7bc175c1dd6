// Decides which pages of a crawl are rendered, and renders them. One per crawl and thread.

import { AppError } from '../../../lib/errors.ts'
import type { Completeness, RenderReport } from '../../../ports/render-patterns.ts'
import {
  DEFAULT_RENDER_LIMITS,
  type RenderedPage,
  type Renderer,
  type RenderSettings,
  type SubresourceSource,
} from '../../../ports/renderer.ts'
import type { FetchResponse } from '../../fetch/fetch-result.ts'
import { normaliseUrl } from '../../url/normalise-url.ts'
import type { UrlPatterns } from '../../url/url-patterns.ts'
import type { CrawlLog } from '../report/crawl-log.ts'
import { findLostRequests } from './lost-requests.ts'
import { toRendererResponse } from './page-subresources.ts'
import { type CandidatePage, type RenderChoice, RenderSamples } from './render-samples.ts'

export interface PageRendererSettings {
  render: 'auto' | 'all'
  include: UrlPatterns
  renderWait: string | null
  renderScroll: boolean
  screenshots: boolean
}

export interface PageRendererDependencies {
  renderer: Renderer
  crawlLog: CrawlLog
}

export interface PageToRender {
  url: string
  host: string
  result: FetchResponse
}

/** The reason of a visited page that looks empty and was not rendered. */
export const NEEDS_SCRIPTS = 'needs_javascript'
/** The reason of a start page that was not rendered and leads hardly anywhere, but has scripts that may add links. */
export const LINKS_NEED_SCRIPTS = 'links_need_javascript'

/**
 * A host is logged if this many of its pages in a row were blocked, with none rendered in between. Its pages are
 * rendered anyway: the order of pages differs between runs, but the set of rendered pages must not.
 */
const LOGGED_BLOCKED_PAGES = 5
const MAX_HOSTS = 10_000
const MAX_FILES = 10_000

export class PageRenderer {
  readonly #settings: PageRendererSettings
  readonly #request: RenderSettings
  readonly #dependencies: PageRendererDependencies
  readonly #samples = new RenderSamples()
  /** Pages blocked in a row, by host. */
  readonly #blockedPages = new Map<string, number>()
  /** Hosts whose requests failed up to the last attempt of a page on another host. */
  readonly #brokenHosts = new Set<string>()
  /** Files that pages have requested. A browser that has one does not request it again for each page. */
  readonly #received = new Set<string>()

  constructor(settings: PageRendererSettings, dependencies: PageRendererDependencies) {
    this.#settings = settings
    this.#dependencies = dependencies
    this.#request = toRenderSettings(settings)
  }

  /** Null if the page need not be rendered, whatever is learned later. */
  choose(page: CandidatePage): RenderChoice | null {
    const { render, include } = this.#settings
    if (!include.isEmpty && !include.matches(page.url)) return null
    return render === 'all' ? 'render' : this.#samples.choose(page)
  }

  /** The part of a rendered page's report about its gain; undefined if there is nothing to report. */
  noteGain(url: string, completeness: Completeness, hasGained: boolean): RenderReport | undefined {
    if (this.#settings.render === 'all') return undefined
    const pattern = this.#samples.noteResult(url, completeness, hasGained)
    return pattern === null ? undefined : { kind: 'gained', pattern }
  }

  /** Whether the pattern of a page is known to gain, so that its content must be received. */
  rendersPattern(url: string): boolean {
    return this.#settings.render === 'auto' && this.#samples.isGaining(url)
  }

  get learnedPatterns(): number {
    return this.#samples.storedCount
  }

  learnPatterns(patterns: readonly string[]): void {
    this.#samples.learn(patterns)
  }

  /** Reports may have been rejected, and with them the responses that their pages had requested. */
  reset(): void {
    this.#samples.reset()
    this.#received.clear()
    this.#dependencies.renderer.forgetResponses()
  }

  /** Null if other pages of its pattern are better samples by the time it would be rendered. */
  async renderSample(page: PageToRender, subresources: SubresourceSource): Promise<RenderedPage | null> {
    if (!(await this.#samples.takeTurn(page.url))) return null
    try {
      return await this.render(page, subresources)
    } finally {
      this.#samples.endTurn(page.url)
    }
  }

  /** Rejects only if the renderer is closed. A browser that does not start counts as one that crashed. */
  async render({ url, host, result }: PageToRender, subresources: SubresourceSource): Promise<RenderedPage> {
    const request = { url, response: toRendererResponse(result), settings: this.#request }
    const page = await this.#dependencies.renderer.render(request, subresources).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'BROWSER_FAILED') return crashedPage(url, error.message)
      throw error
    })
    this.#noteOutcome(host, page)
    this.#noteAnswers(page)
    const [lost] = page.outcome === 'rendered' ? findLostRequests(page) : []
    if (lost === undefined) return page
    return { ...page, outcome: 'render_incomplete', evidence: `${lost.url}: ${lost.blockedReason ?? lost.status}` }
  }

  /**
   * Whether another attempt may give a better page. A script of another host that is always broken, such as a counter
   * that is gone, costs the attempts of one page and not those of every page of the crawl.
   */
  mustRetry(host: string, page: RenderedPage, isLastAttempt: boolean): boolean {
    if (page.outcome === 'render_crashed') return !isLastAttempt
    if (page.outcome !== 'render_incomplete') return false
    const lostHosts = findLostRequests(page).map(({ url }) => new URL(url).host)
    if (!isLastAttempt) return lostHosts.some((lostHost) => lostHost === host || !this.#brokenHosts.has(lostHost))
    if (this.#brokenHosts.size >= MAX_HOSTS) this.#brokenHosts.clear()
    for (const lostHost of lostHosts) this.#brokenHosts.add(lostHost)
    return false
  }

  hasReceived(url: string): boolean {
    return this.#received.has(url)
  }

  #noteAnswers({ subrequests }: RenderedPage): void {
    if (this.#received.size > MAX_FILES) this.#received.clear()
    for (const { url, method, type, status } of subrequests) {
      // Style sheets lead on to images and fonts that the browser does not request.
      const target = method === 'GET' && type !== 'Stylesheet' && status === 200 ? normaliseUrl(url) : null
      if (target !== null && 'url' in target) this.#received.add(target.url)
    }
    if (this.#brokenHosts.size === 0) return
    for (const { url, status } of subrequests)
      if (status !== null && status < 400) this.#brokenHosts.delete(new URL(url).host)
  }

  #noteOutcome(host: string, { outcome, evidence }: RenderedPage): void {
    if (outcome === 'script_blocked') {
      const blocked = (this.#blockedPages.get(host) ?? 0) + 1
      if (this.#blockedPages.size >= MAX_HOSTS) this.#blockedPages.clear()
      this.#blockedPages.set(host, blocked)
      if (blocked === LOGGED_BLOCKED_PAGES) this.#dependencies.crawlLog.logHostBlocked(host, evidence)
    } else if (outcome === 'rendered') this.#blockedPages.delete(host)
  }
}

function toRenderSettings({ renderWait, renderScroll, screenshots }: PageRendererSettings): RenderSettings {
  return {
    waitFor: parseWait(renderWait),
    scroll: renderScroll,
    screenshot: screenshots,
    keepImages: screenshots,
    userAgent: null,
    limits: DEFAULT_RENDER_LIMITS,
  }
}

function parseWait(text: string | null): RenderSettings['waitFor'] {
  if (text === null) return null
  return /^\d+$/.test(text) ? { ms: Number(text) } : { selector: text }
}

function crashedPage(url: string, evidence: string): RenderedPage {
  const nothing = { html: null, routes: [], navigations: [], screenshot: null, subrequests: [], cpuMs: 0 }
  return { outcome: 'render_crashed', finalUrl: url, evidence, ...nothing }
}
