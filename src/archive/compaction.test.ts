import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync, readlinkSync } from 'node:fs'
import { readFile, stat, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ManualClock } from '../lib/testing/manual-clock.ts'
import type { ArchiveCodec, Position } from '../ports/archive.ts'
import { openArchiveReader } from './archive-reader.ts'
import { openArchiveWriter } from './archive-writer.ts'
import { type OpenedCompaction, openCompaction } from './compaction.ts'
import { SegmentUploader } from './objects/segment-uploader.ts'
import { filesIn, makeBatch, NOW, SETTINGS, temporaryFolders } from './testing/archive-batches.ts'
import { MemoryObjects } from './testing/memory-objects.ts'
import { readWithWarcio } from './testing/read-with-warcio.ts'
import { verifySegments } from './verify-segments.ts'

const freshFolder = temporaryFolders()
const GRACE_MS = 1000

/** A closed segment of ten responses. */
async function tenResponses(codec: ArchiveCodec = 'zstd', dir?: string): Promise<{ dir: string; places: Position[] }> {
  dir ??= await freshFolder()
  const writer = await openArchiveWriter(dir, { ...SETTINGS, codec }, new ManualClock(NOW))
  const responses = Array.from({ length: 10 }, (_, i) => ({ url: `https://a.test/${i}`, payload: randomBytes(500) }))
  const positions = await writer.append(makeBatch(responses))
  await writer.close()
  return { dir, places: positions }
}

async function remove(segments: OpenedCompaction, segment: string): Promise<number> {
  await segments.discard(segment)
  return segments.remove(segment)
}

describe('sealed segments', () => {
  it('are those of a dead process, immediately, with their sizes', async () => {
    const { dir, places: positions } = await tenResponses()
    const segments = openCompaction(dir, SETTINGS, { clock: new ManualClock(NOW) })
    const segment = positions[0]?.segment ?? ''
    const { size } = await stat(join(dir, segment))
    assert.deepEqual(await segments.listSealed(GRACE_MS), [{ segment, bytes: size }])
  })

  it('are others only after they have been closed long enough', async () => {
    const dir = await freshFolder()
    const clock = new ManualClock(NOW)
    const segments = openCompaction(dir, SETTINGS, { clock })
    const writer = await openArchiveWriter(dir, { ...SETTINGS, maxSegmentBytes: 1 }, clock)
    await writer.append(makeBatch([{}]))
    clock.advance(5000)
    assert.deepEqual(await segments.listSealed(GRACE_MS), [])
    await writer.append(makeBatch([{}]))
    assert.deepEqual(await segments.listSealed(GRACE_MS), [])
    clock.advance(999)
    assert.deepEqual(await segments.listSealed(GRACE_MS), [])
    clock.advance(1)
    assert.equal((await segments.listSealed(GRACE_MS)).length, 1)
    await writer.close()
    assert.equal((await segments.listSealed(GRACE_MS)).length, 2)
  })

  it('are not files that no writer has named', async () => {
    const dir = await freshFolder()
    await writeFile(join(dir, 'other.warc.gz'), 'x')
    assert.deepEqual(await openCompaction(dir, SETTINGS, { clock: new ManualClock(NOW) }).listSealed(GRACE_MS), [])
  })
})

describe('the retention lock', () => {
  it('is held by one process at a time', async () => {
    const dir = await freshFolder()
    const [one, other] = [0, 1].map(() => openCompaction(dir, SETTINGS, { clock: new ManualClock(NOW) }))
    assert.ok(one !== undefined && other !== undefined)
    assert.deepEqual([await one.tryLock(), await one.tryLock(), await other.tryLock()], [true, true, false])
    await one.unlock()
    assert.deepEqual([await other.tryLock(), await one.tryLock()], [true, false])
    await other.close()
    assert.equal(await one.tryLock(), true)
    await one.close()
  })
})

