// Scripts, styles and other subresources that pages of a crawl share, in the render thread: a bundle of a site is
// requested once, not for every page, whatever thread of the process renders the page. Concurrent requests for a URL
// share one response. Bounded by the memory it takes; a copy that is no longer fresh is validated (ETag,
// Last-Modified).

import type { Clock } from '../../lib/clock.ts'
import { isSameSite } from '../../lib/site.ts'
import type { Validators } from '../../ports/leases.ts'
import {
  isDataRequest,
  type ResourceType,
  type SubresourceRequest,
  type SubresourceResponse,
} from '../../ports/renderer.ts'

export type FetchSubresource = (subresourceRequest: SubresourceRequest) => Promise<SubresourceResponse>

interface CachedResponse {
  response: SubresourceResponse
  freshUntil: number
  validators: Validators | null
  bytes: number
}

/**
 * Resource types of a page's files, as opposed to data. They stay fresh for a while whatever their headers say, except
 * for no-store.
 */
const FILES = new Set<ResourceType>(['Script', 'Stylesheet', 'Font', 'Image', 'TextTrack'])
const MIN_FILE_MS = 10 * 60_000
const MAX_FRESH_MS = 24 * 3_600_000
const LIFETIME_HEADERS = new Set(['age', 'cache-control', 'date', 'expires', 'pragma'])
/** A missing file is cached like an existing one. */
const CACHED_STATUSES = new Set([200, 203, 301, 308, 404, 410])

/** Memory of an entry besides its texts and its body, and of a header besides its texts (2026-11). */
const ENTRY_BYTES = 500
const HEADER_BYTES = 80

export class SubresourceCache {
  readonly #maxBytes: number
  readonly #clock: Clock
  readonly #responses = new Map<string, CachedResponse>()
  #bytes = 0
  readonly #fetching = new Map<string, Promise<SubresourceResponse>>()
  #forgotten = 0

  constructor(maxBytes: number, clock: Clock) {
    this.#maxBytes = maxBytes
    this.#clock = clock
  }

