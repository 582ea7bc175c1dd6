// Walks over the members of a segment, in a window that holds many small ones or a single large one.

import type { FileHandle } from 'node:fs/promises'
import { readAt } from './segment-files.ts'
import { type UnpackedMember, unpackMember } from './warc/gzip-member.ts'
import { recordLength } from './warc/parse-record.ts'

export interface ScannedMember {
  offset: number
  /** Of a member that is torn or broken: all bytes from it to the end, for nobody knows where the next one begins. */
  length: number
  /** Null when it is torn or broken. */
  data: Buffer | null
}

const WINDOW_BYTES = 1024 * 1024

/** From `offset`, where a member must begin, to the end that the file has now; stops after the first bad member. */
export async function* scanMembers(handle: FileHandle, offset: number): AsyncGenerator<ScannedMember> {
  const { size } = await handle.stat()
  let window: Buffer = Buffer.alloc(0)
  while (offset < size) {
    let found = unpackMember(window)
    if (found.kind === 'cut') {
      window = await readAt(handle, offset, Math.min(WINDOW_BYTES, size - offset))
      found = unpackMember(window)
    }
    if (found.kind === 'cut' && window.length < size - offset) {
      window = await readAt(handle, offset, Math.min(longestMember(found), size - offset))
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

/** A large record says itself how large, so that a broken one does not make us read the whole segment at once. */
function longestMember({ data }: Extract<UnpackedMember, { kind: 'cut' }>): number {
  const length = recordLength(data) ?? 0
  // What does not shrink grows by 5 bytes for every 16 KB or more; then the ends of the member.
  return length + Math.ceil(length / 1024) + 1024
}
