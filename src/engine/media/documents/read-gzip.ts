// Compressed text: read as the text or page that it unpacks to.

import { constants, gunzipSync } from 'node:zlib'
import { type ExtractedContent, NO_CONTENT } from '../content-type.ts'
import { detectContentType } from '../detect-type.ts'
import type { DocumentLimits } from '../document-types.ts'
import { HTML } from '../types/html.ts'
import { TEXT } from '../types/text.ts'

/** The maximum compression ratio of deflate (zlib's documentation, "Maximum Compression Factor"). */
const MAX_RATIO = 1032

export function readGzip(body: Buffer, url: string, limits: DocumentLimits): ExtractedContent {
  const whole = unpack(body, limits.maxUnpackedBytes)
  const text = whole ?? unpack(body.subarray(0, limits.maxUnpackedBytes / MAX_RATIO), limits.maxUnpackedBytes)
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

/** Returns what there is of a truncated file; null if it is damaged or too large. */
function unpack(body: Buffer, maxOutputLength: number): Buffer | null {
  try {
    return gunzipSync(body, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength })
  } catch {
    return null
  }
}
