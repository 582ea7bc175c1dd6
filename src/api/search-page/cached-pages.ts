// Cached copies: the archived page of a result, in a frame below a line that identifies it.

import type { Hono } from 'hono'
import { replayPath } from '../../engine/replay/replay-links.ts'
import { AppError } from '../../lib/errors.ts'
import { RateLimiter } from '../auth/rate-limiter.ts'
import type { ApiDependencies } from '../handlers.ts'
import type { ApiContext, ApiEnv } from '../http/request-context.ts'
import { mountReplayAt } from '../replay/mount-replay.ts'
import { cachedPage, messagePage, type PageFrame } from './page-html.ts'
import { htmlResponse } from './page-response.ts'
import type { PublicCrawls } from './public-crawls.ts'

const ROOT = '/search/cached'
/** A page consists of many parts. */
const PARTS_PER_SEARCH = 20
const BURST_SECONDS = 5
const MIN_BURST = 100

interface CachedPageInputs {
  mountPage(path: string, render: (c: ApiContext) => Promise<Response>): void
  frame: PageFrame
  publicCrawls: PublicCrawls
  dependencies: ApiDependencies
}

export function mountCachedPages(
  app: Hono<ApiEnv>,
  { mountPage, frame, publicCrawls, dependencies }: CachedPageInputs,
): void {
  const { pages, guard, clock, config } = dependencies
  mountPage(ROOT, async (c) => {
    const id = Number(c.req.query('page') ?? 0)
    const version = Number.isSafeInteger(id) && id > 0 ? await pages.find(id) : null
    // A page of another crawl is treated like a page that does not exist.
    if (version === null || !publicCrawls.includes(version.crawlId) || !version.isArchived) {
      const text = 'There is no copy of this page. It may have expired.'
      return htmlResponse(await messagePage(frame, 'Not found', text), 404)
    }
    const { url, visitedAt, crawlId } = version
    const src = `${ROOT}/${crawlId}/${replayPath('page', url, visitedAt)}`
    return htmlResponse(await cachedPage(frame, { url, visitedAt, src }))
  })
  const perSecond = config.publicSearchRate * PARTS_PER_SEARCH
  const limiter = new RateLimiter({ perSecond, burst: Math.max(MIN_BURST, perSecond * BURST_SECONDS) }, clock)
  mountReplayAt(app, { path: `${ROOT}/:crawl`, route: `${ROOT}/{crawl}` }, dependencies, async (c) => {
    const crawlId = c.req.param('crawl') ?? ''
    if (limiter.take(guard.clientIdentityOf(c.env.incoming).address) > 0) {
      throw new AppError('RATE_LIMITED', 'Too many requests. Try again later.')
    }
    return publicCrawls.includes(crawlId) ? { crawlId, root: `${ROOT}/${crawlId}/` } : null
  })
}
