// The responses of the servers of a generated web, and their latency.

import type { FetchResult } from '../../../../src/engine/fetch/fetch-result.ts'
import { EMPTY_RESPONSE } from '../../../../src/engine/fetch/testing/empty-response.ts'
import { VIRTUAL_START } from '../virtual-timeline.ts'
import type { GeneratedHost, GeneratedPage, GeneratedWeb } from './generated-web.ts'

export interface WebResponse {
  latencyMs: number
  result: FetchResult
}

const ROBOTS_LATENCY_MS = 30
const REFUSAL_LATENCY_MS = 2
const PLAIN = 'text/plain'

/** `earlierRequests` counts earlier requests for this URL. */
export function respondTo(generatedWeb: GeneratedWeb, url: string, earlierRequests: number): WebResponse {
  const { host, pathname } = new URL(url)
  const known = generatedWeb.hosts.get(host)
  if (known === undefined) throw new Error(`No host serves ${url}.`)
  if (pathname === '/robots.txt') return robotsOf(known, earlierRequests)
  if (known.sitemap?.url === url)
    return respond(ROBOTS_LATENCY_MS, { text: sitemapOf(known.sitemap.lists, earlierRequests), type: 'text/xml' })
  const page = generatedWeb.pages.get(url)
  if (page === undefined) throw new Error(`${url} was requested, but nothing links to it.`)
  return pageOf(page, earlierRequests)
}

/** Every time it is read, it says that its pages have changed. Some of the times are only days. */
function sitemapOf(urls: string[], earlierRequests: number): string {
  const entries = urls.map((url, i) => {
    const time = new Date(
      VIRTUAL_START + (i % 3 === 0 ? 86_400_000 * earlierRequests : 5000 * earlierRequests),
    ).toISOString()
    const lastmod = i % 3 === 0 ? time.slice(0, 10) : time
    return `<url><loc>${url}</loc><lastmod>${lastmod}</lastmod><changefreq>daily</changefreq></url>`
  })
  return `<urlset>${entries.join('')}</urlset>`
}

function robotsOf(host: GeneratedHost, earlierRequests: number): WebResponse {
  if (earlierRequests < host.robotsFailures) return respond(ROBOTS_LATENCY_MS, { status: 503 })
  const lines = ['User-agent: *']
  if (host.disallow !== null) lines.push(`Disallow: ${host.disallow}`)
  if (host.crawlDelayMs > 0) lines.push(`Crawl-delay: ${host.crawlDelayMs / 1000}`)
  if (host.sitemap !== null) lines.push(`Sitemap: ${host.sitemap.url}`)
  return lines.length === 1
    ? respond(ROBOTS_LATENCY_MS, { status: 404 })
    : respond(ROBOTS_LATENCY_MS, { text: lines.join('\n'), type: PLAIN })
}

const STATUS = { missing: 404, forbidden: 403, gone: 410, broken: 500 } as const

function pageOf({ kind, links, latencyMs, failures }: GeneratedPage, earlierRequests: number): WebResponse {
  const text = links.map((link) => `<a href="${link}">x</a>`).join('')
  switch (kind) {
    case 'page':
      return respond(latencyMs, { text })
    case 'flaky':
      return earlierRequests < failures ? respond(latencyMs, { status: 503 }) : respond(latencyMs, { text })
    case 'dropped':
      return earlierRequests < failures ? dropConnection(latencyMs) : respond(latencyMs, { text })
    case 'redirect':
      return respond(latencyMs, { status: 302, location: links[0] ?? null })
    default:
      return respond(latencyMs, { status: STATUS[kind] })
  }
}

/** Half of the URLs have an ETag, which never changes. */
export function respondConditionally(
  { latencyMs, result }: WebResponse,
  { url, etag }: { url: string; etag: string | null },
): WebResponse {
  if (result.kind === 'failure' || result.status !== 200 || url.length % 2 === 0) return { latencyMs, result }
  const own = `"${url}"`
  return etag === own ? respond(latencyMs, { status: 304, etag: own }) : { latencyMs, result: { ...result, etag: own } }
}

/** The response of an overloaded host. */
export function respondOverloaded(): WebResponse {
  return respond(REFUSAL_LATENCY_MS, { status: 503 })
}

function dropConnection(fetchMs: number): WebResponse {
  const failure = { problem: 'connection_lost' as const, detail: '', wireBytes: 0, ip: null, cname: null }
  return { latencyMs: fetchMs, result: { kind: 'failure', ...failure, fetchMs } }
}

interface Content {
  status?: number
  text?: string
  type?: string
  location?: string | null
  etag?: string | null
}

function respond(
  latencyMs: number,
  { status = 200, text = '', type = 'text/html', location = null, etag = null }: Content,
): WebResponse {
  const body = Buffer.from(text)
  const times = { ttfbMs: latencyMs, fetchMs: latencyMs }
  const result = {
    ...EMPTY_RESPONSE,
    status,
    contentType: type,
    location,
    etag,
    body,
    wire: body,
    wireBytes: body.length,
  }
  return { latencyMs, result: { ...result, ...times } }
}
