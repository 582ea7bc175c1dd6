// Finds the end of the gzip data in a body. Some servers send bytes after it (padding, an uncompressed footer), on
// which zlib fails and the whole page with it. A body consists of one or more members (RFC 1952, 2.2); anything after
// the last member that does not start like one is not part of the page.

import { createInflateRaw } from 'node:zlib'

const FIXED_HEADER_BYTES = 10
const TRAILER_BYTES = 8
const FLAGS_AT = 3
const HAS_HEADER_CRC = 2
const HAS_EXTRA = 4
const HAS_NAME = 8
const HAS_COMMENT = 16
/** Bounds the work for a body of empty members. */
const MAX_MEMBERS = 1000

/**
 * Null if a member is broken or truncated, if there are too many, or if their total size exceeds `maxBytes`. Needs no
 * memory for the content and verifies no checksums.
 */
export function findGzipEnd(data: Buffer, maxBytes: number, done: (end: number | null) => void): void {
  skipMember(data, { from: 0, members: 1, bytesLeft: maxBytes }, done)
}

interface MemberPosition {
  from: number
  members: number
  bytesLeft: number
}

function skipMember(
  data: Buffer,
  { from, members, bytesLeft }: MemberPosition,
  done: (end: number | null) => void,
): void {
  const deflated = headerEnd(data, from)
  if (deflated === null || members > MAX_MEMBERS) return done(null)
  const inflate = createInflateRaw()
  inflate.on('error', () => done(null))
  inflate.on('data', (content: Buffer) => {
    bytesLeft -= content.length
    if (bytesLeft < 0) inflate.destroy(new Error('The gzip members exceed the limit.'))
  })
  inflate.on('end', () => {
    const end = deflated + inflate.bytesWritten + TRAILER_BYTES
    if (end > data.length) done(null)
    else if (startsMember(data, end)) skipMember(data, { from: end, members: members + 1, bytesLeft }, done)
    else done(end)
  })
  inflate.end(data.subarray(deflated))
}

function startsMember(data: Buffer, at: number): boolean {
  return data[at] === 0x1f && data[at + 1] === 0x8b
}

/** Null if it is not a header. A truncated header ends beyond the data. */
function headerEnd(data: Buffer, from: number): number | null {
  if (!startsMember(data, from) || from + FIXED_HEADER_BYTES > data.length) return null
  const flags = data[from + FLAGS_AT] ?? 0
  let end = from + FIXED_HEADER_BYTES
  if (flags & HAS_EXTRA) end += 2 + (data[end] ?? 0) + (data[end + 1] ?? 0) * 256
  for (const flag of [HAS_NAME, HAS_COMMENT]) {
    if (!(flags & flag)) continue
    const zero = data.indexOf(0, end)
    if (zero < 0) return null
    end = zero + 1
  }
  return flags & HAS_HEADER_CRC ? end + 2 : end
}
