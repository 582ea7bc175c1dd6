// Compressed text: read as the text or page that it unpacks to.

import { type ExtractedContent, NO_CONTENT } from '../content-type.ts'
import { detectContentType } from '../detect-type.ts'
import type { DocumentLimits } from '../document-types.ts'
import { HTML } from '../types/html.ts'
import { TEXT } from '../types/text.ts'
import { MAX_GZIP_RATIO, unpackGzip } from '../unpack-gzip.ts'

export function readGzip(body: Buffer, limits: DocumentLimits, url: string): ExtractedContent {
  const whole = unpackGzip(body, limits.maxUnpackedBytes)
  const text = whole ?? unpackGzip(body.subarray(0, limits.maxUnpackedBytes / MAX_GZIP_RATIO), limits.maxUnpackedBytes)
  if (text === null) return { ...NO_CONTENT, problem: 'gzip_broken' }
  const extractedContent = extractFrom(text, url)
  return whole === null ? { ...extractedContent, problem: 'cut' } : extractedContent
}

function extractFrom(text: Buffer, url: string): ExtractedContent {
  const { type } = detectContentType('', text)
  const context = { url, contentType: '', readDocument: async () => NO_CONTENT }
  if (type === 'text') return TEXT.extract(text, context)
  return type === 'html' ? HTML.extract(text, context) : NO_CONTENT
}
