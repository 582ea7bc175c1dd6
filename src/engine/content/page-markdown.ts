// An archived page as Markdown, as chunks, and as a file with front matter.

import type { PageVersion } from '../../ports/pages.ts'
import type { ArchivedPage } from '../pages/read-archived-page.ts'
import { type ContentChunk, splitContent } from './chunks.ts'
import type { MarkdownBlock } from './markdown/write-blocks.ts'
import { blocksOfMarkdown, contentOfHtml, contentOfText, limitText, toMarkdown } from './page-content.ts'

type PageText = Pick<ArchivedPage, 'html' | 'text' | 'version'>

/** The content of a page; empty if its type has no text. */
function pageContent({ html, text, version }: PageText): MarkdownBlock[] {
  return html === null ? contentOfText(text) : contentOfHtml(html, version.url)
}

const MARKDOWN_TYPE = /^text\/(?:x-)?markdown\b/i
/** Servers that do not know the type send such files as text or bytes. */
const MARKDOWN_FILE = /\.(?:md|markdown)$/i

function isMarkdown({ html, version: { url, contentType } }: PageText): boolean {
  return html === null && (MARKDOWN_TYPE.test(contentType ?? '') || MARKDOWN_FILE.test(new URL(url).pathname))
}

/** A document that is Markdown itself stays as it is. */
export function pageMarkdown(page: PageText): string {
  return isMarkdown(page) ? limitText(page.text) : toMarkdown(pageContent(page))
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
  const blocks = isMarkdown(page) ? blocksOfMarkdown(page.text) : pageContent(page)
  return splitContent(blocks, page.version.url, maxLength).map((chunk) => toChunkRecord(chunk, page.version))
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
