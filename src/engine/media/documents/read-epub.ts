// EPUB (https://www.w3.org/TR/epub-33/): a zip of pages, ordered by the spine of its package document.

import { decodeHtml } from '../../parse/charset/decode-html.ts'
import { readHtml } from '../../parse/html-reader.ts'
import { readXml } from '../../xml/read-xml.ts'
import { type ExtractedContent, NO_CONTENT } from '../content-type.ts'
import type { DocumentLimits } from '../document-types.ts'
import { readDublinCore } from './dublin-core.ts'
import { ExtractBuffer } from './extract-buffer.ts'
import { openZip, type Zip } from './zip-reader.ts'

const CONTAINER = 'META-INF/container.xml'
const ABSOLUTE = /^https?:\/\//i

export function readEpub(body: Buffer, limits: DocumentLimits): ExtractedContent {
  const zip = openZip(body, limits.maxUnpackedBytes)
  if (typeof zip === 'string') return { ...NO_CONTENT, problem: `epub_${zip}` }
  const folder = zip.folderOf(CONTAINER)
  const packagePath = folder + packagePathOf(zip.read(folder + CONTAINER))
  const packageFile = zip.read(packagePath)
  if (packageFile === null) return { ...NO_CONTENT, problem: 'epub_broken' }
  const extractBuffer = new ExtractBuffer(limits)
  let pages = 0
  for (const path of spineOf(packageFile, packagePath)) {
    if (extractBuffer.isFull) break
    if (readChapter(zip, path, extractBuffer)) pages += 1
  }
  const { text, links } = extractBuffer
  if (pages === 0)
    return { ...NO_CONTENT, problem: zip.has(`${folder}META-INF/encryption.xml`) ? 'epub_encrypted' : 'epub_broken' }
  const problem = extractBuffer.isTruncated || zip.isTruncated ? 'cut' : null
  return { ...NO_CONTENT, ...readDublinCore(packageFile), text, links, problem }
}

function packagePathOf(container: Buffer | null): string {
  let path = ''
  if (container === null) return path
  readXml(container, {
    onText: () => undefined,
    onTag(tag) {
      if (tag.local === 'rootfile' && path === '') path = tag.attribute('full-path')
    },
  })
  return path
}

/** File names in the zip, in reading order. */
function spineOf(packageFile: Buffer, packagePath: string): string[] {
  const items = new Map<string, string>()
  const order: string[] = []
  readXml(packageFile, {
    onText: () => undefined,
    onTag(tag) {
      if (tag.local === 'item' && !tag.isEnd) items.set(tag.attribute('id'), tag.attribute('href'))
      else if (tag.local === 'itemref' && !tag.isEnd) order.push(tag.attribute('idref'))
    },
  })
  return order.flatMap((id) => pathOf(items.get(id) ?? '', packagePath) ?? [])
}

/** A dummy origin resolves the path like that of any URL, and keeps it inside the zip. */
function pathOf(href: string, packagePath: string): string | null {
  const url = URL.parse(href, `http://epub.invalid/${packagePath}`)
  if (href === '' || url === null || url.host !== 'epub.invalid') return null
  try {
    return decodeURIComponent(url.pathname.slice(1))
  } catch {
    return null
  }
}

/** Links inside the book lead to no page of the site; only absolute ones are kept. */
function readChapter(zip: Zip, path: string, extractBuffer: ExtractBuffer): boolean {
  const file = zip.read(path)
  if (file === null) return false
  const { text, links } = readHtml(decodeHtml(file, 'application/xhtml+xml;charset=utf-8').text, true)
  extractBuffer.add(`${text}\n`)
  for (const { href, rel, text } of links) if (ABSOLUTE.test(href)) extractBuffer.addLink({ href, rel, text })
  return true
}
