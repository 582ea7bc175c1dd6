// Decides which responses are archived, and prepares them: head and payload as received, except for cookies in use.

import { hash } from 'node:crypto'
import { copyString } from '../../../lib/copy-string.ts'
import { REDACTED } from '../../../lib/redact.ts'
import { type ArchiveItem, RENDERED_TYPE } from '../../../ports/archive.ts'
import type { LeasedUrl } from '../../../ports/leases.ts'
import { type PageReport, SCREENSHOT_NOTE } from '../../../ports/pages.ts'
import type { FetchResponse } from '../../fetch/fetch-result.ts'
import type { UrlPatterns } from '../../url/url-patterns.ts'

export interface ArchiveRules {
  archive: 'all' | 'html' | 'none'
  /** 0 means no limit. */
  maxBytes: number
  /** Limits by media type, such as image/png or image/*; they override `maxBytes`. */
  maxBytesByType: ReadonlyMap<string, number>
  include: UrlPatterns
  exclude: UrlPatterns
}

export interface ResponseToArchive {
  item: Omit<ArchiveItem, 'sameAs' | 'chunk' | 'offset'>
  head: Buffer
  payload: Buffer
  /** Empty if requests are not archived. */
  request: Buffer
  /** Content extracted by a document reader; empty if none. */
  extracted: Buffer
  /** Empty if there is no screenshot. */
  screenshot: Buffer
  /**
   * `extracted` was reported with the payload, or is the DOM of the rendered page. An equal payload may have another, so
   * they are archived apart.
   */
  isReported: boolean
  /**
   * The commit records it whatever the store knows of its URL, so that others may refer to its payload before the store has
   * it. A subresource may be left out.
   */
  isCertain: boolean
  /** Part of the visit report. Its position in the archive is set when the response is written. */
  page: PageReport
}

/** Metadata of a page. */
export type PageFacts = Pick<
  PageReport,
  'charset' | 'lang' | 'description' | 'keywords' | 'words' | 'fingerprint' | 'note' | 'data'
>

const MAX_TITLE = 500
const MAX_FACT = 1000

/** Copied, because a slice would keep the whole page in memory until the commit. */
export function cutTitle(title: string): string {
  return copyString(title.slice(0, MAX_TITLE))
}

export function cutFact(text: string): string | null {
  return text === '' ? null : copyString(text.slice(0, MAX_FACT))
}

export const NO_PAGE_FACTS: PageFacts = {
  charset: null,
  lang: null,
  description: null,
  keywords: null,
  words: null,
  fingerprint: null,
  note: null,
  data: null,
}

export function shouldArchive(
  rules: ArchiveRules,
  { url, kind }: Pick<LeasedUrl, 'url' | 'kind'>,
  result: FetchResponse,
  isHtmlPage: boolean,
): boolean {
  if (rules.archive === 'none' || (rules.archive === 'html' && !isHtmlPage && kind !== 'requisite')) return false
  const maxBytes = maxBytesFor(rules, result.contentType)
  if (maxBytes > 0 && result.wire.length > maxBytes) return false
  if (!rules.include.isEmpty && !rules.include.matches(url)) return false
  return !rules.exclude.matches(url)
}

/** Uses the Content-Type header and not the detected type, because that is what users see when they set a limit. */
function maxBytesFor({ maxBytes, maxBytesByType }: ArchiveRules, contentType: string): number {
  if (maxBytesByType.size === 0) return maxBytes
  const type = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase()
  return maxBytesByType.get(type) ?? maxBytesByType.get(type.replace(/\/.*$/, '/*')) ?? maxBytes
}

export interface ArchiveFacts {
  facts: PageFacts
  /** Output of a document reader. */
  extracted: Buffer | null
  /** The DOM of the rendered page. */
  dom: Buffer | null
  /** Screenshot of the rendered page. */
  screenshot: Uint8Array | null
  /** Hash of the decoded body, if it was computed. */
  contentHash: string | null
}

const NO_BYTES = Buffer.alloc(0)

export function prepareForArchive(
  { url, fetchedAt }: { url: string; fetchedAt: number },
  result: FetchResponse,
  about: ArchiveFacts,
): ResponseToArchive {
  const { facts, contentHash, extracted: found, dom } = about
  const screenshot = dom === null || about.screenshot === null ? NO_BYTES : Buffer.from(about.screenshot)
  const { wire, ip, truncated } = result
  const digest = contentHash !== null && wire === result.body ? contentHash : hash('sha256', wire, 'hex')
  const head = headOf(result)
  const request = Buffer.from(result.sent ?? '', 'latin1')
  const extracted = dom ?? found ?? NO_BYTES
  const item = {
    url,
    fetchedAt,
    ip,
    headLength: head.length,
    payloadLength: wire.length,
    payloadDigest: digest,
    isTruncated: truncated,
    requestLength: request.length,
    extractedLength: extracted.length,
    ...(dom === null ? {} : { extractedType: RENDERED_TYPE }),
    ...(screenshot.length === 0 ? {} : { screenshotLength: screenshot.length }),
  }
  const note = joinNotes(facts.note, truncated ? 'truncated' : null, screenshot.length > 0 ? SCREENSHOT_NOTE : null)
  const page = { ...facts, note, digest, wireBytes: wire.length, position: null, hasPayload: false, resembles: null }
  return { item, head, payload: wire, request, extracted, screenshot, isReported: dom !== null, isCertain: true, page }
}

/** Everything unusual about a response, the most severe first. */
export function joinNotes(...notes: (string | null)[]): string | null {
  return notes.filter((note) => note !== null).join('; ') || null
}

/** The name and the attributes stay. */
function hideCookie(text: string): string {
  return text.replace(/^([^=;]*=)?[^;]*/, (_, name = '') => `${name}${REDACTED}`)
}

/** Status line and headers, separated by CRLF. Control characters in the reason phrase are replaced. */
function headOf({ status, statusText, rawHeaders, setsCookies = false }: FetchResponse): Buffer {
  const phrase = statusText.replace(/[^\t\x20-\x7e]/g, '?')
  let head = `HTTP/1.1 ${status} ${phrase}`
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = [rawHeaders[i], rawHeaders[i + 1]]
    head += `\r\n${name}: ${setsCookies && name.toLowerCase() === 'set-cookie' ? hideCookie(value) : value}`
  }
  return Buffer.from(head, 'latin1')
}
