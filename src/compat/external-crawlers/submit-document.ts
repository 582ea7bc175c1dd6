// Accepts documents from external crawlers. A document is archived immediately and becomes a page version of its URL when
// the task is reported; then it is indexed like any page. Until then the store keeps its archive position for a day, by
// URL and attempt: a document belongs to the report that follows it.

import { hash } from 'node:crypto'
import type { ApiDependencies } from '../../api/handlers.ts'
import { findCrawl } from '../../api/requests/find-crawl.ts'
import { ResponseArchiver } from '../../engine/crawl/report/response-archiver.ts'
import { ChunkPool } from '../../engine/crawl/report/response-batch.ts'
import { NO_PAGE_FACTS, type ResponseToArchive } from '../../engine/crawl/visit/response-to-archive.ts'
import { NO_CONTENT } from '../../engine/media/content-type.ts'
import { packExtracted } from '../../engine/media/document-types.ts'
import { normaliseUrl } from '../../engine/url/normalise-url.ts'
import { urlKey } from '../../engine/url/url-key.ts'
import { AppError } from '../../lib/errors.ts'
import type { ArchiveWriter } from '../../ports/archive.ts'
import type { Crawl } from '../../ports/crawls.ts'
import type { ExternalCrawlers } from '../../ports/external.ts'
import type { Contents, PageReport } from '../../ports/pages.ts'
import type { UrlRow } from '../../ports/urls.ts'
import { readRowById } from '../read-rows.ts'
import type { TaskClaim } from './task-id.ts'

export interface SubmitDocumentDependencies extends ApiDependencies {
  contents: Contents
  openArchive(): Promise<Pick<ArchiveWriter, 'append'>>
}

export interface SubmittedDocument {
  crawlId: string
  url: string
  /** The received body; empty if there is only text. */
  content: string
  text: string
  title: string
  keywords: string[]
}

interface PendingDocument {
  title: string
  contentType: string
  contentHash: string
  contentLength: number
  page: PageReport
}

const MAX_METADATA_LENGTH = 1000
const chunkPool = new ChunkPool()

/** Returns the normalized URL. */
export async function submitDocument(
  document: SubmittedDocument,
  dependencies: SubmitDocumentDependencies,
): Promise<string> {
  const crawl = await findCrawl(dependencies.crawls, document.crawlId)
  if (crawl.settings.archive === 'none') {
    throw new AppError('INDEX_OFF', `Crawl ${crawl.id} archives no pages, so its documents cannot be indexed.`)
  }
  const row = await findUnfinishedUrl(document.url, crawl, dependencies)
  const contentType = document.content === '' ? 'text/plain; charset=utf-8' : 'text/html; charset=utf-8'
  const payload = Buffer.from(document.content === '' ? document.text : document.content)
  const responseToArchive = toArchiveEntry(row.url, payload, {
    contentType,
    document,
    now: dependencies.clock.now(),
  })
  const pending: Omit<PendingDocument, 'page'> = {
    title: document.title.slice(0, MAX_METADATA_LENGTH),
    contentType,
    contentHash: responseToArchive.page.digest,
    contentLength: payload.length,
  }
  const responseArchiver = new ResponseArchiver(
    { archive: await dependencies.openArchive(), contents: dependencies.contents, chunkPool },
    false,
  )
  const batch = responseArchiver.newBatch()
  batch.add(responseToArchive)
  await responseArchiver.archive(batch)
  const visit = { crawlId: crawl.id, urlId: row.id, attempts: row.attempts }
  const text = JSON.stringify({ ...pending, page: responseToArchive.page } satisfies PendingDocument)
  await dependencies.access.external.saveDocument(visit, text, dependencies.clock.now())
  return row.url
}

/** Null if no document was submitted before the report. */
export async function findPendingDocument(
  { crawlId, url }: Pick<TaskClaim, 'crawlId' | 'url'>,
  external: Pick<ExternalCrawlers, 'findDocument'>,
): Promise<PendingDocument | null> {
  const found = await external.findDocument({ crawlId, urlId: url.id, attempts: url.attempts })
  return found === null ? null : (JSON.parse(found) as PendingDocument)
}

async function findUnfinishedUrl(
  text: string,
  crawl: Crawl,
  { browse, urls }: SubmitDocumentDependencies,
): Promise<UrlRow> {
  const target = normaliseUrl(text)
  const url = 'url' in target ? target.url : text
  const id = await browse.findUrl(crawl.id, { url, key: urlKey(url, crawl.keySeed) })
  const row = id === null ? null : await readRowById(urls, crawl.id, id)
  if (row === null)
    throw new AppError('URL_NOT_FOUND', `Crawl ${crawl.id} has no URL ${text}. Submit only URLs of tasks.`)
  if (row.state !== 'queued' && row.state !== 'in_progress') {
    throw new AppError(
      'LEASE_LOST',
      `${url} has already ended as "${row.state.replace('_', ' ')}". Submit the document before reporting its task.`,
    )
  }
  return row
}

interface DocumentFacts {
  contentType: string
  document: Pick<SubmittedDocument, 'title' | 'text' | 'keywords'>
  now: number
}

function toArchiveEntry(
  url: string,
  payload: Buffer,
  { contentType, document, now }: DocumentFacts,
): ResponseToArchive {
  const head = Buffer.from(`HTTP/1.1 200 OK\r\ncontent-type: ${contentType}`)
  const digest = hash('sha256', payload, 'hex')
  const keywords = document.keywords.join(', ').slice(0, MAX_METADATA_LENGTH)
  const extracted = packReport(document, keywords)
  const lengths = { headLength: head.length, payloadLength: payload.length, requestLength: 0 }
  const sizes = { ...lengths, extractedLength: extracted.length, payloadDigest: digest }
  const page = {
    ...NO_PAGE_FACTS,
    keywords: keywords === '' ? null : keywords,
    charset: 'utf-8',
    digest,
    wireBytes: payload.length,
    position: null,
    hasPayload: false,
    resembles: null,
  }
  const item = { url, fetchedAt: now, ip: null, ...sizes, isTruncated: false }
  const none = { request: Buffer.alloc(0), screenshot: Buffer.alloc(0) }
  return { item, head, payload, ...none, extracted, isReported: extracted.length > 0, isCertain: true, page }
}

/** Values that search uses instead of the contents of the payload. Keywords count like a description. */
function packReport({ title, text }: DocumentFacts['document'], keywords: string): Buffer {
  if (title === '' && text === '' && keywords === '') return Buffer.alloc(0)
  return packExtracted({
    ...NO_CONTENT,
    title: title.slice(0, MAX_METADATA_LENGTH),
    description: keywords,
    keywords,
    text,
    isReported: true,
  })
}