describe('copied records', () => {
  it('are in their own segment, unchanged, and readable as usual', async () => {
    const { dir, places: positions } = await tenResponses()
    const segments = openCompaction(dir, SETTINGS, { clock: new ManualClock(NOW) })
    const chosen = [2, 3, 7].flatMap((i) => positions[i] ?? [])
    const copyPreparation = await segments.prepareCopy(chosen)
    assert.ok(copyPreparation.kind === 'ready')
    const copies = [...(await segments.copy(chosen)), ...(await segments.copy(positions.slice(0, 1)))]
    assert.deepEqual(new Set(copies.map(({ segment }) => segment)), new Set([copyPreparation.segment]))
    await segments.close()
    const reader = openArchiveReader(dir)
    for (const [i, from] of chosen.entries()) {
      const to: Position | undefined = copies[i]
      assert.ok(to !== undefined)
      assert.deepEqual(await reader.readRaw(to), await reader.readRaw(from))
    }
    await reader.close()
    const checks = await Array.fromAsync(verifySegments(dir))
    assert.ok(checks.every(({ problem }) => problem === null))
    const foreign = (await readWithWarcio(dir)).filter(({ segment }) => segment.includes('-copyw1-'))
    assert.deepEqual(
      foreign.map(({ type, url, problems }) => [type, url, problems]),
      [['warcinfo', null, []], ...[2, 3, 7, 0].map((i) => ['response', `https://a.test/${i}`, []])],
    )
  })

  it('of either codec are in segments of that codec, which other programs read', async () => {
    const { dir, places: zstd } = await tenResponses('zstd')
    const { places: gzip } = await tenResponses('gzip', dir)
    const segments = openCompaction(dir, SETTINGS, { clock: new ManualClock(NOW) })
    const copies: Position[] = []
    for (const from of [gzip.slice(0, 2), zstd.slice(3, 4), zstd.slice(5, 6), gzip.slice(7)]) {
      const prepared = await segments.prepareCopy(from)
      assert.ok(prepared.kind === 'ready')
      const copied = await segments.copy(from)
      assert.deepEqual(new Set(copied.map(({ segment }) => segment)), new Set([prepared.segment]))
      copies.push(...copied)
    }
    await segments.close()
    assert.deepEqual([...new Set(copies.map(({ segment }) => segment.replace(/.*\./, '')))], ['gz', 'zst'])
    assert.equal(new Set(copies.map(({ segment }) => segment)).size, 3)
    const foreign = (await readWithWarcio(dir)).filter(({ segment }) => segment.includes('-copyw1-'))
    assert.deepEqual(
      foreign.map(({ url, problems }) => [url?.slice('https://a.test/'.length), problems]),
      [undefined, 0, 1, undefined, 3, 5, undefined, 7, 8, 9].map((i) => [i?.toString(), []]),
    )
  })

  it('are not made of damaged records, nor of none', async () => {
    const { dir, places: positions } = await tenResponses()
    const path = join(dir, positions[0]?.segment ?? '')
    const bytes = await readFile(path)
    const at = (positions[5]?.offset ?? 0) + 100
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
    await writeFile(path, bytes.subarray(0, -1))
    const segments = openCompaction(dir, SETTINGS, { clock: new ManualClock(NOW) })
    for (const bad of [
      positions.slice(4, 7),
      positions.slice(-1),
      [{ segment: 'none.warc.gz', offset: 0, length: 5 }],
    ]) {
      assert.deepEqual(await segments.prepareCopy(bad), { kind: 'damaged' })
      assert.deepEqual(await segments.copy(bad), [])
    }
    await segments.close()
    assert.equal((await filesIn(dir)).length, 1)
  })
})

