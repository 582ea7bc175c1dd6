import { isBinary } from '../binary-signatures.ts'
import { type ContentType, NO_CONTENT } from '../content-type.ts'
import { MAX_GZIP_RATIO, unpackGzip } from '../unpack-gzip.ts'

/** Compressed text, such as a changelog. Other gzip content is ignored. */
export const GZIP = {
  name: 'gzip',
  mediaTypes: ['application/gzip', 'application/x-gzip'],
  signature: '\x1f\x8b\x08',
  roots: {},
  isInZip: null,
  isValid: () => false,
  isPage: false,
  isHeavy: holdsText,
  extract: (body, { url, contentType, readDocument }) =>
    holdsText(body) ? readDocument({ type: 'gzip', url, contentType, body }) : NO_CONTENT,
} as const satisfies ContentType

const PEEK_BYTES = 2048

/** Unpacks only the start: 40 microseconds (2026-11), so that a package archive costs next to nothing. */
function holdsText(body: Buffer): boolean {
  const start = unpackGzip(body.subarray(0, PEEK_BYTES), PEEK_BYTES * MAX_GZIP_RATIO)
  return start !== null && start.length > 0 && !isBinary(start)
}
