// OpenDocument text (ISO/IEC 26300).

import type { DocumentLimits } from '../heavy.ts'
import { type Extracted, NOTHING } from '../type.ts'
import { readDescription } from './described.ts'
import { Gathered } from './gathered.ts'
import { openZip } from './unzip.ts'
import { readXml } from './xml.ts'

const LINE_ENDS: ReadonlySet<string> = new Set(['text:p', 'text:h', 'text:line-break'])
const BLANKS: ReadonlySet<string> = new Set(['text:s', 'text:tab'])

export function readOdt(body: Buffer, limits: DocumentLimits): Extracted {
  const zip = openZip(body, limits.maxUnpackedBytes)
  if (typeof zip === 'string') return { ...NOTHING, problem: `odt_${zip}` }
  // A password encrypts the files, not the zip.
  if (zip.read('META-INF/manifest.xml')?.includes('encryption-data')) return { ...NOTHING, problem: 'odt_encrypted' }
  const content = zip.read('content.xml')
  if (content === null) return { ...NOTHING, problem: zip.isCut ? 'cut' : 'odt_broken' }
  const gathered = new Gathered(limits)
  readContent(content, gathered)
  const metadata = zip.read('meta.xml')
  const { text, links } = gathered
  const problem = gathered.isCut || zip.isCut ? 'cut' : null
  return { ...NOTHING, ...readDescription(metadata), text, links, pages: pagesOf(metadata), problem }
}

function readContent(content: Buffer, gathered: Gathered): void {
  let isText = false
  let link: { href: string; start: number } | null = null
  readXml(content, {
    onText(text) {
      if (isText) gathered.add(text)
    },
    onTag(tag) {
      const { name } = tag
      if (name === 'office:text') isText = !tag.isEnd
      else if (LINE_ENDS.has(name) && (tag.isEnd || tag.isSelfClosing)) gathered.add('\n')
      else if (BLANKS.has(name) && !tag.isEnd) gathered.add(' ')
      else if (name === 'text:a') {
        if (link !== null) gathered.addLink({ href: link.href, rel: '', text: gathered.textFrom(link.start) })
        const href = tag.isEnd ? '' : tag.attribute('xlink:href')
        link = href === '' || href.startsWith('#') ? null : { href, start: gathered.length }
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
