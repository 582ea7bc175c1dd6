// Makes members of records. Each is laid out in one place that is used again for the next: its block can be hashed, and
// it can be packed, without a copy of the page for either.

import { hash } from 'node:crypto'
import { packMember, RECORD_END } from './gzip-member.ts'
import type { WarcRecord } from './warc-record.ts'

const DIGEST = 'WARC-Block-Digest: sha256:'
const DIGEST_LENGTH = 64
const BLANK_LINE = '\r\n\r\n'
/** Room for larger records is not kept. */
const MAX_REUSED_BYTES = 1024 * 1024

export class RecordPacker {
  #buffer = Buffer.allocUnsafe(64 * 1024)

  /** In pieces; `isPacked` when the payload will not shrink. */
  pack({ header, head, payload }: WarcRecord, isPacked: boolean): Buffer[] {
    // The digest is the last field, so that all that comes before it and its own length are known.
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
