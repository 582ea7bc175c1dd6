import assert from 'node:assert/strict'
import { mkdir, readdir, rm, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { openArchiveWriter } from '../archive-writer.ts'
import { filesIn, makeBatch, NOW, SETTINGS, temporaryFolders } from '../testing/archive-batches.ts'
import { MemoryObjects } from '../testing/memory-objects.ts'
import { SegmentUploader } from './segment-uploader.ts'

const freshFolder = temporaryFolders()

/** Lets pending file operations and promises finish. */
async function settle(check: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await check())) await new Promise(setImmediate)
}

async function openUploader({ cacheBytes = 1e9 } = {}) {
  const dir = await freshFolder()
  const clock = new ManualClock(NOW)
  const objects = new MemoryObjects()
  const uploader = new SegmentUploader({ dir, objects, clock, cacheBytes })
  const settings = { ...SETTINGS, onSealed: uploader.add.bind(uploader) }
  const writer = await openArchiveWriter(dir, settings, clock)
  await uploader.start()
  const writeSegment = async (): Promise<string> => {
    const [position] = await writer.append(makeBatch([{}]))
    await writer.seal(0)
    return position?.segment ?? ''
  }
  const cached = async () => (await readdir(join(dir, 'cache'))).sort()
  return { dir, clock, objects, uploader, writer, writeSegment, cached }
}

