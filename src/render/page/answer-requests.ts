// Answers every request of a page: the first one with the given document, the others through the crawl thread or its cache.

import type { ResourceType, Subrequest, SubresourceResponse } from '../../ports/renderer.ts'
import type { CdpSession } from '../cdp/connection.ts'
import type { HeaderEntry, RequestPaused } from '../cdp/protocol.ts'
import { examineDocument, examineResponse } from '../scripts/examine-response.ts'
import type { PageRun } from './page-run.ts'
import { browserHeaders } from './response-headers.ts'

/** Types that the content of a page does not need, or whose responses never end. */
const NEVER_FETCHED = new Set<ResourceType>([
  'Prefetch',
  'SignedExchange',
  'Ping',
  'CSPViolationReport',
  'FedCM',
  'Manifest',
  'EventSource',
  'WebSocket',
])
const FETCHED_IF_ASKED = new Set<ResourceType>(['Image', 'Media', 'Font', 'TextTrack'])
/** Pages react to images that fail, so they get an empty one. */
const EMPTY_IMAGE = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
const SCRIPT_TYPE = /^\s*(?:text|application)\/(?:x-)?(?:java|ecma)script\s*(?:;|$)/i
const FORBIDDEN_HEADERS = new Set(['cookie', 'authorization', 'proxy-authorization'])

type Decision = { kind: 'document' } | { kind: 'preflight' } | { kind: 'refuse'; reason: string } | { kind: 'fetch' }

/** Handles the requests of the page, its frames and workers, whichever session reports them. */
export function answerRequests(run: PageRun, session: CdpSession): void {
  session.on('Fetch.requestPaused', (paused) => {
    if (run.isEnded) return session.post('Fetch.failRequest', { requestId: paused.requestId, errorReason: 'Aborted' })
    run.activity += 1
    const decision = decide(run, paused)
    switch (decision.kind) {
      case 'document':
        return sendDocument(run, session, paused)
      case 'preflight':
        return allowPreflight(session, paused)
      case 'refuse':
        return refuse(run, session, paused, decision.reason)
      case 'fetch':
        return void fetchSubresource(run, session, paused)
    }
  })
}

function decide(run: PageRun, { request, resourceType, frameId }: RequestPaused): Decision {
  if (resourceType === 'Document' && frameId === run.page.targetId) {
    if (!run.hasDocument) return { kind: 'document' }
    return { kind: 'refuse', reason: 'navigation' }
  }
  if (!/^https?:/.test(request.url)) return { kind: 'refuse', reason: 'scheme' }
  if (hasHeader(request.headers, 'service-worker')) return { kind: 'refuse', reason: 'service worker' }
  if (request.method === 'OPTIONS' && hasHeader(request.headers, 'access-control-request-method'))
    return { kind: 'preflight' }
  if (NEVER_FETCHED.has(resourceType) || isPrefetch(request.headers) || isEventStream(request.headers))
    return { kind: 'refuse', reason: 'not needed' }
  if ((FETCHED_IF_ASKED.has(resourceType) || isIcon(request.headers)) && !run.request.settings.keepImages)
    return { kind: 'refuse', reason: 'not asked for' }
  return { kind: 'fetch' }
}

function sendDocument(run: PageRun, session: CdpSession, { requestId }: RequestPaused): void {
  run.hasDocument = true
  const { status, headers, body } = run.request.response
  const match = examineDocument(body, run.request.settings.limits)
  if (match !== null) return run.end('script_blocked', `${match.rule}: ${match.detail}`)
  session.post('Fetch.fulfillRequest', {
    requestId,
    responseCode: status,
    responseHeaders: browserHeaders(headers, true),
    body: base64(body),
  })
}

/** A preflight is answered here, without asking the server; the response to the request itself decides. */
function allowPreflight(session: CdpSession, { requestId, request }: RequestPaused): void {
  const header = (name: string) => findHeader(request.headers, name) ?? ''
  session.post('Fetch.fulfillRequest', {
    requestId,
    responseCode: 204,
    responseHeaders: [
      { name: 'access-control-allow-origin', value: header('origin') || '*' },
      { name: 'access-control-allow-credentials', value: 'true' },
      { name: 'access-control-allow-methods', value: header('access-control-request-method') },
      { name: 'access-control-allow-headers', value: header('access-control-request-headers') },
    ],
    body: '',
  })
}

