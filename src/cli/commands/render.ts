// Renders one page as a crawl will see it. The browser has no network: what the page asks for is fetched here, one
// request at a time, through the same client and address guard as pages of a crawl.

import { REQUEST_SETTINGS } from '../../config/command-settings.ts'
import { jsonLine } from '../../engine/export/jsonl.ts'
import type { Fetcher, FetchResponse } from '../../engine/fetch/fetch-result.ts'
import { forwardedHeaders } from '../../engine/fetch/headers.ts'
import { normaliseUrl } from '../../engine/url/normalise-url.ts'
import { AppError, EXIT } from '../../lib/errors.ts'
import {
  DEFAULT_RENDER_LIMITS,
  isDataRequest,
  type RenderedPage,
  type SubresourceSource,
} from '../../ports/renderer.ts'
import { fetchOnce, fetchPage } from '../fetch-page.ts'
import { pluralize, sanitizeText } from '../format/units.ts'
import type { Command } from '../io.ts'
import { requireUrl } from '../required-arguments.ts'

const SETTINGS = {
  waitFor: null,
  scroll: false,
  screenshot: false,
  keepImages: false,
  userAgent: null,
  limits: DEFAULT_RENDER_LIMITS,
}

export const render: Command = {
  usage: '<url>',
  help: 'Open a page in a browser without network, and print its HTML after its scripts have run.',
  maxArguments: 1,
  localReason: 'it opens the page in a browser of this machine.',
  settings: ['config', 'browser', ...REQUEST_SETTINGS, 'maxBody', 'json'],
  async run(config, args, io) {
    const text = requireUrl(args, 'render', io)
    const target = normaliseUrl(text)
    if ('problem' in target) throw new AppError('BAD_SEED', `"${text}" is not an http or https URL.`)
    const renderer = await io.openRenderer(config)
    const fetcher = await io.openFetcher(config, [target.url])
    try {
      const response = await fetchPage(fetcher, target.url)
      const page = await renderer.render(
        { url: target.url, response: toRendered(response), settings: SETTINGS },
        subresourcesOf(fetcher),
      )
      io.stdout.write(
        config.json ? jsonLine(toJson(page, response.status)) : `${page.html ?? response.body.toString()}\n`,
      )
      if (!config.json) io.stderr.write(`${summaryOf(page, response.status)}\n`)
      return page.outcome === 'rendered' ? EXIT.completed : EXIT.failed
    } finally {
      await renderer.close()
      await fetcher.close()
    }
  },
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

function toJson(page: RenderedPage, status: number) {
  const { outcome, evidence, html, finalUrl, routes, navigations, subrequests, cpuMs } = page
  const requests = subrequests.map(({ blockedReason, isFromCache: _, method: __, ...request }) => ({
    ...request,
    blocked: blockedReason,
  }))
  return {
    outcome,
    evidence,
    http_status: status,
    url: finalUrl,
    html,
    routes,
    navigations,
    requests,
    cpu_ms: Math.round(cpuMs),
  }
}

function summaryOf({ outcome, evidence, subrequests, finalUrl }: RenderedPage, status: number): string {
  const requests = pluralize(subrequests.filter(({ status }) => status !== null).length, 'request')
  if (outcome === 'rendered') return `Rendered ${sanitizeText(finalUrl)} (HTTP ${status}) with ${requests}.`
  const reason = evidence === null ? '' : ` (${sanitizeText(evidence)})`
  return `Not rendered: ${outcome.replaceAll('_', ' ')}${reason}. The HTML is what was there by then.`
}
