// A member holds one record: a gzip member or a Zstandard frame. Its first bytes say which, so that every reader reads
// both.

import { unpackGzipMember } from './gzip-member.ts'
import { isFrame, unpackFrame } from './zstd-frame.ts'

export type UnpackedMember =
  /** The member is `length` bytes long. */
  | { kind: 'whole'; data: Buffer; length: number }
  /** The member continues after these bytes. It has at most `maxLength`. */
  | { kind: 'cut'; maxLength: number }
  | { kind: 'broken' }

/** Unpacks the member at the start of these bytes; other members may follow. */
export function unpackMember(bytes: Buffer): UnpackedMember {
  return isFrame(bytes) ? unpackFrame(bytes) : unpackGzipMember(bytes)
}

/**
 * The contents of the members, or null if the bytes do not consist of whole members. A member without content belongs
 * to the previous one: until 2026-11 some Zstandard frames were followed by an empty one.
 */
export function unpackMembers(bytes: Buffer): { data: Buffer; length: number }[] | null {
  const members: { data: Buffer; length: number }[] = []
  for (let at = 0; at < bytes.length; ) {
    const found = unpackMember(bytes.subarray(at))
    if (found.kind !== 'whole') return null
    const before = members.at(-1)
    if (found.data.length === 0 && before !== undefined) before.length += found.length
    else members.push(found)
    at += found.length
  }
  return members
}
