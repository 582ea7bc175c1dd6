import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { gunzipSync, gzipSync, zstdDecompressSync } from 'node:zlib'
import { systemClock } from '../lib/clock.ts'
import type { ArchiveCodec, Position } from '../ports/archive.ts'
import { openArchiveWriter } from './archive-writer.ts'
import { filesIn, makeBatch, SETTINGS, temporaryFolders } from './testing/archive-batches.ts'
import { verifySegments } from './verify-segments.ts'
import { packFrame } from './warc/zstd-frame.ts'

const freshFolder = temporaryFolders()

/** Two segments of three responses each. */
async function twoSegments(codec: ArchiveCodec): Promise<{ dir: string; first: string; places: Position[] }> {
  const dir = await freshFolder()
  const writer = await openArchiveWriter(dir, { ...SETTINGS, codec, maxSegmentBytes: 1 }, systemClock)
  const batch = makeBatch([{}, { url: 'https://b.test/' }, {}])
  const positions = [...(await writer.append(batch)), ...(await writer.append(batch))]
  await writer.close()
  return { dir, first: join(dir, positions[0]?.segment ?? ''), places: positions }
}

async function problemsOf(dir: string) {
  return (await Array.fromAsync(verifySegments(dir))).map(({ offset, problem }) => [offset, problem])
}

for (const codec of ['gzip', 'zstd'] as const) {
  const [pack, unpack] = codec === 'gzip' ? [gzipSync, gunzipSync] : [packFrame, zstdDecompressSync]

  describe(`verification of ${codec} segments`, () => {
    it('lists every record of every segment', async () => {
      const { dir, places: positions } = await twoSegments(codec)
      const checks = await Array.fromAsync(verifySegments(dir))
      assert.deepEqual(
        checks.map(({ type, url, problem }) => [type, url, problem]),
        [1, 2].flatMap(() => [
          ['warcinfo', null, null],
          ['response', 'https://a.test/', null],
          ['response', 'https://b.test/', null],
          ['response', 'https://a.test/', null],
        ]),
      )
      const { segment, isOpen, offset, length, payloadDigest } = checks[2] ?? {}
      assert.deepEqual({ segment, offset, length }, positions[1])
      assert.deepEqual([isOpen, payloadDigest], [false, makeBatch([{}]).items[0]?.payloadDigest])
    })

    it('marks segments that are being written', async () => {
      const dir = await freshFolder()
      const writer = await openArchiveWriter(dir, { ...SETTINGS, codec, maxSegmentBytes: 1 }, systemClock)
      for (let i = 0; i < 2; i++) await writer.append(makeBatch([{}]))
      const checks = await Array.fromAsync(verifySegments(dir))
      assert.deepEqual(
        checks.map(({ isOpen, problem }) => [isOpen, problem]),
        [false, false, true, true].map((isOpen) => [isOpen, null]),
      )
      await writer.close()
    })

    it('reports where a segment is torn and continues with the next', async () => {
      const { dir, first, places: positions } = await twoSegments(codec)
      await writeFile(first, (await readFile(first)).subarray(0, -1))
      const [a, b, c, d, e, f] = positions.map(({ offset }) => offset)
      const offsets = [0, a, b, c, 0, d, e, f]
      const expected = offsets.map((offset, i) => [offset, i === 3 ? 'torn or broken' : null])
      assert.deepEqual(await problemsOf(dir), expected)
    })

    it('reports a broken member and continues with the next segment', async () => {
      const { dir, first, places: positions } = await twoSegments(codec)
      const bytes = await readFile(first)
      const at = (positions[1]?.offset ?? 0) + 60
      bytes.writeUInt8(bytes.readUInt8(at) ^ 0xff, at)
      await writeFile(first, bytes)
      const problems = await problemsOf(dir)
      assert.deepEqual(problems[2], [positions[1]?.offset, 'torn or broken'])
      assert.equal(problems.length, 7)
      const torn = (await Array.fromAsync(verifySegments(dir)))[2]
      assert.equal(torn?.length, bytes.length - (positions[1]?.offset ?? 0))
    })

    it('reports records that do not match their headers', async () => {
      const { dir, first, places: positions } = await twoSegments(codec)
      const record = unpack((await readFile(first)).subarray(0, positions[0]?.offset)).toString()
      const response = unpack((await readFile(first)).subarray(positions[2]?.offset)).toString()
      const blockDigest = /WARC-Block-Digest: sha256:./
      for (const [changed, problem] of [
        [record.replace('software', 'Software'), 'wrong block digest'],
        [record.replace(blockDigest, 'WARC-Block-Digest: sha256:x'), 'wrong block digest'],
        [record.replace(/WARC-Block-Digest.*\r\n/, ''), 'wrong block digest'],
        [response.replace('Content-Type', 'WARC-Block-Digest: sha256:x\r\nContent-Type'), 'wrong block digest'],
        [response.replace(/Payload-Digest: sha256:./, 'Payload-Digest: sha256:x'), 'wrong payload digest'],
        [response.replace('WARC/1.1', 'WARC/9.9'), 'malformed'],
        [response.replace(/Content-Length: \d+/, 'Content-Length: 3'), 'malformed'],
        [response.replace(/Content-Length: \d+/, 'Content-Length: x'), 'malformed'],
        ['', 'malformed'],
      ] as const) {
        await writeFile(first, pack(Buffer.from(changed)))
        assert.deepEqual((await problemsOf(dir))[0], [0, problem], changed)
      }
    })

    it('reads records larger than its window, even torn ones', async () => {
      const dir = await freshFolder()
      const writer = await openArchiveWriter(dir, { ...SETTINGS, codec, maxSegmentBytes: 1e9 }, systemClock)
      const [small, large] = [randomBytes(400_000), randomBytes(5_000_000)]
      const packed = 'HTTP/1.1 200 OK\r\nContent-Type: image/png'
      const text = Buffer.from(large.toString('hex'))
      await writer.append(makeBatch([small, small, large, small, text, small].map((payload) => ({ payload }))))
      await writer.append(makeBatch([small, large, small].map((payload) => ({ payload, head: packed }))))
      await writer.close()
      assert.deepEqual(new Set((await problemsOf(dir)).map(([, problem]) => problem)), new Set([null]))
      const path = join(dir, (await filesIn(dir))[0] ?? '')
      await writeFile(path, (await readFile(path)).subarray(0, -1_000_000))
      const problems = (await problemsOf(dir)).map(([, problem]) => problem)
      assert.deepEqual(problems, [...Array(8).fill(null), 'torn or broken'])
    })
  })
}
