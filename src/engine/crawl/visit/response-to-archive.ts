// Which answers are kept, and what is kept of them: the head and the payload as they came.

import { hash } from 'node:crypto'
import { copyString } from '../../../lib/copy-string.ts'
import type { ArchiveItem } from '../../../ports/archive.ts'
import type { PageReport } from '../../../ports/pages.ts'
import type { FetchResponse } from '../../fetch/fetch-result.ts'
import type { UrlPatterns } from '../../url/url-patterns.ts'
import type { Visit } from './visit-steps.ts'

export interface ArchiveRules {
  archive: 'all' | 'html' | 'none'
  /** 0: no limit. */
  maxBytes: number
  /** By media type, such as image/png or image/*: goes before the other. */
  maxBytesByType: ReadonlyMap<string, number>
  include: UrlPatterns
  exclude: UrlPatterns
}

export interface ResponseToArchive {
  item: Omit<ArchiveItem, 'sameAs'>
  head: Buffer
  payload: Buffer
  /** Empty when it is not kept. */
  request: Buffer
  /** Empty when there is nothing to keep. */
  extracted: Buffer
  /** What is reported of it; where it lies is filled in when that is known. */
  page: PageReport
}

/** What the page says of itself, as far as it was read. */
export type PageFacts = Pick<
  PageReport,
  'charset' | 'lang' | 'description' | 'keywords' | 'words' | 'fingerprint' | 'note'
>

const MAX_TITLE = 500
const MAX_FACT = 1000

/** Copies: a piece of a page would keep the whole page in memory until the commit. */
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
}

export function shouldArchive(rules: ArchiveRules, url: string, result: FetchResponse, isHtmlPage: boolean): boolean {
  if (rules.archive === 'none' || (rules.archive === 'html' && !isHtmlPage)) return false
  const maxBytes = maxBytesFor(rules, result.contentType)
  if (maxBytes > 0 && result.wire.length > maxBytes) return false
  if (!rules.include.isEmpty && !rules.include.matches(url)) return false
  return !rules.exclude.matches(url)
}

/** By what the label says, as whoever set the limit sees it. */
function maxBytesFor({ maxBytes, maxBytesByType }: ArchiveRules, contentType: string): number {
  if (maxBytesByType.size === 0) return maxBytes
  const type = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase()
  return maxBytesByType.get(type) ?? maxBytesByType.get(type.replace(/\/.*$/, '/*')) ?? maxBytes
}

export interface ArchiveFacts {
  facts: PageFacts
  /** What a document reader found in it. */
  extracted: Buffer | null
  /** Of the decoded body, if it was taken. */
  contentHash: string | null
}

const NO_BYTES = Buffer.alloc(0)

export function prepareForArchive(visit: Visit, result: FetchResponse, about: ArchiveFacts): ResponseToArchive {
  const { facts, contentHash, extracted: found } = about
  const { wire, ip, truncated } = result
  const digest = contentHash !== null && wire === result.body ? contentHash : hash('sha256', wire, 'hex')
  const head = headOf(result)
  const request = Buffer.from(result.sent ?? '', 'latin1')
  const extracted = found ?? NO_BYTES
  const item = {
    url: visit.url.url,
    fetchedAt: visit.now,
    ip,
    headLength: head.length,
    payloadLength: wire.length,
    payloadDigest: digest,
    isTruncated: truncated,
    requestLength: request.length,
    extractedLength: extracted.length,
  }
  const note = joinNotes(facts.note, truncated ? 'truncated' : null)
  const page = { ...facts, note, digest, wireBytes: wire.length, position: null, hasPayload: false, resembles: null }
  return { item, head, payload: wire, request, extracted, page }
}

/** All that is odd about an answer, the worst first. */
export function joinNotes(...notes: (string | null)[]): string | null {
  return notes.filter((note) => note !== null).join('; ') || null
}

/** Status line and headers, with line ends between them; nothing in the phrase can become one. */
function headOf({ status, statusText, rawHeaders }: FetchResponse): Buffer {
  const phrase = statusText.replace(/[^\t\x20-\x7e]/g, '?')
  let head = `HTTP/1.1 ${status} ${phrase}`
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) head += `\r\n${rawHeaders[i]}: ${rawHeaders[i + 1]}`
  return Buffer.from(head, 'latin1')
}
