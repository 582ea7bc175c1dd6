// OpenDocument text (ISO/IEC 26300).

import { readXml } from '../../xml/read-xml.ts'
import { type ExtractedContent, NO_CONTENT } from '../content-type.ts'
import type { DocumentLimits } from '../document-types.ts'
import { readDublinCore } from './dublin-core.ts'
import { ExtractBuffer } from './extract-buffer.ts'
import { openZip } from './zip-reader.ts'

const LINE_ENDS: ReadonlySet<string> = new Set(['text:p', 'text:h', 'text:line-break'])
const BLANKS: ReadonlySet<string> = new Set(['text:s', 'text:tab'])

export function readOdt(body: Buffer, limits: DocumentLimits): ExtractedContent {
  const zip = openZip(body, limits.maxUnpackedBytes)
  if (typeof zip === 'string') return { ...NO_CONTENT, problem: `odt_${zip}` }
  // A password encrypts the files, not the zip.
  if (zip.read('META-INF/manifest.xml')?.includes('encryption-data')) return { ...NO_CONTENT, problem: 'odt_encrypted' }
  const content = zip.read('content.xml')
  if (content === null) return { ...NO_CONTENT, problem: zip.isTruncated ? 'cut' : 'odt_broken' }
  const extractBuffer = new ExtractBuffer(limits)
  readContent(content, extractBuffer)
  const metadata = zip.read('meta.xml')
  const { text, links } = extractBuffer
  const problem = extractBuffer.isTruncated || zip.isTruncated ? 'cut' : null
  return { ...NO_CONTENT, ...readDublinCore(metadata), text, links, pages: pagesOf(metadata), problem }
}

function readContent(content: Buffer, extractBuffer: ExtractBuffer): void {
  let isText = false
  let link: { href: string; start: number } | null = null
  readXml(content, {
    onText(text) {
      if (isText) extractBuffer.add(text)
    },
    onTag(tag) {
      const { name } = tag
      if (name === 'office:text') isText = !tag.isEnd
      else if (LINE_ENDS.has(name) && (tag.isEnd || tag.isSelfClosing)) extractBuffer.add('\n')
      else if (BLANKS.has(name) && !tag.isEnd) extractBuffer.add(' ')
      else if (name === 'text:a') {
        if (link !== null) extractBuffer.addLink({ href: link.href, rel: '', text: extractBuffer.textFrom(link.start) })
        const href = tag.isEnd ? '' : tag.attribute('xlink:href')
        link = href === '' || href.startsWith('#') ? null : { href, start: extractBuffer.length }
      }
    },
  })
}

function pagesOf(metadata: Buffer | null): number | null {
  let pages: number | null = null
  if (metadata === null) return pages
  readXml(metadata, {
    onText: () => undefined,
    onTag(tag) {
      const count = tag.name === 'meta:document-statistic' ? Number(tag.attribute('meta:page-count')) : 0
      if (Number.isSafeInteger(count) && count > 0) pages = count
    },
  })
  return pages
}
