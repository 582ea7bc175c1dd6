import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ManualClock } from '../lib/testing/manual-clock.ts'
import type { ArchiveCodec, Position } from '../ports/archive.ts'
import { openArchiveWriter } from './archive-writer.ts'
import { listOpenSegments, recoverSegments } from './recover-segments.ts'
import { OPEN_SUFFIX } from './segment-files.ts'
import { filesIn, makeBatch, NOW, SETTINGS, temporaryFolders } from './testing/archive-batches.ts'
import { readWithWarcio } from './testing/read-with-warcio.ts'
import { verifySegments } from './verify-segments.ts'

const freshFolder = temporaryFolders()

interface Sample {
  bytes: Buffer
  positions: Position[]
  /** End offsets of the records, including the warcinfo record. */
  ends: number[]
}

async function smallSegment(codec: ArchiveCodec): Promise<Sample> {
  const dir = await freshFolder()
  const writer = await openArchiveWriter(dir, { ...SETTINGS, codec }, new ManualClock(NOW))
  const packed = 'HTTP/1.1 200 OK\r\nContent-Encoding: br'
  const positions = await writer.append(makeBatch([{}, { head: packed }]))
  await writer.close()
  const starts = positions.map(({ offset }) => offset)
  const bytes = await readFile(join(dir, positions[0]?.segment ?? ''))
  return { bytes, positions, ends: [...starts, bytes.length] }
}

async function leftOpen(name: string, bytes: Uint8Array): Promise<string> {
  const dir = await freshFolder()
  await writeFile(join(dir, name + OPEN_SUFFIX), bytes)
  return dir
}

for (const [codec, NAME] of [
  ['gzip', '20260102T030405-w1-00000.warc.gz'],
  ['zstd', '20260102T030405-w1-00000.warc.zst'],
] as const) {
  describe(`recovery of ${codec} segments`, () => {
    it('keeps every whole record and nothing else, wherever the tail is torn', async () => {
      const { bytes, ends } = await smallSegment(codec)
      for (let length = 0; length <= bytes.length; length++) {
        const dir = await leftOpen(NAME, bytes.subarray(0, length))
        const expected = ends.findLast((end) => end <= length) ?? 0
        assert.deepEqual(await recoverSegments(dir, () => 0), [
          { segment: NAME, length: expected, cutBytes: length - expected },
        ])
        assert.deepEqual(await filesIn(dir), expected === 0 ? [] : [NAME])
        if (expected > 0) assert.deepEqual(await readFile(join(dir, NAME)), bytes.subarray(0, expected))
      }
    })

    it('leaves segments that pass verification and warcio', async () => {
      const { bytes, ends } = await smallSegment(codec)
      for (const [records, end] of ends.entries()) {
        const dir = await leftOpen(NAME, bytes.subarray(0, Math.min(end + 100, bytes.length)))
        await recoverSegments(dir, () => 0)
        const checks = await Array.fromAsync(verifySegments(dir))
        assert.deepEqual(
          checks.map(({ problem }) => problem),
          Array(records + 1).fill(null),
        )
        assert.deepEqual(
          (await readWithWarcio(dir)).map(({ problems }) => problems),
          Array(records + 1).fill([]),
        )
      }
    })

    it('truncates the remains of a power cut: zeros or garbage', async () => {
      const { bytes } = await smallSegment(codec)
      for (const tail of [
        Buffer.alloc(5000),
        Buffer.from('nonsense'),
        bytes.subarray(7),
        Buffer.from([0x1f, 0x8b, 8, 0]),
        Buffer.from([0x28, 0xb5, 0x2f, 0xfd]),
      ]) {
        const dir = await leftOpen(NAME, Buffer.concat([bytes, tail]))
        const [recovered] = await recoverSegments(dir, () => 0)
        assert.deepEqual([recovered?.length, recovered?.cutBytes], [bytes.length, tail.length])
      }
    })

    it('does not read the known good part', async () => {
      const { bytes, positions } = await smallSegment(codec)
      const goodOffset = positions[1]?.offset ?? 0
      const dir = await leftOpen(NAME, Buffer.concat([Buffer.alloc(goodOffset), bytes.subarray(goodOffset, -1)]))
      const [recovered] = await recoverSegments(dir, (segment) => (segment === NAME ? goodOffset : 0))
      assert.equal(recovered?.length, goodOffset)
    })

    it('keeps whole records after the known ones', async () => {
      const { bytes, positions } = await smallSegment(codec)
      const dir = await leftOpen(NAME, bytes)
      const [recovered] = await recoverSegments(dir, () => positions[1]?.offset ?? 0)
      assert.equal(recovered?.length, bytes.length)
    })

    it('truncates nothing that the store refers to, even after a damaged record', async () => {
      const { bytes, positions } = await smallSegment(codec)
      const damaged = Buffer.from(bytes)
      damaged[(positions[0]?.offset ?? 0) + 20] = 0
      const dir = await leftOpen(NAME, Buffer.concat([damaged, Buffer.from('torn')]))
      const [recovered] = await recoverSegments(dir, () => bytes.length)
      assert.deepEqual([recovered?.length, recovered?.cutBytes], [bytes.length, 4])
    })

    it('lists open segments with their lengths', async () => {
      const { bytes } = await smallSegment(codec)
      const dir = await leftOpen(NAME, bytes)
      await writeFile(join(dir, NAME.replace('w1', 'w2')), bytes)
      assert.deepEqual(await listOpenSegments(dir), [{ segment: NAME, bytes: bytes.length }])
    })
  })
}

describe('recovery', () => {
  it('leaves closed segments and other files alone', async () => {
    const dir = await freshFolder()
    await writeFile(join(dir, '20260102T030405-w1-00000.warc.zst'), 'anything')
    await writeFile(join(dir, 'notes.open'), 'anything')
    await mkdir(join(dir, 'folder'))
    assert.deepEqual(await recoverSegments(dir, () => 0), [])
    assert.equal((await filesIn(dir)).length, 3)
  })

  it('does nothing in a missing folder', async () => {
    assert.deepEqual(await recoverSegments(join(await freshFolder(), 'none'), () => 0), [])
  })
})