describe('a removed segment', () => {
  it('cannot be found once it is discarded, and is deleted when it is removed', async () => {
    const { dir, places: positions } = await tenResponses()
    const segments = openCompaction(dir, SETTINGS, { clock: new ManualClock(NOW) })
    const segment = positions[0]?.segment ?? ''
    const { size } = await stat(join(dir, segment))
    await segments.discard(segment)
    assert.deepEqual([await segments.listSealed(GRACE_MS), await segments.listDiscarded()], [[], [segment]])
    await assert.rejects(openArchiveReader(dir).readRaw({ segment, offset: 0, length: 1 }), { code: 'ARCHIVE_BROKEN' })
    assert.equal(await segments.remove(segment), size)
    assert.equal(await segments.remove(segment), 0)
    assert.deepEqual(await filesIn(dir), [])
  })

  const skip = process.platform === 'linux' ? false : 'only Linux tells which deleted files are open'
  it('stays readable for open handles, which are closed with the next read', { skip }, async () => {
    const { dir, places: positions } = await tenResponses()
    const segments = openCompaction(dir, SETTINGS, { clock: new ManualClock(NOW) })
    const [first, second] = positions
    assert.ok(first !== undefined && second !== undefined)
    const reader = openArchiveReader(dir)
    await reader.read(first)
    const [copied] = await segments.copy([first])
    assert.ok(copied !== undefined)
    await remove(segments, first.segment)
    assert.equal((await reader.read(second)).url, 'https://a.test/1')
    assert.equal(openDeleted(dir).length, 1)
    await reader.read(copied)
    // The check for deleted files runs concurrently with the read.
    while (openDeleted(dir).length > 0) await new Promise((resolve) => setImmediate(resolve))
    await assert.rejects(reader.read(second), { code: 'ARCHIVE_BROKEN' })
    await reader.close()
    await segments.close()
  })
})

/** Deleted files of the folder that this process still has open, according to Linux. */
function openDeleted(dir: string): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`)
      return target.startsWith(dir) && target.endsWith(' (deleted)') ? [target] : []
    } catch {
      // The source is closed in the meantime, like the one of the listing itself.
      return []
    }
  })
}

describe('segments in object storage', () => {
  it('are sealed some time after their upload, whoever wrote them, and copied from their objects', async () => {
    const { dir, places: positions } = await tenResponses()
    const segment = positions[0]?.segment ?? ''
    const clock = new ManualClock(NOW)
    const objects = new MemoryObjects(() => clock.now())
    await objects.put(segment, join(dir, segment))
    await unlink(join(dir, segment))
    const uploader = new SegmentUploader({ dir, objects, clock, cacheBytes: 0 })
    await uploader.start()
    const settings = { ...SETTINGS, onSealed: uploader.add.bind(uploader) }
    const segments = openCompaction(dir, settings, { clock, uploaded: { objects, uploader } })
    clock.advance(999)
    assert.deepEqual(await segments.listSealed(GRACE_MS), [])
    await segments.unlock()
    clock.advance(1)
    assert.deepEqual(
      (await segments.listSealed(GRACE_MS)).map(({ segment: name }) => name),
      [segment],
    )
    const [third] = positions.slice(2, 3)
    assert.ok(third !== undefined)
    assert.equal((await segments.prepareCopy([third])).kind, 'ready')
    const [copy] = await segments.copy([third])
    assert.ok(copy !== undefined && objects.objects.has(copy.segment), 'the copy is uploaded')
    await segments.close()
  })

  it('are deleted with their objects, even if the process dies in between', async () => {
    const { dir, places: positions } = await tenResponses()
    const segment = positions[0]?.segment ?? ''
    const clock = new ManualClock(NOW)
    const objects = new MemoryObjects()
    await objects.put(segment, join(dir, segment))
    await unlink(join(dir, segment))
    const uploader = new SegmentUploader({ dir, objects, clock, cacheBytes: 0 })
    const open = () => openCompaction(dir, SETTINGS, { clock, uploaded: { objects, uploader } })
    await open().discard(segment)
    assert.ok(objects.objects.has(segment))
    const next = open()
    assert.deepEqual(await next.listDiscarded(), [segment])
    assert.ok((await next.remove(segment)) > 5000)
    assert.equal(objects.objects.size, 0)
    assert.deepEqual(await next.listDiscarded(), [])
    assert.equal(await next.remove(segment), 0)
  })
})
