import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as zlib from 'node:zlib'
import { decodeBodyStart } from './decode-body-start.ts'

const WHOLE = Buffer.from(Array.from({ length: 20_000 }, (_, i) => `Allow: /${Math.imul(i, 0x9e3779b1)}\n`).join(''))
const NO_LIMIT = WHOLE.length * 2

function decode(body: Buffer, coding: string, maxBytes: number): Promise<Buffer | string> {
  return new Promise((resolve) =>
    decodeBodyStart(body, coding, maxBytes, (error, decoded) => resolve(error?.code ?? decoded)),
  )
}

const CODERS: [string, (data: Buffer) => Buffer][] = [
  ['gzip', zlib.gzipSync],
  ['x-gzip', zlib.gzipSync],
  ['deflate', zlib.deflateSync],
  ['deflate', zlib.deflateRawSync],
  ['br', zlib.brotliCompressSync],
  ['zstd', zlib.zstdCompressSync],
]

describe('decodeBodyStart', () => {
  for (const [coding, encode] of CODERS) {
    it(`returns the start of ${encode.name} labelled ${coding}, to the byte`, async () => {
      for (const bytes of [1, 100_000, WHOLE.length - 1]) {
        assert.deepEqual(await decode(encode(WHOLE), coding, bytes), WHOLE.subarray(0, bytes))
      }
    })

    it(`returns what there is of truncated ${encode.name} labelled ${coding}`, async () => {
      const wire = encode(WHOLE)
      const start = await decode(wire.subarray(0, wire.length / 2), coding, NO_LIMIT)
      assert.ok(typeof start !== 'string' && start.length > WHOLE.length / 10)
      assert.deepEqual(start, WHOLE.subarray(0, start.length))
    })

    it(`rejects other data labelled ${coding} for ${encode.name}`, async () => {
      assert.equal(await decode(WHOLE, coding, NO_LIMIT), 'ENCODING_INVALID')
    })
  }

  it('rejects other codings, and two at a time', async () => {
    assert.equal(await decode(WHOLE, 'compress', NO_LIMIT), 'ENCODING_UNSUPPORTED')
    assert.equal(await decode(WHOLE, 'gzip, br', NO_LIMIT), 'BODY_TOO_LARGE')
  })
})
