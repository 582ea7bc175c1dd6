// Iterates over the members of a segment, with a window that holds many small ones or a single large one.

import type { SegmentSource } from './segment-source.ts'
import { unpackMember } from './warc/unpack-member.ts'

export interface ScannedMember {
  offset: number
  /**
   * Length of the member. If it is torn or broken, all bytes up to the end, since the start of the next one is
   * unknown.
   */
  length: number
  /** Null if the member is torn or broken. */
  data: Buffer | null
}

/** A request to object storage costs as much as some hundred kilobytes. */
const WINDOW_BYTES = 4 * 1024 * 1024

/**
 * Starts at `offset`, which must be the start of a member, and ends at the current end of file or after the first bad
 * member. A member without content belongs to the previous one, as in `unpackMembers`.
 */
export async function* scanMembers(source: SegmentSource, offset: number): AsyncGenerator<ScannedMember> {
  let before: ScannedMember | null = null
  for await (const member of scanEach(source, offset)) {
    if (before !== null && member.data?.length === 0) {
      before.length += member.length
      continue
    }
    if (before !== null) yield before
    before = member
  }
  if (before !== null) yield before
}

async function* scanEach(source: SegmentSource, offset: number): AsyncGenerator<ScannedMember> {
  const { size } = source
  let window: Buffer = Buffer.alloc(0)
  while (offset < size) {
    let found = unpackMember(window)
    if (found.kind === 'cut') {
      window = await source.read(offset, Math.min(WINDOW_BYTES, size - offset))
      found = unpackMember(window)
    }
    if (found.kind === 'cut' && window.length < size - offset) {
      window = await source.read(offset, Math.min(found.maxLength, size - offset))
      found = unpackMember(window)
    }
    if (found.kind !== 'whole') {
      yield { offset, length: size - offset, data: null }
      return
    }
    yield { offset, length: found.length, data: found.data }
    offset += found.length
    window = window.subarray(found.length)
  }
}
