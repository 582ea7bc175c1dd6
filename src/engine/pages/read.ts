// A page version read back from the archive, with everything that can be told from its bytes.

import { AppError } from '../../lib/errors.ts'
import type { ArchiveReader } from '../../ports/archive.ts'
import type { Pages, PageVersion } from '../../ports/pages.ts'
import { decodeBody } from '../fetch/decode.ts'
import { decide } from '../media/decide.ts'
import { typeNamed } from '../media/list.ts'
import type { Extracted } from '../media/type.ts'
import { decodeHtml } from '../parse/charset.ts'
import { readHtml } from '../parse/html.ts'
import { baseOf, normaliseUrl } from '../url/normalise.ts'
import { readInPlace } from './place.ts'

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

export interface ReadingParts {
  pages: Pick<Pages, 'find'>
  archive: Pick<ArchiveReader, 'read'>
  readPdf: (body: Buffer) => Promise<Extracted>
}

export async function readPage(version: PageVersion, parts: ReadingParts): Promise<ReadPage> {
  const { own, payload } = await readInPlace(version, parts.pages, (current) => readBytes(current, parts.archive))
  const coding = own.headers.find(([name]) => name.toLowerCase() === 'content-encoding')?.[1] ?? ''
  const body = await undoCodings(payload, coding)
  const contentType = version.contentType ?? ''
  const media = typeNamed(decide(contentType, body).type)
  const common = { version, headers: own.headers, payload, body }
  if (media?.isPage) {
    const html = decodeHtml(body, contentType).text
    const facts = readHtml(html, true)
    return { ...common, html, text: facts.text, links: linksOf(facts.links, baseOf(facts.baseHref, version.url)) }
  }
  const extracted = await media?.extract?.(body, { url: version.url, contentType, readPdf: parts.readPdf })
  if (extracted === undefined) return { ...common, html: null, text: '', links: [] }
  return { ...common, html: null, text: extracted.text, links: linksOf(extracted.links, version.url) }
}

async function readBytes({ record, payload, url }: PageVersion, archive: ReadingParts['archive']) {
  if (record === null || payload === null) {
    throw new AppError('PAGE_NOT_KEPT', `Nothing was kept of ${url} at that time: it resembled another page.`)
  }
  const own = await archive.read(record)
  const isOwnPayload = record.segment === payload.segment && record.offset === payload.offset
  return { own, payload: (isOwnPayload ? own : await archive.read(payload)).payload }
}

function undoCodings(payload: Buffer, coding: string): Promise<Buffer> {
  if (coding === '') return Promise.resolve(payload)
  return new Promise((resolve, reject) => {
    decodeBody(payload, coding, MAX_BODY_BYTES, (error, body) => (error === null ? resolve(body) : reject(error)))
  })
}

function linksOf(links: readonly { href: string; text: string }[], baseUrl: string): PageLink[] {
  return links.flatMap(({ href, text }) => {
    const target = normaliseUrl(href, baseUrl)
    return 'url' in target ? [{ url: target.url, anchorText: text }] : []
  })
}
