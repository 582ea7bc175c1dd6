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

const NO_BYTES = Buffer.alloc(0)

export interface PackedRecords {
  /** The bytes of all records, in order. */
  pieces: Buffer[]
  /** Bytes per response, including its request, extract and screenshot. */
  lengths: number[]
  length: number
}

export function packBatch({ items, chunks }: ArchiveBatch, recordPacker: RecordPacker): PackedRecords {
  const buffers = chunks.map((chunk) => Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length))
  const packedRecords: PackedRecords = { pieces: [], lengths: [], length: 0 }
  for (const item of items) {
    const isWhole = item.sameAs === null
    const all = buffers[item.chunk] ?? NO_BYTES
    const payloadAt = item.offset + item.headLength
    const requestAt = payloadAt + item.payloadLength
    const extractedAt = requestAt + item.requestLength
    const screenshotAt = extractedAt + item.extractedLength
    const end = screenshotAt + (item.screenshotLength ?? 0)
    const id = newRecordId()
    const head = all.toString('latin1', item.offset, payloadAt)
    const archivedHead = toArchivedHead(head, item.payloadLength)
    const payload = isWhole ? all.subarray(payloadAt, requestAt) : NO_BYTES
    const response = makeResponseRecord(item, id, archivedHead, payload)
    const pieces = recordPacker.pack(response, isCompressed(head))
    if (item.requestLength > 0) {
      pieces.push(
        ...recordPacker.pack(makeRequestRecord(item, id, all.toString('latin1', requestAt, extractedAt)), false),
      )
    }
    if (isWhole && screenshotAt > extractedAt)
      pieces.push(...recordPacker.pack(makeConversionRecord(item, id, all.subarray(extractedAt, screenshotAt)), false))
    if (isWhole && end > screenshotAt)
      pieces.push(...recordPacker.pack(makeScreenshotRecord(item, id, all.subarray(screenshotAt, end)), true))
    add(packedRecords, pieces)
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
