// Office Open XML (ECMA-376): the text of a Word document and of its notes; links refer to relationships.

import { readXml } from '../../xml/read-xml.ts'
import { type ExtractedContent, NO_CONTENT } from '../content-type.ts'
import type { DocumentLimits } from '../document-types.ts'
import { readDublinCore } from './dublin-core.ts'
import { ExtractBuffer } from './extract-buffer.ts'
import { openZip, type Zip } from './zip-reader.ts'

const MAIN = 'document'
const PARTS = [MAIN, 'footnotes', 'endnotes']

export function readDocx(body: Buffer, limits: DocumentLimits): ExtractedContent {
  const zip = openZip(body, limits.maxUnpackedBytes)
  if (typeof zip === 'string') return { ...NO_CONTENT, problem: `docx_${zip}` }
  if (!zip.has(`word/${MAIN}.xml`)) return { ...NO_CONTENT, problem: 'docx_broken' }
  const extractBuffer = new ExtractBuffer(limits)
  for (const part of PARTS) readPart(zip, part, extractBuffer)
  const { text, links } = extractBuffer
  const described = readDublinCore(zip.read('docProps/core.xml'))
  return {
    ...NO_CONTENT,
    ...described,
    text,
    links,
    problem: extractBuffer.isTruncated || zip.isTruncated ? 'cut' : null,
  }
}

function readPart(zip: Zip, part: string, extractBuffer: ExtractBuffer): void {
  const file = zip.read(`word/${part}.xml`)
  if (file === null) return
  const targets = targetsOf(zip.read(`word/_rels/${part}.xml.rels`))
  let isText = false
  let link: { href: string; start: number } | null = null
  readXml(file, {
    onText(text) {
      if (isText) extractBuffer.add(text)
    },
    onTag(tag) {
      if (tag.name === 'w:t') isText = !tag.isEnd && !tag.isSelfClosing
      else if (tag.name === 'w:tab' && !tag.isEnd) extractBuffer.add('\t')
      else if (tag.name === 'w:br' && !tag.isEnd) extractBuffer.add('\n')
      else if (tag.name === 'w:p' && (tag.isEnd || tag.isSelfClosing)) extractBuffer.add('\n')
      else if (tag.name === 'w:hyperlink') {
        if (link !== null) extractBuffer.addLink({ href: link.href, rel: '', text: extractBuffer.textFrom(link.start) })
        const href = tag.isEnd ? undefined : targets.get(tag.attribute('r:id'))
        link = href === undefined ? null : { href, start: extractBuffer.length }
      }
    },
  })
}

/** Link targets by relationship id, without targets inside the file. */
function targetsOf(relationships: Buffer | null): Map<string, string> {
  const targets = new Map<string, string>()
  if (relationships === null) return targets
  readXml(relationships, {
    onText: () => undefined,
    onTag(tag) {
      if (tag.local === 'relationship' && tag.attribute('targetmode').toLowerCase() === 'external') {
        targets.set(tag.attribute('id'), tag.attribute('target'))
      }
    },
  })
  return targets
}
