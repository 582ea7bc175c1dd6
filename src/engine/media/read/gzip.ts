// Text that is stored compressed: read as the text or page that it unpacks to.

import { constants, gunzipSync } from 'node:zlib'
import { decide } from '../decide.ts'
import type { DocumentLimits } from '../heavy.ts'
import { HTML } from '../html.ts'
import { TEXT } from '../text.ts'
import { type Extracted, NOTHING } from '../type.ts'

/** Deflate shrinks nothing by more than this (zlib's documentation, "Maximum Compression Factor"). */
const MAX_RATIO = 1032

export function readGzip(body: Buffer, url: string, limits: DocumentLimits): Extracted {
  const whole = unpack(body, limits.maxUnpackedBytes)
  const text = whole ?? unpack(body.subarray(0, limits.maxUnpackedBytes / MAX_RATIO), limits.maxUnpackedBytes)
  if (text === null) return { ...NOTHING, problem: 'gzip_broken' }
  const extracted = extractFrom(text, url)
  return whole === null ? { ...extracted, problem: 'cut' } : extracted
}

function extractFrom(text: Buffer, url: string): Extracted {
  const { type } = decide('', text)
  const context = { url, contentType: '', readDocument: async () => NOTHING }
  if (type === 'text') return TEXT.extract(text, context)
  return type === 'html' ? HTML.extract(text, context) : NOTHING
}

/** Of a file that was cut off, what is there; null when it is damaged or unpacks to too much. */
function unpack(body: Buffer, maxOutputLength: number): Buffer | null {
  try {
    return gunzipSync(body, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength })
  } catch {
    return null
  }
}
