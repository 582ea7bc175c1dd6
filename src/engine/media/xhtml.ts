import { decodeHtml } from '../parse/charset.ts'
import { extractHtml } from './html.ts'
import type { ContentType } from './type.ts'

export const XHTML = {
  name: 'xhtml',
  mediaTypes: ['application/xhtml+xml'],
  signature: null,
  roots: { html: 'application/xhtml+xml' },
  isInZip: null,
  isValid: () => true,
  isPage: true,
  isHeavy: () => false,
  extract: (body, context) => extractHtml(closeEmpty(decodeHtml(body, context.contentType).text), context),
} as const satisfies ContentType

// In XML `<script/>` is an empty element; to a reader of html all that follows is its text.
const EMPTY_RAW_TEXT = /<(script|style|title|textarea|iframe|noframes)(\s[^<>]*)?\/>/gi

function closeEmpty(xhtml: string): string {
  return xhtml.replace(EMPTY_RAW_TEXT, '<$1$2></$1>')
}
