// Reads a page version back from the archive, with everything that its bytes contain.

import { AppError, asAppError } from '../../lib/errors.ts'
import { type ArchivedResponse, type ArchiveReader, type Position, RENDERED_TYPE } from '../../ports/archive.ts'
import type { Pages, PageVersion } from '../../ports/pages.ts'
import { decodeBody } from '../fetch/decode-body.ts'
import { joinHeaderValues } from '../fetch/headers.ts'
import type { DocumentReaderFunction, ExtractedContent } from '../media/content-type.ts'
import { findContentType } from '../media/content-types.ts'
import { detectContentType } from '../media/detect-type.ts'
import { unpackExtracted } from '../media/document-types.ts'
import { decodeHtml } from '../parse/charset/decode-html.ts'
import { readHtml } from '../parse/html-reader.ts'
import { normaliseUrl, resolveBaseUrl } from '../url/normalise-url.ts'
import { retryIfMoved } from './retry-if-moved.ts'

export interface PageLink {
  url: string
  /** The target as written in the page. */
  href: string
  anchorText: string
  /** The `rel` attribute in lower case; '' if it is missing. */
  rel: string
}

export interface ArchivedPage {
  version: PageVersion
  /** Headers as received, in order. */
  headers: [name: string, value: string][]
  /** The payload as received; `body` is decoded. */
  payload: Buffer
  body: Buffer
  /** Null if the page is not HTML. */
  html: string | null
  text: string
  links: PageLink[]
  /** Author of a document; null if unknown. */
  author: string | null
  pageCount: number | null
  /**
   * False if the page's own record is damaged; `headers` are then only those that describe the coding of the payload.
   */
  hasOwnHeaders: boolean
}

export type PageReader = (version: PageVersion) => Promise<ArchivedPage>

/** No archived body is larger when decoded: the client truncated or rejected it. */
const MAX_BODY_BYTES = 1024 ** 3

export interface PageReaderDependencies {
  pages: Pick<Pages, 'find'>
  archive: Pick<ArchiveReader, 'read'>
  readDocument: DocumentReaderFunction
}

export type PageBody = Awaited<ReturnType<typeof readBody>>

/** The decoded bytes of a page, and their type. */
export async function readBody(version: PageVersion, dependencies: Omit<PageReaderDependencies, 'readDocument'>) {
  const read = await retryIfMoved(version, dependencies.pages, (current) => readBytes(current, dependencies.archive))
  const { ownRecord, payload } = read
  const body = await decodePayload(version.url, ownRecord, payload)
  const contentType = version.contentType ?? ''
  return { ...read, body, contentType, media: findContentType(detectContentType(contentType, body).type) }
}

export async function readArchivedPage(
  version: PageVersion,
  dependencies: PageReaderDependencies,
): Promise<ArchivedPage> {
  const page = await readBody(version, dependencies)
  const { ownRecord, hasOwnHeaders, payload, body, media } = page
  const about = { version, headers: ownRecord.headers, hasOwnHeaders, payload, body }
  const common = { ...about, html: null, author: null, pageCount: null }
  if (media?.isPage) {
    const html = htmlOf(page)
    const facts = readHtml(html, true)
    return {
      ...common,
      html,
      text: facts.text,
      links: linksOf(facts.links, resolveBaseUrl(facts.baseHref, version.url)),
    }
  }
  const extracted = await extractContent(page, version.url, dependencies.readDocument)
  if (extracted === null) return { ...common, text: '', links: [] }
  const { text, author, pages } = extracted
  return { ...common, text, links: linksOf(extracted.links, version.url), author: author || null, pageCount: pages }
}

/** The DOM if the page was rendered, otherwise the HTML as received. */
export function htmlOf({ dom, body, contentType }: Pick<PageBody, 'dom' | 'body' | 'contentType'>): string {
  return dom ?? decodeHtml(body, contentType).text
}

