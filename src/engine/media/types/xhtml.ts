import { decodeHtml } from '../../parse/charset/decode-html.ts'
import type { ContentType } from '../content-type.ts'
import { extractHtml } from './html.ts'

export const XHTML = {
  name: 'xhtml',
  mediaTypes: ['application/xhtml+xml'],
  signature: null,
  roots: { html: 'application/xhtml+xml' },
  isInZip: null,
  isValid: () => true,
  isPage: true,
  isHeavy: () => false,
  extract: (body, context) => extractHtml(expandEmptyRawText(decodeHtml(body, context.contentType).text), context),
} as const satisfies ContentType

// In XML `<script/>` is an empty element; an HTML parser treats everything after it as its text.
const EMPTY_RAW_TEXT = /<(script|style|title|textarea|iframe|noframes)(\s[^<>]*)?\/>/gi

function expandEmptyRawText(xhtml: string): string {
  return xhtml.replace(EMPTY_RAW_TEXT, '<$1$2></$1>')
}
