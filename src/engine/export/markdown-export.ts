// The pages of a crawl as a zip file of Markdown files whose folders mirror the site: the newest version of each page,
// with front matter. Links between exported pages are relative. Needs a few numbers in memory per page.

import type { PageVersion } from '../../ports/pages.ts'
import { DEFAULT_CHUNK_LENGTH } from '../content/chunks.ts'
import { frontMatter, pageChunks, pageMarkdown } from '../content/page-markdown.ts'
import type { ArchivedPage, PageReader } from '../pages/read-archived-page.ts'
import { withoutFragment } from '../url/normalise-url.ts'
import { skipIfDamaged } from './export-pages.ts'
import { jsonLine } from './jsonl.ts'
import { markdownPath, relativePath } from './markdown-paths.ts'
import { UrlNumbers } from './url-numbers.ts'
import { ZipWriter } from './wacz/zip-writer.ts'

export interface MarkdownExportDependencies {
  /** Called twice: the set of exported pages must be known before the first link is written. */
  listPages(): AsyncIterable<PageVersion>
  readPage: PageReader
  onDamaged: (what: string) => void
  now(): number
  /** Unknown to the sites of the crawl. */
  seed: number
}

export async function* toMarkdownZip(dependencies: MarkdownExportDependencies): AsyncGenerator<Buffer> {
  const versions = await findNewest(dependencies)
  const zip = new ZipWriter(dependencies.now())
  for await (const page of readNewest(versions, dependencies)) {
    const path = markdownPath(page.version.url)
    const text = frontMatter(page.version) + relativeLinks(pageMarkdown(page), path, versions)
    yield* zip.compressedEntry(path, [Buffer.from(text)])
  }
  yield zip.end()
}

export async function* toChunkLines(dependencies: MarkdownExportDependencies): AsyncGenerator<string> {
  const versions = await findNewest(dependencies)
  for await (const page of readNewest(versions, dependencies)) {
    for (const chunk of pageChunks(page, DEFAULT_CHUNK_LENGTH)) yield jsonLine(chunk)
  }
}

/** Whether a page is part of the export: an image or an archive file has no text. */
export function hasText({ html, text }: ArchivedPage): boolean {
  return html !== null || text !== ''
}

/** Ids of the newest versions, by URL. */
interface NewestVersions {
  all: UrlNumbers
  /** Pages known to have text. */
  withText: UrlNumbers
}

async function findNewest({ listPages, seed }: MarkdownExportDependencies): Promise<NewestVersions> {
  const [all, withText] = [new UrlNumbers(seed), new UrlNumbers(seed)]
  for await (const version of listPages()) {
    if (!hasContent(version)) continue
    all.raise(version.url, version.id)
    if (isKnownToHaveText(version)) withText.raise(version.url, version.id)
  }
  return { all, withText }
}

const HTML = /^\s*(text\/html|application\/xhtml\+xml)\b/i

/** HTML is exported even without words. */
function isKnownToHaveText({ words, contentType }: PageVersion): boolean {
  return words === 0 ? HTML.test(contentType ?? '') : words !== null
}

async function* readNewest(
  { all }: NewestVersions,
  { listPages, readPage, onDamaged }: MarkdownExportDependencies,
): AsyncGenerator<ArchivedPage> {
  for await (const version of listPages()) {
    if (all.get(version.url) !== version.id) continue
    const page = await skipIfDamaged(version.url, onDamaged, () => readPage(version))
    if (page !== null && hasText(page)) yield page
  }
}

/** Error pages and redirects have no content to export. */
function hasContent({ isArchived, httpStatus, redirectTo }: PageVersion): boolean {
  return isArchived && redirectTo === null && (httpStatus === null || httpStatus < 300)
}

const LINK = /\]\((<?)(https?:\/\/[^\s)>]+)(>?)\)/g

/** A link of Markdown text begins with `](`; inside code that is rare, and then leads to the same page. */
function relativeLinks(markdown: string, from: string, { all, withText }: NewestVersions): string {
  return markdown.replace(LINK, (link, open: string, target: string, close: string) => {
    const url = withoutFragment(target)
    // Servers redirect the name of a folder to the folder.
    const isFolder = all.get(url) === undefined && !url.includes('?')
    const page = isFolder ? `${url}/` : url
    const id = withText.get(page)
    if (id === undefined || id !== all.get(page)) return link
    return `](${open}${relativePath(from, markdownPath(page))}${target.slice(url.length)}${close})`
  })
}
