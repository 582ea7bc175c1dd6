// An archived page as Markdown, as chunks, and as a file with front matter.

import type { PageVersion } from '../../ports/pages.ts'
import type { ArchivedPage } from '../pages/read-archived-page.ts'
import { type ContentChunk, splitContent } from './chunks.ts'
import type { MarkdownBlock } from './markdown/write-blocks.ts'
import { contentOfHtml, contentOfMarkdown, contentOfText, toMarkdown } from './page-content.ts'

/** The content of a page; empty if its type has no text. */
export function pageContent({ html, text, version }: Pick<ArchivedPage, 'html' | 'text' | 'version'>): MarkdownBlock[] {
  if (html !== null) return contentOfHtml(html, version.url)
  return isMarkdown(version) ? contentOfMarkdown(text) : contentOfText(text)
}

const MARKDOWN_TYPE = /^text\/(?:x-)?markdown\b/i
/** Servers that do not know the type send such files as text or bytes. */
const MARKDOWN_FILE = /\.(?:md|markdown)$/i

function isMarkdown({ url, contentType }: Pick<PageVersion, 'url' | 'contentType'>): boolean {
  return MARKDOWN_TYPE.test(contentType ?? '') || MARKDOWN_FILE.test(new URL(url).pathname)
}

export function pageMarkdown(page: Pick<ArchivedPage, 'html' | 'text' | 'version'>): string {
  return toMarkdown(pageContent(page))
}

/** Field names are the public contract. */
export interface ChunkRecord {
  chunk_id: string
  url: string
  /** URL with the fragment of the nearest heading. */
  source_url: string
  title: string | null
  headings: string[]
  lang: string | null
  page_id: number
  version: number
  fetched: string
  markdown: string
}

export function pageChunks(page: ArchivedPage, maxLength: number): ChunkRecord[] {
  return splitContent(pageContent(page), page.version.url, maxLength).map((chunk) => toChunkRecord(chunk, page.version))
}

function toChunkRecord({ id, headings, anchor, markdown }: ContentChunk, version: PageVersion): ChunkRecord {
  const { url, title, lang, id: pageId } = version
  return {
    chunk_id: id,
    url,
    source_url: anchor === null || url.includes('#') ? url : `${url}#${encodeURIComponent(anchor)}`,
    title,
    headings,
    lang,
    page_id: pageId,
    version: version.version,
    fetched: new Date(version.visitedAt).toISOString(),
    markdown,
  }
}

/** YAML; every string is written as JSON, which is valid YAML. */
export function frontMatter({ url, title, lang, visitedAt, contentHash }: PageVersion): string {
  const fields = { url, title, lang, fetched: new Date(visitedAt).toISOString(), hash: contentHash }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  return `---\n${lines.join('\n')}\n---\n\n`
}
