import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { scanMembers } from '../scan-members.ts'
import { toGzipMember } from './gzip-member.ts'
import { unpackMember, unpackMembers } from './unpack-member.ts'
import { packFrame } from './zstd-frame.ts'

const RECORD = Buffer.from('WARC/1.1\r\nWARC-Type: response\r\n\r\n'.repeat(9))
const EMPTY_FRAME = Buffer.from('28b52ffd240001000099e9d851', 'hex')
/** Content size of 4 bytes, a checksum, no window. */
const HEADER = Buffer.from('28b52ffda4', 'hex')

function block(type: number, size: number, isLast: boolean): Buffer {
  const header = Buffer.alloc(3)
  header.writeUIntLE(size * 8 + type * 2 + (isLast ? 1 : 0), 0, 3)
  return header
}

function sizeField(size: number): Buffer {
  const field = Buffer.alloc(4)
  field.writeUInt32LE(size)
  return field
}

describe('a Zstandard frame', () => {
  it('is unpacked to the same bytes, by us and by zlib, whatever follows', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.uint8Array({ maxLength: 50 }), (bytes, after) => {
        const record = Buffer.from(bytes)
        const frame = packFrame(record)
        assert.deepEqual(unpackMember(Buffer.concat([frame, after])), {
          kind: 'whole',
          data: record,
          length: frame.length,
        })
        assert.deepEqual(zstdDecompressSync(frame), record)
      }),
    )
  })

  it('holds records of many blocks, compressible or not', () => {
    for (const record of [randomBytes(65_535), randomBytes(400_000), Buffer.alloc(3_000_000, 'abc')]) {
      const frame = packFrame(record)
      assert.deepEqual(unpackMember(frame), { kind: 'whole', data: record, length: frame.length })
    }
  })

  it('is alone, also if it fills the chunks of zlib', () => {
    for (const from of [4_060, 8_150, 33_760, 67_550]) {
      for (const record of Array.from({ length: 40 }, (_, i) => randomBytes(from + i))) {
        const frame = packFrame(record)
        assert.deepEqual(unpackMember(frame), { kind: 'whole', data: record, length: frame.length })
      }
    }
  })

  it('and an empty one behind it are one member', async () => {
    const members = [RECORD, RECORD.subarray(9)].map((record) => Buffer.concat([packFrame(record), EMPTY_FRAME]))
    const segment = Buffer.concat(members)
    const lengths = members.map(({ length }) => length)
    assert.deepEqual(
      unpackMembers(segment)?.map(({ length }) => length),
      lengths,
    )
    const source = {
      size: segment.length,
      read: async (at: number, length: number) => segment.subarray(at, at + length),
      close: async () => undefined,
    }
    const scanned = await Array.fromAsync(scanMembers(source, 0))
    assert.deepEqual(
      scanned.map(({ length, data }) => [length, data?.length]),
      [
        [lengths[0], RECORD.length],
        [lengths[1], RECORD.length - 9],
      ],
    )
  })

  it('that is truncated is distinguished from a broken one at every byte, and states its maximum length', () => {
    for (const record of [RECORD, randomBytes(300_000)]) {
      const frame = packFrame(record)
      for (let length = 0; length < frame.length; length += frame.length > 1000 ? 997 : 1) {
        const found = unpackMember(frame.subarray(0, length))
        assert.ok(found.kind === 'cut', `${length} of ${frame.length}: ${found.kind}`)
        if (length >= 10) assert.ok(found.maxLength >= frame.length && found.maxLength < record.length + 1000)
      }
    }
  })

  it('with any byte changed is not valid', () => {
    const frame = packFrame(RECORD)
    for (let at = 0; at < frame.length; at++) {
      const changed = Buffer.from(frame)
      changed.writeUInt8(changed.readUInt8(at) ^ 0x55, at)
      assert.notEqual(unpackMember(changed).kind, 'whole', `byte ${at}`)
    }
  })

  it('without a checksum or a content size is refused', () => {
    const params = { [constants.ZSTD_c_checksumFlag]: 0 }
    assert.equal(unpackMember(zstdCompressSync(RECORD, { params, pledgedSrcSize: RECORD.length })).kind, 'broken')
    const withoutSize = { [constants.ZSTD_c_checksumFlag]: 1, [constants.ZSTD_c_contentSizeFlag]: 0 }
    assert.equal(unpackMember(zstdCompressSync(RECORD, { params: withoutSize })).kind, 'broken')
  })

  it('of hostile size is refused without unpacking what it states', () => {
    const before = process.memoryUsage().arrayBuffers
    // 100,000 blocks that repeat a byte 128 KB each: 400 KB for 12.5 GB.
    const bomb = Array.from({ length: 100_000 }, (_, i) =>
      Buffer.concat([block(1, 131_072, i === 99_999), Buffer.from('x')]),
    )
    const frames = {
      'more than any record': [HEADER, sizeField(2 ** 32 - 1), ...bomb, sizeField(0)],
      'more than it states': [HEADER, sizeField(1000), ...bomb, sizeField(0)],
      'less than it states': [HEADER, sizeField(2 ** 31), block(1, 9, true), Buffer.from('x'), sizeField(0)],
      'a block above the limit': [HEADER, sizeField(2 ** 20), block(1, 2 ** 20, true), Buffer.from('x'), sizeField(0)],
    }
    for (const [name, parts] of Object.entries(frames)) {
      assert.deepEqual(unpackMember(Buffer.concat(parts)), { kind: 'broken' }, name)
    }
    assert.ok(process.memoryUsage().arrayBuffers - before < 20_000_000)
  })

  it('becomes a gzip member that holds the same record; a gzip member stays as it is', () => {
    for (const record of [RECORD, randomBytes(100_000)]) {
      const member = toGzipMember(packFrame(record), record)
      const found = unpackMember(member)
      assert.ok(found.kind === 'whole' && found.length === member.length && found.data.equals(record))
      assert.equal(toGzipMember(member, record), member)
    }
  })
})
