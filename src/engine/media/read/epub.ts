// EPUB (https://www.w3.org/TR/epub-33/): a zip of pages, in the order of the spine of its package document.

import { decodeHtml } from '../../parse/charset.ts'
import { readHtml } from '../../parse/html.ts'
import type { DocumentLimits } from '../heavy.ts'
import { type Extracted, NOTHING } from '../type.ts'
import { readDescription } from './described.ts'
import { Gathered } from './gathered.ts'
import { openZip, type Zip } from './unzip.ts'
import { readXml } from './xml.ts'

const CONTAINER = 'META-INF/container.xml'
const ABSOLUTE = /^https?:\/\//i

export function readEpub(body: Buffer, limits: DocumentLimits): Extracted {
  const zip = openZip(body, limits.maxUnpackedBytes)
  if (typeof zip === 'string') return { ...NOTHING, problem: `epub_${zip}` }
  const packagePath = packagePathOf(zip.read(CONTAINER))
  const packageFile = zip.read(packagePath)
  if (packageFile === null) return { ...NOTHING, problem: 'epub_broken' }
  const gathered = new Gathered(limits)
  let pages = 0
  for (const path of spineOf(packageFile, packagePath)) {
    if (gathered.isFull) break
    if (readChapter(zip, path, gathered)) pages += 1
  }
  const { text, links } = gathered
  if (pages === 0) return { ...NOTHING, problem: zip.has('META-INF/encryption.xml') ? 'epub_encrypted' : 'epub_broken' }
  const problem = gathered.isCut || zip.isCut ? 'cut' : null
  return { ...NOTHING, ...readDescription(packageFile), text, links, problem }
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

/** Names in the zip, in reading order. */
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

/** A made-up origin resolves the path as that of any url, and keeps it inside the zip. */
function pathOf(href: string, packagePath: string): string | null {
  const url = URL.parse(href, `http://epub.invalid/${packagePath}`)
  if (href === '' || url === null || url.host !== 'epub.invalid') return null
  try {
    return decodeURIComponent(url.pathname.slice(1))
  } catch {
    return null
  }
}

/** Links inside the book lead to none of the site's pages; only absolute ones are kept. */
function readChapter(zip: Zip, path: string, gathered: Gathered): boolean {
  const file = zip.read(path)
  if (file === null) return false
  const { text, links } = readHtml(decodeHtml(file, 'application/xhtml+xml;charset=utf-8').text, true)
  gathered.add(`${text}\n`)
  for (const { href, rel, text } of links) if (ABSOLUTE.test(href)) gathered.addLink({ href, rel, text })
  return true
}