describe('uploads of closed segments', () => {
  it('move the file to the cache', async () => {
    const { dir, uploader, objects, writeSegment, cached } = await openUploader()
    const segment = await writeSegment()
    await uploader.whenUploaded(segment)
    assert.deepEqual([...objects.objects.keys()], [segment])
    assert.deepEqual(await cached(), [segment])
    assert.deepEqual(await filesIn(dir), ['cache'])
    const { uploadedSegments, waitingSegments, problem } = await uploader.status()
    assert.deepEqual(
      { uploadedSegments, waitingSegments, problem },
      { uploadedSegments: 1, waitingSegments: 0, problem: null },
    )
  })

  it('are repeated until they succeed', async () => {
    const { clock, uploader, objects, writeSegment } = await openUploader()
    objects.failure = 'away'
    const first = await writeSegment()
    const second = await writeSegment()
    await settle(async () => (await uploader.status()).problem !== null)
    const status = await uploader.status()
    assert.equal(status.waitingSegments, 2)
    assert.match(status.problem ?? '', /^The object storage failed: put/)
    await settle(() => clock.nextAt() !== null)
    clock.advance(500)
    await settle(() => objects.calls.length === 2)
    assert.equal((await uploader.status()).failingForMs, 500)
    objects.failure = null
    await settle(async () => {
      clock.advance(1000)
      return (await uploader.status()).waitingSegments === 0
    })
    assert.deepEqual([...objects.objects.keys()].sort(), [first, second])
    assert.equal((await uploader.status()).problem, null)
  })

  it('that fail do not block the others', async () => {
    const { clock, uploader, objects, writeSegment } = await openUploader()
    objects.failure = 'refused'
    const first = await writeSegment()
    await settle(async () => (await uploader.status()).problem !== null)
    objects.failure = null
    objects.refused.add(first)
    const second = await writeSegment()
    const third = await writeSegment()
    await settle(async () => {
      clock.advance(1000)
      return (await uploader.status()).waitingSegments === 1
    })
    assert.deepEqual([...objects.objects.keys()], [second, third])
    objects.refused.clear()
    await settle(async () => {
      clock.advance(1000)
      return (await uploader.status()).waitingSegments === 0
    })
    assert.ok(objects.objects.has(first))
  })

  it('give up a segment whose file was deleted', async () => {
    const { dir, clock, uploader, objects, writeSegment } = await openUploader()
    objects.failure = 'away'
    const first = await writeSegment()
    const waited = assert.rejects(uploader.whenUploaded(first), { code: 'ARCHIVE_BROKEN' })
    const second = await writeSegment()
    await settle(async () => (await uploader.status()).problem !== null)
    await unlink(join(dir, first))
    const attempts = objects.calls.length
    // While the bucket is unavailable, it is unknown whether the object exists.
    await settle(() => {
      clock.advance(1000)
      return objects.calls.length > attempts + 4
    })
    assert.deepEqual((await uploader.status()).lostSegments, [])
    objects.failure = null
    await settle(async () => {
      clock.advance(1000)
      return (await uploader.status()).waitingSegments === 0
    })
    await waited
    assert.deepEqual([...objects.objects.keys()], [second])
    const { lostSegments, problem } = await uploader.status()
    assert.deepEqual({ lostSegments, problem }, { lostSegments: [first], problem: null })
  })

  it('are searched for again after a failed search, which is no failed upload', async () => {
    const { dir, clock, uploader, objects } = await openUploader()
    const cache = join(dir, 'cache')
    await rm(cache, { recursive: true })
    await writeFile(cache, '')
    clock.advance(30_000)
    await settle(async () => (await uploader.status()).problem !== null)
    assert.equal((await uploader.status()).failingForMs, 0)
    await rm(cache)
    await mkdir(cache)
    const dead = await openArchiveWriter(dir, { ...SETTINGS, writer: 'w9' }, clock)
    await dead.append(makeBatch([{}]))
    await dead.close()
    await settle(() => clock.nextAt() !== null)
    clock.advance(30_000)
    await settle(async () => (await uploader.status()).uploadedSegments === 1)
    assert.equal(objects.objects.size, 1)
    await settle(async () => (await uploader.status()).problem === null)
  })

  it('take what dead processes left, unless the object exists already', async () => {
    const dir = await freshFolder()
    const clock = new ManualClock(NOW)
    const names: string[] = []
    for (const writer of ['w1', 'w2', 'w3']) {
      const dead = await openArchiveWriter(dir, { ...SETTINGS, writer }, clock)
      names.push((await dead.append(makeBatch([{}])))[0]?.segment ?? '')
      // w3 lives.
      if (writer === 'w3') await dead.seal(0)
      else await dead.close()
    }
    const [one = '', two = '', three = ''] = names
    const objects = new MemoryObjects()
    await objects.put(one, join(dir, one))
    objects.calls.length = 0
    const uploader = new SegmentUploader({ dir, objects, clock, cacheBytes: 0 })
    await uploader.start()
    await settle(async () => (await uploader.status()).waitingSegments === 0)
    assert.deepEqual(objects.calls, [`size ${one}`, `size ${two}`, `put ${two}`])
    assert.deepEqual(await filesIn(dir), [three, 'cache'])
  })

  it('of a folder are left to one process, and to the next when it ends', async () => {
    const { dir, clock, objects, uploader } = await openUploader()
    const dead = await openArchiveWriter(dir, { ...SETTINGS, writer: 'w9' }, clock)
    const other = new SegmentUploader({ dir, objects, clock, cacheBytes: 0 })
    await dead.append(makeBatch([{}]))
    await dead.close()
    await other.start()
    assert.equal((await other.status()).waitingSegments, 0)
    await uploader.close(0)
    clock.advance(30_000)
    await settle(async () => (await other.status()).uploadedSegments === 1)
  })

  it('delete the oldest files of the cache', async () => {
    const { clock, uploader, writeSegment, cached } = await openUploader({ cacheBytes: 1200 })
    const names: string[] = []
    for (let i = 0; i < 4; i++) {
      const segment = await writeSegment()
      names.push(segment)
      await uploader.whenUploaded(segment)
      clock.advance(1000)
    }
    const { uploadedBytes } = await uploader.status()
    const fitting = Math.floor(1200 / (uploadedBytes / 4))
    assert.ok(fitting >= 1 && fitting < 4)
    assert.deepEqual(await cached(), names.slice(-fitting))
  })

  it('that are not done when the process stops leave the file', async () => {
    const { dir, clock, uploader, objects, writer, writeSegment } = await openUploader()
    objects.failure = 'away'
    const segment = await writeSegment()
    const waited = assert.rejects(uploader.whenUploaded(segment), { code: 'INTERRUPTED' })
    await writer.close()
    await settle(async () => (await uploader.status()).problem !== null)
    // A short time, since uploads fail.
    const closed = uploader.close(20_000)
    clock.advance(2000)
    await closed
    await waited
    assert.deepEqual(await filesIn(dir), [segment, 'cache'].sort())
  })

  it('of a segment that was never closed are an error', async () => {
    const { uploader, objects } = await openUploader()
    await assert.rejects(uploader.whenUploaded('20260102T030405-w1-00099.warc.gz'), { code: 'ARCHIVE_BROKEN' })
    assert.equal(objects.calls.length, 1)
  })
})
