import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as zlib from 'node:zlib'
import fc from 'fast-check'
import { decodeBody } from './decode-body.ts'
import { CodedError } from './fetch-result.ts'

const NO_LIMIT = 10_000_000

function decode(body: Buffer, coding: string, maxBytes = NO_LIMIT): Promise<Buffer | string> {
  return new Promise((resolve) =>
    decodeBody(body, coding, maxBytes, (error, decoded) => {
      resolve(error instanceof CodedError ? error.code : decoded)
    }),
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

const SMALL = Buffer.from('A page of modest size. '.repeat(50))
/** Incompressible, so its encoded form also exceeds the size that is decoded synchronously. */
const LARGE = Buffer.from(Uint32Array.from({ length: 50_000 }, (_, i) => Math.imul(i + 1, 0x9e3779b1)).buffer)

describe('decodeBody', () => {
  for (const [coding, encode] of CODERS) {
    it(`decodes ${encode.name} labelled ${coding}, small and large`, async () => {
      for (const data of [SMALL, LARGE]) assert.deepEqual(await decode(encode(data), coding), data)
    })

    it(`rejects truncated ${encode.name} labelled ${coding}`, async () => {
      const small = encode(SMALL)
      for (let cut = 1; cut < small.length; cut++) {
        assert.equal(await decode(small.subarray(0, cut), coding), 'ENCODING_INVALID', `${cut} bytes`)
      }
      const large = encode(LARGE)
      for (const part of [0.4, 0.7, 0.99]) {
        assert.equal(await decode(large.subarray(0, large.length * part), coding), 'ENCODING_INVALID')
      }
    })

    it(`applies the limit to ${encode.name} labelled ${coding}`, async () => {
      for (const data of [SMALL, LARGE]) {
        assert.deepEqual(await decode(encode(data), coding, data.length), data)
        assert.equal(await decode(encode(data), coding, data.length - 1), 'BODY_TOO_LARGE')
      }
    })
  }

  it('decodes gzip of any length, in one member or two', async () => {
    for (const bytes of [16_383, 16_384, 16_385, 100_000, 900_000]) {
      const data = Buffer.alloc(bytes, 'A page of some size. ')
      assert.deepEqual(await decode(zlib.gzipSync(data), 'gzip'), data)
      const parts = [zlib.gzipSync(data), zlib.gzipSync(SMALL)]
      assert.deepEqual(await decode(Buffer.concat(parts), 'gzip'), Buffer.concat([data, SMALL]))
      assert.deepEqual(await decode(Buffer.concat(parts.toReversed()), 'gzip'), Buffer.concat([SMALL, data]))
    }
  })

  it('decodes any bytes in any two codings, the last one first', async () => {
    const coder = fc.constantFrom(...CODERS)
    await fc.assert(
      fc.asyncProperty(coder, coder, fc.uint8Array({ maxLength: 2000 }), async (inner, outer, bytes) => {
        const body = outer[1](inner[1](Buffer.from(bytes)))
        assert.deepEqual(await decode(body, `${inner[0]}, ${outer[0]}`), Buffer.from(bytes))
      }),
      { numRuns: 200 },
    )
  })

  it('accepts coding names in any case, with spaces and empty parts', async () => {
    assert.deepEqual(await decode(zlib.gzipSync(SMALL), ' , GZip ,, identity'), SMALL)
  })

  it('leaves a body without coding or without bytes alone', async () => {
    for (const coding of ['', 'identity', 'Identity, identity', ',']) assert.equal(await decode(SMALL, coding), SMALL)
    for (const coding of ['gzip', 'br', 'unheard-of']) assert.equal((await decode(Buffer.alloc(0), coding)).length, 0)
  })

  it('rejects other codings, and more than two at a time', async () => {
    for (const coding of ['compress', 'gzip2', 'unheard-of, gzip', 'gzip, unheard-of', 'gzip, gzip, gzip']) {
      assert.equal(await decode(zlib.gzipSync(SMALL), coding), 'ENCODING_UNSUPPORTED', coding)
    }
  })

  it('rejects bytes that are not in the coding at all', async () => {
    for (const [coding] of CODERS) assert.equal(await decode(SMALL, coding), 'ENCODING_INVALID', coding)
  })

  it('reads gzip with several members', async () => {
    const body = Buffer.concat([zlib.gzipSync(SMALL), zlib.gzipSync(LARGE), Buffer.alloc(10)])
    assert.deepEqual(await decode(body, 'gzip'), Buffer.concat([SMALL, LARGE]))
  })

  it('ignores data after gzip, and rejects a truncated or broken member', async () => {
    for (const data of [SMALL, LARGE]) {
      const member = zlib.gzipSync(data)
      for (const tail of ['x', '<!-- served in 3 ms -->', '\r\n', '\x1f', 'x'.repeat(100_000)]) {
        assert.deepEqual(await decode(Buffer.concat([member, Buffer.from(tail)]), 'gzip'), data, tail.slice(0, 30))
        assert.deepEqual(
          await decode(Buffer.concat([member, member, Buffer.from(tail)]), 'gzip'),
          Buffer.concat([data, data]),
        )
      }
      const flipped = Buffer.from(member)
      flipped[member.length - 6] = (flipped[member.length - 6] ?? 0) ^ 0xff
      const cut = member.subarray(0, member.length - 3)
      for (const body of [
        [member, cut],
        [member, flipped],
        [flipped, Buffer.from('x')],
        [cut, Buffer.from('x')],
      ]) {
        assert.equal(await decode(Buffer.concat(body), 'gzip'), 'ENCODING_INVALID')
      }
    }
  })

  it('finds the end of gzip with a name, a comment, extra fields and a checksum in its header', async () => {
    const plain = zlib.gzipSync(SMALL)
    const head = Buffer.from([0x1f, 0x8b, 8, 2 | 4 | 8 | 16, 0, 0, 0, 0, 0, 3, 3, 0, 1, 2, 3])
    const named = Buffer.concat([head, Buffer.from('a name\0a comment\0')])
    const sum = Buffer.alloc(2)
    sum.writeUInt16LE(zlib.crc32(named) & 0xffff)
    assert.deepEqual(await decode(Buffer.concat([named, sum, plain.subarray(10), Buffer.from('tail')]), 'gzip'), SMALL)
  })

  it('rejects zstd with several frames, of which only the first would be read', async () => {
    for (const data of [SMALL, LARGE]) {
      const frame = zlib.zstdCompressSync(data)
      assert.equal(await decode(Buffer.concat([frame, frame]), 'zstd'), 'ENCODING_INVALID')
    }
  })
})
