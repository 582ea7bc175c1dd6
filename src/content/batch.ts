// A batch of answers as records, ready to be written.

import type { ArchiveBatch, ArchiveItem, Position } from '../ports/archive.ts'
import { isPacked, keptHead } from './http-head.ts'
import { pack } from './member.ts'
import { answerFront } from './record.ts'

export interface Records {
  /** In order, these are the bytes of all records. */
  pieces: Buffer[]
  /** Bytes of each record. */
  lengths: number[]
  length: number
}

export function packBatch({ items, bytes }: ArchiveBatch): Records {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const records: Records = { pieces: [], lengths: [], length: 0 }
  let at = 0
  for (const item of items) {
    const payloadAt = at + item.headLength
    const end = item.sameAs === null ? payloadAt + item.payloadLength : payloadAt
    add(records, packItem(item, all.toString('latin1', at, payloadAt), all.subarray(payloadAt, end)))
    at = end
  }
  return records
}

function packItem(item: ArchiveItem, head: string, payload: Buffer): Buffer[] {
  const front = answerFront(item, keptHead(head, item.payloadLength), payload)
  return pack(front, payload, isPacked(head))
}

function add(records: Records, pieces: Buffer[]): void {
  let length = 0
  for (const piece of pieces) {
    records.pieces.push(piece)
    length += piece.length
  }
  records.lengths.push(length)
  records.length += length
}

/** Where the records lie when the first one begins at `offset`. */
export function positionsFrom(segment: string, offset: number, lengths: number[]): Position[] {
  return lengths.map((length) => {
    const position = { segment, offset, length }
    offset += length
    return position
  })
}
