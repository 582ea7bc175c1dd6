// A batch of answers as records, ready to be written.

import type { ArchiveBatch, Position } from '../ports/archive.ts'
import { isPacked, keptHead } from './http-head.ts'
import type { Press } from './press.ts'
import { answerRecord, extractRecord, newRecordId, requestRecord } from './record.ts'

export interface Records {
  /** In order, these are the bytes of all records. */
  pieces: Buffer[]
  /** Bytes of each answer, with its request and extract. */
  lengths: number[]
  length: number
}

export function packBatch({ items, bytes }: ArchiveBatch, press: Press): Records {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const records: Records = { pieces: [], lengths: [], length: 0 }
  let at = 0
  for (const item of items) {
    const payloadAt = at + item.headLength
    const requestAt = item.sameAs === null ? payloadAt + item.payloadLength : payloadAt
    const extractedAt = requestAt + item.requestLength
    const end = item.sameAs === null ? extractedAt + item.extractedLength : extractedAt
    const id = newRecordId()
    const head = all.toString('latin1', at, payloadAt)
    const kept = keptHead(head, item.payloadLength)
    const answer = answerRecord(item, id, kept, all.subarray(payloadAt, requestAt))
    const pieces = press.press(answer, isPacked(head))
    if (item.requestLength > 0) {
      pieces.push(...press.press(requestRecord(item, id, all.toString('latin1', requestAt, extractedAt)), false))
    }
    if (end > extractedAt) pieces.push(...press.press(extractRecord(item, id, all.subarray(extractedAt, end)), false))
    add(records, pieces)
    at = end
  }
  return records
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