  /** `crawl`: copies are not shared between crawls, since their headers may differ. */
  async fetch(crawl: string, request: SubresourceRequest, fetchNow: FetchSubresource): Promise<SubresourceResponse> {
    if (request.method !== 'GET' || request.body !== null || hasHeader(request, 'range')) return fetchNow(request)
    // Pages of other sites get responses without cookies and credentials.
    const from = isSameSite(request) ? 'own' : 'other'
    const key = `${crawl} ${from} ${request.url}${dataKey(request)}`
    const known = this.#use(key)
    if (known !== undefined && known.freshUntil > this.#clock.now()) return { ...known.response, isFromCache: true }
    const pending = this.#fetching.get(key)
    if (pending !== undefined) {
      const response = await pending
      // The page that sent the request has ended; this one still needs the response.
      return response.blockedReason === 'interrupted' ? this.fetch(crawl, request, fetchNow) : asShared(response)
    }
    const fetching = this.#fetchOnce(key, known ?? null, request, fetchNow)
    this.#fetching.set(key, fetching)
    try {
      return await fetching
    } finally {
      if (this.#fetching.get(key) === fetching) this.#fetching.delete(key)
    }
  }

  /** Forgets responses of a crawl, including those in transit, so that they are requested again. */
  forget(crawl: string): void {
    this.#forgotten += 1
    const isOfCrawl = (key: string) => key.startsWith(`${crawl} `)
    for (const key of [...this.#responses.keys()].filter(isOfCrawl)) this.#remove(key)
    for (const key of [...this.#fetching.keys()].filter(isOfCrawl)) this.#fetching.delete(key)
  }

  async #fetchOnce(
    key: string,
    known: CachedResponse | null,
    request: SubresourceRequest,
    fetchNow: FetchSubresource,
  ): Promise<SubresourceResponse> {
    const forgotten = this.#forgotten
    const received = await fetchNow({ ...request, validators: known?.validators ?? null })
    const isUnchanged = known !== null && received.blockedReason === null && received.status === 304
    const { status, blockedReason } = isUnchanged ? known.response : received
    const freshMs = blockedReason === null ? freshnessMs(request.type, received.headers, status) : 0
    const isKept = freshMs > 0 && request.type === 'Script'
    const response = isUnchanged ? known.response : isKept ? keptByBrowser(received) : received
    if (freshMs > 0 && forgotten === this.#forgotten) this.#add(key, response, this.#clock.now() + freshMs)
    return isUnchanged ? { ...response, isFromCache: true, gapMs: received.gapMs } : response
  }

  /** Moves the entry to the end: the map is ordered by last use. */
  #use(key: string): CachedResponse | undefined {
    const known = this.#responses.get(key)
    if (known !== undefined) {
      this.#responses.delete(key)
      this.#responses.set(key, known)
    }
    return known
  }

  #add(key: string, response: SubresourceResponse, freshUntil: number): void {
    this.#remove(key)
    const bytes = memoryOf(key, response)
    if (bytes > this.#maxBytes / 2) return
    this.#responses.set(key, { response, freshUntil, validators: validatorsOf(response), bytes })
    this.#bytes += bytes
    for (const oldest of this.#responses.keys()) {
      if (this.#bytes <= this.#maxBytes) return
      this.#remove(oldest)
    }
  }

  #remove(key: string): void {
    this.#bytes -= this.#responses.get(key)?.bytes ?? 0
    this.#responses.delete(key)
  }
}

/** The headers of a request for data that are passed on to the server, which may answer each origin differently. */
function dataKey({ type, headers }: SubresourceRequest): string {
  if (!isDataRequest(type)) return ''
  return ['origin', 'accept', 'content-type'].map((name) => `\n${headerOf(headers, name) ?? ''}`).join('')
}

/** An entry without a body takes memory, too: a site may have any number of missing files. */
function memoryOf(key: string, { headers, body }: SubresourceResponse): number {
  const headerBytes = headers.reduce((sum, [name, value]) => sum + name.length + value.length + HEADER_BYTES, 0)
  return ENTRY_BYTES + key.length + headerBytes + body.byteLength
}

/** A response to another page: its request was not made for this one. */
function asShared(response: SubresourceResponse): SubresourceResponse {
  return response.blockedReason === null ? { ...response, isFromCache: true } : response
}

/** 0 if it may not be used again. */
function freshnessMs(type: ResourceType, headers: [string, string][], status: number): number {
  if (!CACHED_STATUSES.has(status)) return 0
  const control = headerOf(headers, 'cache-control')?.toLowerCase() ?? ''
  if (/\bno-store\b/.test(control)) return 0
  const isFile = FILES.has(type)
  const seconds = /\bno-cache\b/.test(control) ? 0 : Number(/\bmax-age=(\d+)/.exec(control)?.[1] ?? 0)
  return Math.min(MAX_FRESH_MS, Math.max(isFile ? MIN_FILE_MS : 0, seconds * 1000))
}

/**
 * The next page in the same process finds the script there, compiled: a third less CPU for a page of a React application
 * (2026-11). Processes are not shared between crawls and origins.
 */
function keptByBrowser(response: SubresourceResponse): SubresourceResponse {
  const headers = response.headers.filter(([name]) => !LIFETIME_HEADERS.has(name.toLowerCase()))
  return { ...response, headers: [...headers, ['cache-control', `max-age=${MIN_FILE_MS / 1000}`]] }
}

function validatorsOf({ headers }: SubresourceResponse): Validators | null {
  const etag = headerOf(headers, 'etag')
  const lastModified = headerOf(headers, 'last-modified')
  return etag === null && lastModified === null ? null : { etag, lastModified }
}

function headerOf(headers: [string, string][], name: string): string | null {
  return headers.find(([key]) => key.toLowerCase() === name)?.[1] ?? null
}

function hasHeader({ headers }: SubresourceRequest, name: string): boolean {
  return headerOf(headers, name) !== null
}