function refuse(run: PageRun, session: CdpSession, paused: RequestPaused, reason: string): void {
  const { requestId, request, resourceType } = paused
  if (reason === 'navigation') {
    if (request.method === 'GET') run.navigations.add(request.url)
    run.count('navigations', run.request.settings.limits.navigations, 'render_navigations')
    // Some browsers do not report the end of loading after this.
    run.isLoaded = true
    // An aborted navigation leaves the page as it is; other reasons would show an error page instead.
    return session.post('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
  }
  if (resourceType === 'Image') {
    const responseHeaders = [{ name: 'content-type', value: 'image/gif' }]
    return session.post('Fetch.fulfillRequest', { requestId, responseCode: 200, responseHeaders, body: EMPTY_IMAGE })
  }
  record(run, paused, { status: null, bytes: 0, isHtml: false, isFromCache: false, blockedReason: reason })
  session.post('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
}

async function fetchSubresource(run: PageRun, session: CdpSession, paused: RequestPaused): Promise<void> {
  const { requestId, request, resourceType: type } = paused
  const { limits } = run.request.settings
  if (run.requests >= limits.requests) return run.end('render_requests', `more than ${limits.requests} requests`)
  run.requests += 1
  run.openRequests += 1
  const response = await run.subresources.fetch({
    url: request.url,
    method: request.method,
    type,
    headers: Object.entries(request.headers).filter(([name]) => !FORBIDDEN_HEADERS.has(name.toLowerCase())),
    body: bodyOf(request),
    pageUrl: run.request.url,
    validators: null,
  })
  run.openRequests -= 1
  run.activity += 1
  if (run.isEnded) return session.post('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
  const { status, headers, body, isFromCache, blockedReason } = response
  const isAnswered = blockedReason === null
  const isHtml = headers.some(
    ([name, value]) => name.toLowerCase() === 'content-type' && /^\s*(?:text\/html|application\/xhtml)/i.test(value),
  )
  record(run, paused, { status: isAnswered ? status : null, bytes: body.length, isHtml, isFromCache, blockedReason })
  if (!isAnswered) return session.post('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
  if (!checkSize(run, request.url, response)) return
  const match = examineResponse({ url: request.url, type, headers, body }, limits)
  if (match !== null) return run.end('script_blocked', `${match.rule}: ${match.detail}`)
  session.post('Fetch.fulfillRequest', {
    requestId,
    responseCode: status,
    responseHeaders: withScriptAccess(paused, status, browserHeaders(headers, false)),
    body: base64(body),
  })
}

/**
 * Many servers allow an origin only if the request has one, and ours has none: a module script of another host would
 * not run. A script that any page may run as a classic script may be a module too. Data (JSON modules, fetch) may be
 * read only if the server allows it.
 */
function withScriptAccess(
  { request, resourceType }: RequestPaused,
  status: number,
  headers: HeaderEntry[],
): HeaderEntry[] {
  const origin = findHeader(request.headers, 'origin')
  const type = headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? ''
  const isRedirect = status >= 300 && status < 400
  if (origin === undefined || resourceType !== 'Script' || !(isRedirect || SCRIPT_TYPE.test(type))) return headers
  return [
    ...headers.filter(({ name }) => !/^access-control-allow-(?:origin|credentials)$/i.test(name)),
    { name: 'access-control-allow-origin', value: origin },
    { name: 'access-control-allow-credentials', value: 'true' },
  ]
}

function checkSize(run: PageRun, url: string, { body }: SubresourceResponse): boolean {
  const { responseBytes, totalBytes } = run.request.settings.limits
  run.bytes += body.length
  if (body.length > responseBytes) run.end('render_response_size', `${body.length} bytes: ${url}`)
  else if (run.bytes > totalBytes) run.end('render_response_size', `more than ${totalBytes} bytes in total`)
  return !run.isEnded
}

function record(
  run: PageRun,
  { request, resourceType }: RequestPaused,
  answer: Pick<Subrequest, 'status' | 'bytes' | 'isHtml' | 'isFromCache' | 'blockedReason'>,
): void {
  run.subrequests.push({ url: request.url, method: request.method, type: resourceType, ...answer })
}

function bodyOf({ postDataEntries }: RequestPaused['request']): Uint8Array | null {
  if (postDataEntries === undefined) return null
  return Buffer.concat(postDataEntries.map(({ bytes = '' }) => Buffer.from(bytes, 'base64')))
}

/** Icons of the page have no separate resource type. */
function isIcon(headers: Record<string, string>): boolean {
  return findHeader(headers, 'accept')?.startsWith('image/') === true
}

/** Event streams may have the type of any other request. */
function isEventStream(headers: Record<string, string>): boolean {
  return findHeader(headers, 'accept') === 'text/event-stream'
}

function isPrefetch(headers: Record<string, string>): boolean {
  return /prefetch|prerender/.test(findHeader(headers, 'sec-purpose') ?? findHeader(headers, 'purpose') ?? '')
}

function hasHeader(headers: Record<string, string>, name: string): boolean {
  return findHeader(headers, name) !== undefined
}

function findHeader(headers: Record<string, string>, name: string): string | undefined {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
}

function base64(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, body.length).toString('base64')
}
