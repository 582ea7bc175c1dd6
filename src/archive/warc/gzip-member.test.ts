import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { packGzipMember, RECORD_END, unpackGzipMember } from './gzip-member.ts'

function packed(front: Uint8Array, payload: Uint8Array, isPacked: boolean): Buffer {
  return Buffer.concat(packGzipMember(Buffer.concat([front, payload, RECORD_END]), isPacked ? payload : null))
}

const bytes = fc.uint8Array({ maxLength: 300 })

describe('a gzip member', () => {
  it('is unpacked to the same bytes, by us and by gunzip, whatever follows', () => {
    fc.assert(
      fc.property(bytes, bytes, fc.boolean(), bytes, (front, payload, isPacked, after) => {
        const record = Buffer.concat([front, payload, Buffer.from('\r\n\r\n')])
        const member = packed(front, payload, isPacked)
        const found = unpackGzipMember(Buffer.concat([member, after]))
        assert.deepEqual(found, { kind: 'whole', data: record, length: member.length })
        assert.deepEqual(gunzipSync(member), record)
      }),
    )
  })

  it('holds payloads of more than one stored block', () => {
    for (const length of [65_534, 65_535, 65_536, 131_070, 200_000]) {
      const payload = randomBytes(length)
      const member = packed(Buffer.from('front'), payload, true)
      assert.deepEqual(gunzipSync(member).subarray(5, -4), payload)
      assert.equal(unpackGzipMember(member).kind, 'whole')
    }
  })

  it('stores a compressed payload as it is and compresses its header', () => {
    const member = packed(Buffer.alloc(1000, 'a'), randomBytes(10_000), true)
    assert.ok(member.length > 10_000 && member.length < 10_100, String(member.length))
  })

  it('that is truncated is distinguished from a broken one, at every byte', () => {
    for (const isPacked of [true, false]) {
      const member = packed(Buffer.from('front '.repeat(20)), randomBytes(50), isPacked)
      for (let length = 0; length < member.length; length++) {
        assert.equal(unpackGzipMember(member.subarray(0, length)).kind, 'cut', `${length} of ${member.length}`)
      }
    }
  })

  it('with any byte of its data changed is not valid', () => {
    for (const isPacked of [true, false]) {
      const member = packed(Buffer.from('front '.repeat(20)), randomBytes(50), isPacked)
      for (let at = 10; at < member.length; at++) {
        const changed = Buffer.from(member)
        changed.writeUInt8(changed.readUInt8(at) ^ 0x55, at)
        assert.notEqual(unpackGzipMember(changed).kind, 'whole', `byte ${at}`)
      }
    }
  })
})
