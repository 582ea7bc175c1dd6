// Recognises kinds of zip files without unpacking them, by the files they contain.

import { beginsWith } from './binary-signatures.ts'

const LOCAL_FILE = 'PK\x03\x04'
const NAME_AT = 30
const MIMETYPE = 'mimetype'
const MAX_MIMETYPE = 64
/** The central directory is at the end; this much of it lists a few hundred files. */
const TAIL_BYTES = 1 << 16

export function isZip(body: Buffer): boolean {
  return beginsWith(body, LOCAL_FILE)
}

/** EPUB and OpenDocument declare their type in an uncompressed first file; '' if there is none. */
export function zipMimetype(body: Buffer): string {
  if (body.length < NAME_AT || body.toString('latin1', NAME_AT, NAME_AT + MIMETYPE.length) !== MIMETYPE) return ''
  const start = NAME_AT + MIMETYPE.length + body.readUInt16LE(28)
  const length = body.readUInt32LE(18)
  return length > MAX_MIMETYPE ? '' : body.toString('latin1', start, start + length).trim()
}

export function mentionsZipEntry(body: Buffer, name: string): boolean {
  return body.subarray(-TAIL_BYTES).includes(name)
}
