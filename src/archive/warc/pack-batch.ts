// Packs a batch of responses into records, ready to be written.

import type { ArchiveBatch, Position } from '../../ports/archive.ts'
import { isCompressed, toArchivedHead } from './http-head.ts'
import type { RecordPacker } from './record-packer.ts'
import {
  makeConversionRecord,
  makeRequestRecord,
  makeResponseRecord,
  makeScreenshotRecord,
  newRecordId,
} from './warc-record.ts'

export interface PackedRecords {
  /** The bytes of all records, in order. */
  pieces: Buffer[]
  /** Bytes per response, including its request, extract and screenshot. */
  lengths: number[]
  length: number
}

export function packBatch({ items, bytes }: ArchiveBatch, recordPacker: RecordPacker): PackedRecords {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const packedRecords: PackedRecords = { pieces: [], lengths: [], length: 0 }
  let at = 0
  for (const item of items) {
    const payloadAt = at + item.headLength
    const requestAt = item.sameAs === null ? payloadAt + item.payloadLength : payloadAt
    const extractedAt = requestAt + item.requestLength
    const screenshotAt = item.sameAs === null ? extractedAt + item.extractedLength : extractedAt
    const end = item.sameAs === null ? screenshotAt + (item.screenshotLength ?? 0) : screenshotAt
    const id = newRecordId()
    const head = all.toString('latin1', at, payloadAt)
    const archivedHead = toArchivedHead(head, item.payloadLength)
    const response = makeResponseRecord(item, id, archivedHead, all.subarray(payloadAt, requestAt))
    const pieces = recordPacker.pack(response, isCompressed(head))
    if (item.requestLength > 0) {
      pieces.push(
        ...recordPacker.pack(makeRequestRecord(item, id, all.toString('latin1', requestAt, extractedAt)), false),
      )
    }
    if (screenshotAt > extractedAt)
      pieces.push(...recordPacker.pack(makeConversionRecord(item, id, all.subarray(extractedAt, screenshotAt)), false))
    if (end > screenshotAt)
      pieces.push(...recordPacker.pack(makeScreenshotRecord(item, id, all.subarray(screenshotAt, end)), true))
    add(packedRecords, pieces)
    at = end
  }
  return packedRecords
}

function add(packedRecords: PackedRecords, pieces: Buffer[]): void {
  let length = 0
  for (const piece of pieces) {
    packedRecords.pieces.push(piece)
    length += piece.length
  }
  packedRecords.lengths.push(length)
  packedRecords.length += length
}

/** Positions of the records if the first one starts at `offset`. */
export function positionsFrom(segment: string, offset: number, lengths: number[]): Position[] {
  return lengths.map((length) => {
    const position = { segment, offset, length }
    offset += length
    return position
  })
}
