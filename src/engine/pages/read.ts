// A page version read back from the archive, with everything that can be told from its bytes.

import { AppError } from '../../lib/errors.ts'
import type { ArchiveReader } from '../../ports/archive.ts'
import type { PageVersion } from '../../ports/pages.ts'
import { decodeBody } from '../fetch/decode.ts'
import { decodeHtml } from '../parse/charset.ts'
import { isHtml, sniffHtml } from '../parse/content-type.ts'
import { type HtmlFacts, readHtml } from '../parse/html.ts'
import { normaliseUrl } from '../url/normalise.ts'

export interface PageLink {
  url: string
  anchorText: string
}

export interface ReadPage {
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
}

/** Nothing in the archive unpacks to more: the client cut or refused it. */
const MAX_BODY_BYTES = 1024 ** 3

export async function readPage(version: PageVersion, archive: ArchiveReader): Promise<ReadPage> {
  const { record, payload: source } = version
  if (record === null || source === null) {
    throw new AppError('PAGE_NOT_KEPT', `Nothing was kept of ${version.url} at that time: it resembles another page.`)
  }
  const own = await archive.read(record)
  const isOwnPayload = record.segment === source.segment && record.offset === source.offset
  const { payload } = isOwnPayload ? own : await archive.read(source)
  const coding = own.headers.find(([name]) => name.toLowerCase() === 'content-encoding')?.[1] ?? ''
  const body = await undoCodings(payload, coding)
  const contentType = version.contentType ?? ''
  const isPage = contentType === '' ? sniffHtml(body) : isHtml(contentType)
  const common = { version, headers: own.headers, payload, body }
  if (!isPage) return { ...common, html: null, text: isText(contentType) ? body.toString() : '', links: [] }
  const html = decodeHtml(body, contentType).text
  const facts = readHtml(html, true)
  return { ...common, html, text: facts.text, links: linksOf(facts, version.url) }
}

function undoCodings(payload: Buffer, coding: string): Promise<Buffer> {
  if (coding === '') return Promise.resolve(payload)
  return new Promise((resolve, reject) => {
    decodeBody(payload, coding, MAX_BODY_BYTES, (error, body) => (error === null ? resolve(body) : reject(error)))
  })
}

function isText(contentType: string): boolean {
  return contentType.startsWith('text/') || contentType.includes('json') || contentType.includes('xml')
}

function linksOf(facts: HtmlFacts, url: string): PageLink[] {
  const base = facts.baseHref === null ? null : normaliseUrl(facts.baseHref, url)
  const baseUrl = base !== null && 'url' in base ? base.url : url
  return facts.links.flatMap(({ href, text }) => {
    const target = normaliseUrl(href, baseUrl)
    return 'url' in target ? [{ url: target.url, anchorText: text }] : []
  })
}
