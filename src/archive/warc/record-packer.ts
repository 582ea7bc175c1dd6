// Packs records into gzip members. Each record is laid out in a reused buffer, so that its block can be hashed and
// compressed without copying the page twice.

import { hash } from 'node:crypto'
import { packMember, RECORD_END } from './gzip-member.ts'
import type { WarcRecord } from './warc-record.ts'

const DIGEST = 'WARC-Block-Digest: sha256:'
const DIGEST_LENGTH = 64
const BLANK_LINE = '\r\n\r\n'
/** Larger buffers are not reused. */
const MAX_REUSED_BYTES = 1024 * 1024

export class RecordPacker {
  #buffer = Buffer.allocUnsafe(64 * 1024)

  /** Returns pieces. `isPacked` means that the payload is incompressible. */
  pack({ header, head, payload }: WarcRecord, isPacked: boolean): Buffer[] {
    // The digest is the last field, so that everything before it and its own length are known.
    const digestAt = header.length + DIGEST.length
    const blockAt = digestAt + DIGEST_LENGTH + BLANK_LINE.length
    const payloadAt = blockAt + head.length
    const end = payloadAt + payload.length
    const record = this.#bufferFor(end + RECORD_END.length)
    record.write(header + DIGEST, 0, 'latin1')
    record.write(BLANK_LINE, digestAt + DIGEST_LENGTH, 'latin1')
    record.write(head, blockAt, 'latin1')
    record.set(payload, payloadAt)
    record.write(hash('sha256', record.subarray(blockAt, end), 'hex'), digestAt, 'latin1')
    record.set(RECORD_END, end)
    return packMember(record, isPacked ? payload : null)
  }

  #bufferFor(length: number): Buffer {
    if (length > MAX_REUSED_BYTES) return Buffer.allocUnsafe(length)
    if (length > this.#buffer.length) this.#buffer = Buffer.allocUnsafe(Math.min(MAX_REUSED_BYTES, length * 2))
    return this.#buffer.subarray(0, length)
  }
}
