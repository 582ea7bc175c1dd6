import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as zlib from 'node:zlib'
import fc from 'fast-check'
import { cpuMs } from '../../lib/testing/cpu-time.ts'
import { decodeBody } from './decode-body.ts'

const MIB = 1024 * 1024

function decode(body: Buffer, coding: string, maxBytes: number): Promise<number | string> {
  return new Promise((resolve) =>
    decodeBody(body, coding, maxBytes, (error, decoded) => resolve(error?.code ?? decoded.length)),
  )
}

/** Data of a given size, part of it noise, in gzip. */
function pack(bytes: number, noiseBytes: number): Buffer {
  const data = Buffer.alloc(bytes)
  for (let i = 0, noise = 1; i < noiseBytes; i++) {
    noise ^= noise << 13
    noise ^= noise >>> 17
    noise ^= noise << 5
    data[i] = noise
  }
  return zlib.gzipSync(data)
}

describe('a body that expands to more than a hundred times its size', () => {
  it('is a bomb beyond 1 MiB', async () => {
    for (const bytes of [MIB + 1, 5 * MIB])
      assert.equal(await decode(pack(bytes, 0), 'gzip', 10 * MIB), 'COMPRESSION_BOMB')
  })

  it('is a page up to 1 MiB', async () => {
    assert.equal(await decode(pack(MIB, 0), 'gzip', 10 * MIB), MIB)
  })

  it('is too large if the limit is lower', async () => {
    assert.equal(await decode(pack(MIB, 0), 'gzip', MIB - 1), 'BODY_TOO_LARGE')
  })

  it('is not inflated again to find the end of a broken member', async () => {
    const broken = zlib.gzipSync('x')
    broken.writeUInt32LE(0, broken.length - 8)
    const bomb = pack(200 * MIB, 0)
    const inflatedMs = cpuMs(() => zlib.gunzipSync(bomb))
    const before = process.cpuUsage()
    assert.equal(await decode(Buffer.concat([broken, bomb]), 'gzip', 10 * MIB), 'ENCODING_INVALID')
    const { user, system } = process.cpuUsage(before)
    const tookMs = (user + system) / 1000
    assert.ok(tookMs < inflatedMs, `${tookMs} ms; inflating takes ${inflatedMs} ms`)
  })

  it('is detected over two codings, each of which is harmless alone', async () => {
    const inner = pack(8 * MIB, 100_000)
    const outer = zlib.brotliCompressSync(zlib.deflateSync(Buffer.alloc(2 * MIB)))
    assert.equal(await decode(inner, 'gzip', 10 * MIB), 8 * MIB)
    assert.equal(await decode(outer, 'deflate, br', 10 * MIB), 'COMPRESSION_BOMB')
  })
})

describe('a body of any size and density', () => {
  it('is decoded completely, or rejected by the limit it exceeds', async () => {
    const size = fc.integer({ min: 1, max: 3 * MIB })
    await fc.assert(
      fc.asyncProperty(size, fc.integer({ min: 0, max: 40_000 }), size, async (bytes, noise, maxBytes) => {
        const wire = pack(bytes, Math.min(noise, bytes))
        const allowed = Math.max(MIB, wire.length * 100)
        const refusal = maxBytes <= allowed ? 'BODY_TOO_LARGE' : 'COMPRESSION_BOMB'
        assert.equal(await decode(wire, 'gzip', maxBytes), bytes <= Math.min(maxBytes, allowed) ? bytes : refusal)
      }),
      { numRuns: 50 },
    )
  })
})

describe('the zstd window', () => {
  /** A frame with one raw block, and a header that requests a window (RFC 8878, 3.1.1). */
  const frame = (windowLog: number) => Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, (windowLog - 10) << 3, 9, 0, 0, 0x70])

  it('is allowed up to 8 MiB', async () => {
    assert.equal(await decode(frame(23), 'zstd', MIB), 1)
  })

  it('is rejected beyond', async () => {
    assert.equal(await decode(frame(24), 'zstd', MIB), 'ENCODING_INVALID')
  })
})
