// Answers the requests of a page while it is rendered: one at a time, GET only, after the filter lists, robots.txt
// and (in the client) the address guard have allowed it.

import type { Clock } from '../../../lib/clock.ts'
import { isSameSite } from '../../../lib/site.ts'
import {
  isDataRequest,
  type SubresourceRequest,
  type SubresourceResponse,
  type SubresourceSource,
} from '../../../ports/renderer.ts'
import type { FetchResponse, FetchResult } from '../../fetch/fetch-result.ts'
import { ANONYMOUS, forwardedHeaders } from '../../fetch/headers.ts'
import { computeGapMs } from '../../politeness/gap.ts'
import { MAX_RETRY_AFTER_MS } from '../../politeness/host-health.ts'
import { parseRetryAfterMs } from '../../politeness/retry-after.ts'
import type { RobotsChecker } from '../../robots/robots-checker.ts'
import type { FilterList } from '../../url/filter-list.ts'
import { normaliseUrl } from '../../url/normalise-url.ts'
import type { Subrequests } from '../loop/subrequests.ts'

export interface SubresourceDependencies {
  subrequests: Subrequests
  robotsChecker: RobotsChecker
  filters: FilterList | null
  clock: Clock
  delayMs: number | 'auto'
}

interface Permission {
  blockedReason: string | null
  crawlDelayMs: number
}

/** A response that a page was the first to ask for. */
export interface Subresponse {
  url: string
  response: FetchResponse
  receivedAt: number
}

/** The subresources of one page. After the page has ended, or all requests were dropped, nothing is sent for it. */
export class PageSubresources implements SubresourceSource {
  /** Responses that came from the network. */
  readonly received: Subresponse[] = []
  readonly #dependencies: SubresourceDependencies
  readonly #epoch: number
  #isClosed = false
  #last: Promise<unknown> = Promise.resolve()

  constructor(dependencies: SubresourceDependencies) {
    this.#dependencies = dependencies
    this.#epoch = dependencies.subrequests.epoch
  }

  /** Never rejects: the caller is a browser. A failing store is reported by the code that needs it for the crawl. */
  fetch(subresourceRequest: SubresourceRequest): Promise<SubresourceResponse> {
    const next = this.#last.then(() => this.#fetchNow(subresourceRequest)).catch(() => this.#interrupt())
    this.#last = next
    return next
  }

  /** The page has ended. */
  close(): void {
    this.#isClosed = true
  }

  get #isOver(): boolean {
    return this.#isClosed || this.#epoch !== this.#dependencies.subrequests.epoch
  }

  /** A request may have been sent. */
  #interrupt(): SubresourceResponse {
    return { ...refuse(INTERRUPTED_REASON), gapMs: computeGapMs(this.#dependencies.delayMs, 0) }
  }

  async #fetchNow({ url, method, type, pageUrl, validators, ...request }: SubresourceRequest) {
    if (this.#isOver) return refuse(INTERRUPTED_REASON)
    if (method !== 'GET') return refuse('method')
    const target = normaliseUrl(url)
    if ('problem' in target) return refuse(target.problem)
    const { subrequests, filters, delayMs, clock } = this.#dependencies
    const filter = filters?.match(target.url, pageUrl) ?? null
    if (filter !== null) return refuse('filter_list')
    const { blockedReason, crawlDelayMs } = await this.#checkRobots(target.url, pageUrl)
    if (blockedReason !== null) return refuse(blockedReason)
    if (this.#isOver) return refuse(INTERRUPTED_REASON)
    const isWanted = () => !this.#isOver
    const isOwnHost = target.host === new URL(pageUrl).host
    const forwarded = isDataRequest(type) ? forwardedHeaders(request.headers) : []
    // Scripts can read responses of other sites that allow it, so these are requested without cookies and credentials.
    const isOfSite = isSameSite({ url: target.url, pageUrl, headers: request.headers })
    const headers = isOfSite ? forwarded : [...forwarded, ANONYMOUS]
    const wanted = { host: target.host, url: target.url, isOwnHost, validators, headers, isWanted }
    const result = await subrequests.fetch(wanted)
    if (result === null) return this.#interrupt()
    const gapMs = Math.max(computeGapMs(delayMs, result.fetchMs), crawlDelayMs, pauseMs(result, clock.now()))
    if (result.kind === 'failure') return { ...refuse(result.problem), gapMs }
    this.received.push({ url: target.url, response: result, receivedAt: clock.now() })
    if (result.truncated) return { ...refuse('body_too_large'), gapMs }
    return { ...toRendererResponse(result), isFromCache: false, blockedReason: null, gapMs }
  }

  /** Fetches the rules if necessary, and keeps the gap before the request that follows. */
  async #checkRobots(url: string, pageUrl: string): Promise<Permission> {
    const { robotsChecker, subrequests, clock, delayMs } = this.#dependencies
    for (let steps = 0; ; steps += 1) {
      const permission = robotsChecker.check(url)
      if (permission.kind === 'allowed') return { blockedReason: null, crawlDelayMs: permission.crawlDelayMs }
      if (permission.kind === 'denied') return { blockedReason: 'robots', crawlDelayMs: 0 }
      if (permission.kind === 'unreachable' || steps === MAX_ROBOTS_STEPS)
        return { blockedReason: ROBOTS_UNREACHABLE_REASON, crawlDelayMs: 0 }
      if (permission.kind === 'unknown') await robotsChecker.loadStoredRules(url)
      // The rules have just expired. The next URL of the host fetches them, within its gap.
      else if (this.#isOver || new URL(url).origin === new URL(pageUrl).origin)
        return { blockedReason: INTERRUPTED_REASON, crawlDelayMs: 0 }
      else {
        const endRequest = await subrequests.waitForThrottle(url, () => !this.#isOver)
        if (endRequest === null) return { blockedReason: INTERRUPTED_REASON, crawlDelayMs: 0 }
        const rules = robotsChecker.fetchRules(url, computeGapMs(delayMs, 0), subrequests.deadline(null))
        const { fetchMs } = await rules.finally(endRequest)
        await new Promise<void>((resolve) => clock.after(computeGapMs(delayMs, fetchMs), resolve))
      }
    }
  }
}

/** The page has ended, or the crawl stops. Another page that waits for the same URL asks again. */
export const INTERRUPTED_REASON = 'interrupted'
export const ROBOTS_UNREACHABLE_REASON = 'robots_unreachable'
const NO_BODY = new Uint8Array()
/** Load, fetch, and once more if the rules were evicted in between. */
const MAX_ROBOTS_STEPS = 4

/** Longer pauses are cut, like those of leased hosts. */
function pauseMs(result: FetchResult, now: number): number {
  return result.kind === 'failure' ? 0 : Math.min(MAX_RETRY_AFTER_MS, parseRetryAfterMs(result.retryAfter, now))
}

function refuse(blockedReason: string): SubresourceResponse {
  return { status: 0, headers: [], body: NO_BODY, isFromCache: false, blockedReason, gapMs: 0 }
}

export function toRendererResponse({ status, rawHeaders, body }: FetchResponse) {
  const headers: [string, string][] = []
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) headers.push([rawHeaders[i] ?? '', rawHeaders[i + 1] ?? ''])
  return { status, headers, body }
}
