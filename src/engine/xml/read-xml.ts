// Splits an XML document into tags and text. Comments, processing instructions and document types are skipped.

import { type ParsedTag, readAttribute, TagReader } from './tag-reader.ts'
import { decodeXmlReferences } from './xml-references.ts'

export interface XmlTag extends ParsedTag {
  attribute(name: string): string
}

export interface XmlVisitor {
  onTag(tag: XmlTag): void
  onText(text: string): void
}

const COMMENT = '<!--'
const CDATA = '<![CDATA['

export function readXml(bytes: Buffer, visitor: XmlVisitor): void {
  const xml = bytes.toString('utf8')
  const tags = new TagReader()
  for (let at = 0; at < xml.length; ) {
    const open = endOf(xml, '<', at, 0)
    if (open > at) visitor.onText(decodeXmlReferences(xml.slice(at, open)))
    if (open === xml.length) return
    if (xml.startsWith(COMMENT, open)) at = endOf(xml, '-->', open + COMMENT.length, 3)
    else if (xml.startsWith(CDATA, open)) {
      const close = endOf(xml, ']]>', open, 0)
      visitor.onText(xml.slice(open + CDATA.length, close))
      at = close + 3
    } else {
      const close = endOf(xml, '>', open, 0)
      const raw = xml.slice(open + 1, close)
      if (raw[0] !== '?' && raw[0] !== '!') {
        visitor.onTag({ ...tags.read(raw), attribute: (name) => readAttribute(raw, name) ?? '' })
      }
      at = close + 1
    }
  }
}

/** The position of the delimiter plus `past`; the end of the text if there is none. */
function endOf(xml: string, delimiter: string, from: number, past: number): number {
  const at = xml.indexOf(delimiter, from)
  return at === -1 ? xml.length : at + past
}