/** The content of a document, extracted when it was fetched or now; null if its type is not read. */
export async function extractContent(
  { body, contentType, media, extracted }: Pick<PageBody, 'body' | 'contentType' | 'media' | 'extracted'>,
  url: string,
  documentReaderFunction: DocumentReaderFunction,
): Promise<ExtractedContent | null> {
  if (extracted !== null) return unpackExtracted(extracted)
  return (await media?.extract?.(body, { url, contentType, readDocument: documentReaderFunction })) ?? null
}

/** The payload as received, encoded; works even if it cannot be decoded. */
export async function readRawPayload(
  version: PageVersion,
  dependencies: Omit<PageReaderDependencies, 'readDocument'>,
): Promise<Buffer> {
  return (await retryIfMoved(version, dependencies.pages, (current) => readBytes(current, dependencies.archive)))
    .payload
}

export function notArchivedError({ url }: Pick<PageVersion, 'url'>): AppError {
  return new AppError(
    'PAGE_NOT_KEPT',
    `Nothing was archived for ${url} at that time: it was a near-duplicate of another page.`,
  )
}

async function readBytes(
  { isArchived, record, payload, url }: PageVersion,
  archive: PageReaderDependencies['archive'],
) {
  if (!isArchived) throw notArchivedError({ url })
  if (record === null || payload === null) {
    throw new AppError('ARCHIVE_BROKEN', `The bytes of ${url} were archived, but the store no longer knows where.`)
  }
  let hasOwnHeaders = true
  const ownRecord = await archive.read(record).catch((error: unknown) => {
    hasOwnHeaders = false
    return readPayloadHeaders(error, { record, payload }, archive)
  })
  const source = ownRecord.sameAs === null ? ownRecord : await archive.read(payload)
  const isRendered = source.extractedType === RENDERED_TYPE
  // A DOM belongs to its own page only, like a report.
  const dom = isRendered && source === ownRecord ? (source.extracted?.toString() ?? null) : null
  const found = isRendered ? null : source.extracted
  const extracted = source === ownRecord ? found : dropReported(found)
  const screenshot = ownRecord.screenshot ?? null
  return { ownRecord, hasOwnHeaders, payload: source.payload, extracted, dom, screenshot }
}

/** A report belongs to its own page only, whatever other pages have the same payload. */
function dropReported(extracted: Buffer | null): Buffer | null {
  return extracted !== null && unpackExtracted(extracted).isReported === true ? null : extracted
}

/**
 * Called when its own record is damaged, but its payload is elsewhere, or was archived again later. The headers of this
 * visit are lost; the record with the payload says how it is encoded.
 */
async function readPayloadHeaders(
  error: unknown,
  { record, payload }: { record: Position; payload: Position },
  archive: PageReaderDependencies['archive'],
): Promise<ArchivedResponse> {
  const isElsewhere = record.segment !== payload.segment || record.offset !== payload.offset
  if (asAppError(error).code !== 'ARCHIVE_BROKEN' || !isElsewhere) throw error
  const response = await archive.read(payload)
  return { ...response, headers: response.headers.filter(([name]) => name.toLowerCase() === 'content-encoding') }
}

/** Decodes like when the page was fetched. */
function decodePayload(url: string, ownRecord: ArchivedResponse, payload: Buffer): Promise<Buffer> {
  const encoding = joinHeaderValues(ownRecord.headers.flat(), 'content-encoding', ', ')
  if (encoding === null) return Promise.resolve(payload)
  return new Promise((resolve, reject) => {
    decodeBody(payload, encoding, MAX_BODY_BYTES, (error, body) => {
      if (error === null) return resolve(body)
      const message = `The archived bytes of ${url} cannot be decoded as "${encoding}", as its header says. Use --wire to get them undecoded.`
      reject(new AppError('ARCHIVE_BROKEN', message, { cause: error }))
    })
  })
}

function linksOf(links: readonly { href: string; text: string; rel: string }[], baseUrl: string): PageLink[] {
  return links.flatMap(({ href, text, rel }) => {
    const target = normaliseUrl(href, baseUrl)
    return 'url' in target ? [{ url: target.url, href, anchorText: text, rel }] : []
  })
}
