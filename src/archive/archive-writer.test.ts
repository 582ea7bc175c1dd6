import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { stat, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { systemClock } from '../lib/clock.ts'
import { ManualClock } from '../lib/testing/manual-clock.ts'
import { openArchiveReader } from './archive-reader.ts'
import { openArchiveWriter } from './archive-writer.ts'
import { filesIn, makeBatch, NOW, SETTINGS, temporaryFolders } from './testing/archive-batches.ts'
import { readWithWarcio } from './testing/read-with-warcio.ts'

const freshFolder = temporaryFolders()
const BIG = makeBatch([{ payload: randomBytes(1000) }])

describe('an archive writer', () => {
  it('creates its folder, but no segment before there is something to write', async () => {
    const dir = join(await freshFolder(), 'a', 'b')
    const writer = await openArchiveWriter(dir, SETTINGS, systemClock)
    assert.deepEqual(await writer.append(makeBatch([])), [])
    await writer.close()
    assert.deepEqual(await filesIn(dir), [])
  })

  it('marks a segment as open until it is closed, without changing positions', async () => {
    const dir = await freshFolder()
    const writer = await openArchiveWriter(dir, SETTINGS, new ManualClock(NOW))
    const [position] = await writer.append(makeBatch([{}]))
    assert.deepEqual(await filesIn(dir), ['20260102T030405-w1-00000.warc.zst.open'])
    await writer.close()
    assert.deepEqual(await filesIn(dir), ['20260102T030405-w1-00000.warc.zst'])
    assert.equal(position?.segment, '20260102T030405-w1-00000.warc.zst')
  })

  it('keeps segments below the maximum size, except for a larger batch', async () => {
    const dir = await freshFolder()
    const writer = await openArchiveWriter(dir, { ...SETTINGS, maxSegmentBytes: 4000 }, new ManualClock(NOW))
    for (let i = 0; i < 4; i++) await writer.append(BIG)
    await writer.append(makeBatch([{ payload: randomBytes(9000) }]))
    await writer.append(BIG)
    await writer.close()
    const sizes = []
    for (const file of await filesIn(dir)) sizes.push((await stat(join(dir, file))).size)
    assert.deepEqual(
      sizes.map((size) => Math.floor(size / 1000)),
      [3, 3, 9, 1],
    )
  })

  it('starts a new segment when the old one reaches its maximum age', async () => {
    const dir = await freshFolder()
    const clock = new ManualClock(NOW)
    const writer = await openArchiveWriter(dir, { ...SETTINGS, maxSegmentAgeMs: 60_000 }, clock)
    await writer.append(BIG)
    clock.advance(59_999)
    await writer.append(BIG)
    clock.advance(1)
    await writer.append(BIG)
    await writer.close()
    assert.deepEqual(await filesIn(dir), ['20260102T030405-w1-00000.warc.zst', '20260102T030505-w1-00001.warc.zst'])
  })

  it('never reuses a name', async () => {
    const dir = await freshFolder()
    await writeFile(join(dir, '20260102T030405-w1-00001.warc.zst.open'), 'left behind')
    for (let i = 0; i < 2; i++) {
      const writer = await openArchiveWriter(dir, SETTINGS, new ManualClock(NOW))
      await writer.append(BIG)
      await writer.close()
    }
    assert.deepEqual(await filesIn(dir), [
      '20260102T030405-w1-00000.warc.zst',
      '20260102T030405-w1-00001.warc.zst.open',
      '20260102T030405-w1-00002.warc.zst',
    ])
  })

  it('reports in advance where the next append goes', async () => {
    const writer = await openArchiveWriter(await freshFolder(), { ...SETTINGS, maxSegmentBytes: 2000 }, systemClock)
    const names: (string | undefined)[] = []
    for (let i = 0; i < 3; i++) {
      names.push(await writer.segmentFor(1100, 'zstd'))
      const [position] = await writer.append(BIG)
      assert.equal(position?.segment, names[i])
    }
    assert.equal(new Set(names).size, 3)
    await writer.close()
  })

  it('keeps concurrent appends apart', async () => {
    const dir = await freshFolder()
    const writer = await openArchiveWriter(dir, { ...SETTINGS, maxSegmentBytes: 20_000 }, systemClock)
    const payloads = Array.from({ length: 60 }, (_, i) => randomBytes(i * 50))
    const appends = payloads.map((payload) => writer.append(makeBatch([{ payload }, {}])))
    const closed = writer.close()
    const positions = await Promise.all(appends)
    await closed
    const reader = openArchiveReader(dir)
    for (const [i, [first]] of positions.entries()) {
      assert.ok(first !== undefined)
      assert.deepEqual((await reader.read(first)).payload, payloads[i])
    }
    await reader.close()
    const foreign = await readWithWarcio(dir)
    assert.equal(foreign.filter(({ type }) => type === 'response').length, 120)
    assert.deepEqual(
      foreign.flatMap(({ problems }) => problems),
      [],
    )
  })

  it('rejects appends after it is closed', async () => {
    const writer = await openArchiveWriter(await freshFolder(), SETTINGS, systemClock)
    await writer.close()
    await assert.rejects(writer.append(BIG), { code: 'INTERNAL' })
  })

  it('closes its segment on request, after what is pending and only if it is old enough', async () => {
    const dir = await freshFolder()
    const clock = new ManualClock(NOW)
    const sealed: string[] = []
    const onSealed = (segment: string, bytes: number) => sealed.push(`${segment} ${bytes > 0}`)
    const writer = await openArchiveWriter(dir, { ...SETTINGS, onSealed }, clock)
    await writer.seal(0)
    const appended = writer.append(makeBatch([{}]))
    await writer.seal(1)
    assert.deepEqual(sealed, [])
    clock.advance(1)
    await writer.seal(1)
    const [first] = await appended
    assert.deepEqual(sealed, [`${first?.segment} true`])
    // The name is not used again in the same second, even if the file is gone.
    await unlink(join(dir, first?.segment ?? ''))
    const [second] = await writer.append(makeBatch([{}]))
    assert.equal(second?.segment, '20260102T030405-w1-00001.warc.zst')
    await writer.close()
    assert.equal(sealed.length, 2)
  })
})
