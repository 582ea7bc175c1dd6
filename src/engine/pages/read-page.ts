// A page version read back from the archive, with everything that can be told from its bytes.

import { AppError, asAppError } from '../../lib/errors.ts'
import type { ArchivedResponse, ArchiveReader, Position } from '../../ports/archive.ts'
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
  anchorText: string
  /** In lower case; '' when it has none. */
  rel: string
}

export interface ArchivedPage {
  version: PageVersion
  /** As received, in order. */
  headers: [name: string, value: string][]
  /** As received; `body` has its content codings undone. */
  payload: Buffer
  body: Buffer
  /** Null when it is no html. */
  html: string | null
  text: string
  links: PageLink[]
  /** Of documents; null when they do not say. */
  author: string | null
  pageCount: number | null
  /** False: its own record is damaged, and `headers` are only those that tell how the payload is coded. */
  hasOwnHeaders: boolean
}

export type PageReader = (version: PageVersion) => Promise<ArchivedPage>

/** Nothing in the archive unpacks to more: the client cut or refused it. */
const MAX_BODY_BYTES = 1024 ** 3

export interface PageReaderDependencies {
  pages: Pick<Pages, 'find'>
  archive: Pick<ArchiveReader, 'read'>
  readDocument: DocumentReaderFunction
}

export type PageBody = Awaited<ReturnType<typeof readBody>>

/** The bytes of a page, unpacked, and what they are. */
export async function readBody(version: PageVersion, parts: Omit<PageReaderDependencies, 'readDocument'>) {
  const read = await retryIfMoved(version, parts.pages, (current) => readBytes(current, parts.archive))
  const { own, payload } = read
  const body = await decodePayload(version.url, own, payload)
  const contentType = version.contentType ?? ''
  return { ...read, body, contentType, media: findContentType(detectContentType(contentType, body).type) }
}

export async function readPage(version: PageVersion, parts: PageReaderDependencies): Promise<ArchivedPage> {
  const page = await readBody(version, parts)
  const { own, hasOwnHeaders, payload, body, contentType, media } = page
  const about = { version, headers: own.headers, hasOwnHeaders, payload, body }
  const common = { ...about, html: null, author: null, pageCount: null }
  if (media?.isPage) {
    const html = decodeHtml(body, contentType).text
    const facts = readHtml(html, true)
    return {
      ...common,
      html,
      text: facts.text,
      links: linksOf(facts.links, resolveBaseUrl(facts.baseHref, version.url)),
    }
  }
  const extracted = await extractContent(page, version.url, parts.readDocument)
  if (extracted === null) return { ...common, text: '', links: [] }
  const { text, author, pages } = extracted
  return { ...common, text, links: linksOf(extracted.links, version.url), author: author || null, pageCount: pages }
}

/** What a document holds, as it was found when it came, or read now; null when nothing is read of its type. */
export async function extractContent(
  { body, contentType, media, extracted }: Pick<PageBody, 'body' | 'contentType' | 'media' | 'extracted'>,
  url: string,
  documentReaderFunction: DocumentReaderFunction,
): Promise<ExtractedContent | null> {
  if (extracted !== null) return unpackExtracted(extracted)
  return (await media?.extract?.(body, { url, contentType, readDocument: documentReaderFunction })) ?? null
}

/** The payload as received, in its codings; also where those cannot be undone. */
export async function readRawPayload(
  version: PageVersion,
  parts: Omit<PageReaderDependencies, 'readDocument'>,
): Promise<Buffer> {
  return (await retryIfMoved(version, parts.pages, (current) => readBytes(current, parts.archive))).payload
}

async function readBytes(
  { isArchived, record, payload, url }: PageVersion,
  archive: PageReaderDependencies['archive'],
) {
  if (!isArchived) {
    throw new AppError('PAGE_NOT_KEPT', `Nothing was kept of ${url} at that time: it resembled another page.`)
  }
  if (record === null || payload === null) {
    throw new AppError('ARCHIVE_BROKEN', `The bytes of ${url} were kept, but the store no longer knows where they lie.`)
  }
  let hasOwnHeaders = true
  const own = await archive.read(record).catch((error: unknown) => {
    hasOwnHeaders = false
    return readPayloadHeaders(error, { record, payload }, archive)
  })
  const source = own.sameAs === null ? own : await archive.read(payload)
  return { own, hasOwnHeaders, payload: source.payload, extracted: source.extracted }
}

/**
 * Its own record is damaged, but its payload lies elsewhere, or came again later. The headers of this visit are lost;
 * how the payload is coded is told by the record that has it.
 */
async function readPayloadHeaders(
  error: unknown,
  { record, payload }: { record: Position; payload: Position },
  archive: PageReaderDependencies['archive'],
): Promise<ArchivedResponse> {
  const isElsewhere = record.segment !== payload.segment || record.offset !== payload.offset
  if (asAppError(error).code !== 'ARCHIVE_BROKEN' || !isElsewhere) throw error
  const answer = await archive.read(payload)
  return { ...answer, headers: answer.headers.filter(([name]) => name.toLowerCase() === 'content-encoding') }
}

/** Codings are undone as they were when the page was fetched. */
function decodePayload(url: string, own: ArchivedResponse, payload: Buffer): Promise<Buffer> {
  const encoding = joinHeaderValues(own.headers.flat(), 'content-encoding', ', ')
  if (encoding === null) return Promise.resolve(payload)
  return new Promise((resolve, reject) => {
    decodeBody(payload, encoding, MAX_BODY_BYTES, (error, body) => {
      if (error === null) return resolve(body)
      const message = `The bytes kept of ${url} cannot be unpacked as its header says, "${encoding}". Get them as they are with --wire.`
      reject(new AppError('ARCHIVE_BROKEN', message, { cause: error }))
    })
  })
}

function linksOf(links: readonly { href: string; text: string; rel: string }[], baseUrl: string): PageLink[] {
  return links.flatMap(({ href, text, rel }) => {
    const target = normaliseUrl(href, baseUrl)
    return 'url' in target ? [{ url: target.url, anchorText: text, rel }] : []
  })
}
