// A page of a crawl, as programs see it.

import type { ReadSession } from '../cli/io.ts'
import type { ExtractedPage } from '../cli/single-page/extract-page.ts'
import type { ExtractRule } from '../config/values/extract-rules.ts'
import { type PageLink, readArchivedPage } from '../engine/pages/read-archived-page.ts'
import { AppError } from '../lib/errors.ts'
import type { PageData, PageVersion } from '../ports/pages.ts'
import { parseRules } from './options.ts'

export interface Page {
  id: number
  crawlId: string
  url: string
  status: number | null
  contentType: string | null
  title: string | null
  description: string | null
  lang: string | null
  /** Target of the redirect, if the page redirects. */
  redirectTo: string | null
  /** 1 for the first version of this URL in the store. */
  version: number
  visitedAt: Date
  /** Null if the text was not read, for example of an image. */
  words: number | null
  /** Bytes as received. */
  bytes: number
  /** SHA-256 of the content, in hex. */
  contentHash: string | null
  /** False if the content is not in the archive, because another page has nearly the same. */
  isArchived: boolean
  /** Data extracted by `extract` and `structuredData` while crawling; null if there is none. */
  data(): Promise<PageData | null>
  /** Reads the content from the archive. */
  read(): Promise<PageContent>
  /** The main content from the archive, without menus and other boilerplate. */
  markdown(): Promise<string>
  /** Applies extraction rules to the archived page; without rules, its structured data. */
  extract(rules?: readonly ExtractRule[]): Promise<ExtractedPage>
  /** All lines of the main text, compared with another page, such as an earlier version. */
  diffFrom(pageId: number): Promise<TextLine[]>
}

export interface TextLine {
  kind: 'same' | 'removed' | 'added'
  text: string
}

export interface PageContent {
  /** Headers as received, in order. */
  headers: [name: string, value: string][]
  /** Decoded. */
  body: Buffer
  /** Null if the page is not HTML. For a rendered page, its DOM. */
  html: string | null
  /** The visible text, one line per block; of documents, their text. */
  text: string
  links: PageLink[]
}

export function toPage(version: PageVersion, session: ReadSession): Page {
  const { id, crawlId, url, contentType, title, description, lang, redirectTo, words, contentHash, isArchived } =
    version
  return {
    id,
    crawlId,
    url,
    status: version.httpStatus,
    contentType,
    title,
    description,
    lang,
    redirectTo,
    version: version.version,
    visitedAt: new Date(version.visitedAt),
    words,
    bytes: version.wireBytes,
    contentHash,
    isArchived,
    data: () => session.pages.dataOf(id),
    async read() {
      const { headers, body, html, text, links } = await readArchivedPage(version, session)
      return { headers, body, html, text, links }
    },
    async markdown() {
      const { pageMarkdown } = await import('../engine/content/page-markdown.ts')
      return pageMarkdown(await readArchivedPage(version, session))
    },
    async extract(rules = []) {
      const { extractFromHtml } = await import('../cli/single-page/extract-page.ts')
      return extractFromHtml((await readArchivedPage(version, session)).html ?? '', version.url, parseRules(rules))
    },
    async diffFrom(pageId) {
      const { compareVersions, PLAIN_COMPARISON } = await import('../changes/compare-versions.ts')
      const compared = await compareVersions(await findVersion(pageId, session), version, PLAIN_COMPARISON, session)
      if (!('comparison' in compared))
        throw new AppError('PAGE_NOT_FOUND', `The text of page ${pageId} or ${id} is not archived, or cannot be read.`)
      return compared.comparison.lines.map(({ kind, text }) => ({ kind, text }))
    },
  }
}

export async function findVersion(pageId: number, { pages }: Pick<ReadSession, 'pages'>): Promise<PageVersion> {
  const version = await pages.find(pageId)
  if (version === null) throw new AppError('PAGE_NOT_FOUND', `There is no page ${pageId}.`)
  return version
}
