// Packs records into members. Each record is laid out in a reused buffer, so that its block can be hashed and
// compressed without copying the page twice.

import { hash } from 'node:crypto'
import { copyBytes } from '../../lib/copy-bytes.ts'
import type { ArchiveCodec } from '../../ports/archive.ts'
import { packGzipMember, RECORD_END } from './gzip-member.ts'
import type { WarcRecord } from './warc-record.ts'
import { packFrame } from './zstd-frame.ts'

const DIGEST = 'WARC-Block-Digest: sha256:'
const DIGEST_LENGTH = 64
const LINE_END = '\r\n'
/** Larger buffers are not reused. */
const MAX_REUSED_BYTES = 1024 * 1024

export class RecordPacker {
  readonly #codec: ArchiveCodec
  #buffer = Buffer.allocUnsafe(64 * 1024)

  constructor(codec: ArchiveCodec) {
    this.#codec = codec
  }

  /** Returns pieces. `isPacked` means that the payload is incompressible. */
  pack({ header, hasBlockDigest, head, payload }: WarcRecord, isPacked: boolean): Buffer[] {
    // The digest is the last field, so that everything before it and its own length are known.
    const digestAt = header.length + DIGEST.length
    const blankLineAt = hasBlockDigest ? digestAt + DIGEST_LENGTH + LINE_END.length : header.length
    const blockAt = blankLineAt + LINE_END.length
    const payloadAt = blockAt + head.length
    const end = payloadAt + payload.length
    const record = this.#bufferFor(end + RECORD_END.length)
    record.write(LINE_END + head, blankLineAt, 'latin1')
    copyBytes(payload, record, payloadAt)
    const digest = hasBlockDigest ? DIGEST + hash('sha256', record.subarray(blockAt, end), 'hex') + LINE_END : ''
    record.write(header + digest, 0, 'latin1')
    record.set(RECORD_END, end)
    return this.#codec === 'zstd' ? [packFrame(record)] : packGzipMember(record, isPacked ? payload : null)
  }

  #bufferFor(length: number): Buffer {
    if (length > MAX_REUSED_BYTES) return Buffer.allocUnsafe(length)
    if (length > this.#buffer.length) this.#buffer = Buffer.allocUnsafe(Math.min(MAX_REUSED_BYTES, length * 2))
    return this.#buffer.subarray(0, length)
  }
}
