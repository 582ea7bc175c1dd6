// Renders one page as a crawl will see it. The browser has no network access: requests of the page are made here, one
// at a time, through the same client and address guard as for pages of a crawl.

import type { Config } from '../../config/schema.ts'
import type { Fetcher, FetchResponse } from '../../engine/fetch/fetch-result.ts'
import { forwardedHeaders } from '../../engine/fetch/headers.ts'
import { normaliseUrl } from '../../engine/url/normalise-url.ts'
import {
  DEFAULT_RENDER_LIMITS,
  isDataRequest,
  type RenderedPage,
  type SubresourceSource,
} from '../../ports/renderer.ts'
import type { Openers } from '../io.ts'
import { fetchOnce, fetchPage, withFetcher } from './fetch-page.ts'

const SETTINGS = {
  waitFor: null,
  scroll: false,
  screenshot: false,
  keepImages: false,
  userAgent: null,
  limits: DEFAULT_RENDER_LIMITS,
}

export interface RenderedResponse extends RenderedPage {
  status: number
  /** The HTML of the response, before scripts ran. */
  plainHtml: string
}

export async function renderPage(
  named: string,
  config: Config,
  openers: Pick<Openers, 'openFetcher' | 'openRenderer'>,
): Promise<RenderedResponse> {
  return withFetcher(named, config, openers, async (fetcher, url) => {
    const renderer = await openers.openRenderer(config)
    try {
      const response = await fetchPage(fetcher, url)
      const request = { url, response: toRendered(response), settings: SETTINGS }
      const page = await renderer.render(request, subresourcesOf(fetcher))
      return { ...page, status: response.status, plainHtml: response.body.toString() }
    } finally {
      await renderer.close()
    }
  })
}

function toRendered({ status, rawHeaders, body }: FetchResponse) {
  const headers: [string, string][] = []
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) headers.push([rawHeaders[i] ?? '', rawHeaders[i + 1] ?? ''])
  return { status, headers, body }
}

/** A page like any visitor sees it: no other method than GET, and never two requests at a time. */
function subresourcesOf(fetcher: Fetcher): SubresourceSource {
  let last: Promise<unknown> = Promise.resolve()
  const blocked = (blockedReason: string) => ({
    status: 0,
    headers: [],
    body: new Uint8Array(),
    isFromCache: false,
    blockedReason,
    gapMs: 0,
  })
  return {
    async fetch({ url, method, type, headers }) {
      const wanted = normaliseUrl(url)
      if (method !== 'GET') return blocked('method')
      if ('problem' in wanted) return blocked('url')
      const forwarded = isDataRequest(type) ? forwardedHeaders(headers) : []
      const next = last.then(() => fetchOnce(fetcher, wanted.url, forwarded))
      last = next
      const result = await next
      if (result.kind === 'failure') return blocked(result.problem)
      return { ...toRendered(result), isFromCache: false, blockedReason: null, gapMs: 0 }
    },
  }
}
