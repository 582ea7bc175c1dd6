import assert from 'node:assert/strict'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { openArchiveReader } from '../archive-reader.ts'
import { openArchiveWriter } from '../archive-writer.ts'
import { openClusterReader } from '../cluster-reader.ts'
import { makeBatch, NOW, SETTINGS, temporaryFolders } from '../testing/archive-batches.ts'
import { MemoryObjects } from '../testing/memory-objects.ts'
import { openObjectReader } from './object-reader.ts'

const freshFolder = temporaryFolders()

async function openArchive(t: TestContext) {
  const dir = await freshFolder()
  const clock = new ManualClock(NOW)
  const writer = await openArchiveWriter(dir, SETTINGS, clock)
  const [position] = await writer.append(makeBatch([{ payload: Buffer.from('<p>one') }]))
  await writer.close()
  assert.ok(position !== undefined)
  const objects = new MemoryObjects()
  const file = join(dir, position.segment)
  await objects.put(position.segment, file)
  objects.calls.length = 0
  const reader = openObjectReader({ local: openArchiveReader(dir), objects, clock })
  t.after(() => reader.close())
  const text = async () => String((await reader.read(position)).payload)
  return { dir, clock, objects, position, file, text, reader }
}

describe('a record in object storage', () => {
  it('is read from its file if there is one, also in the cache', async (t) => {
    const { dir, objects, file, position, text } = await openArchive(t)
    assert.equal(await text(), '<p>one')
    await mkdir(join(dir, 'cache'))
    await rename(file, join(dir, 'cache', position.segment))
    assert.equal(await text(), '<p>one')
    assert.deepEqual(objects.calls, [])
  })

  it('is read from its object if there is no file', async (t) => {
    const { objects, file, position, text } = await openArchive(t)
    await rm(file)
    assert.equal(await text(), '<p>one')
    assert.deepEqual(objects.calls, [`read ${position.segment}`])
  })

  it('is read from its object if the file is damaged', async (t) => {
    const { file, text } = await openArchive(t)
    await writeFile(file, Buffer.alloc(10_000))
    assert.equal(await text(), '<p>one')
  })

  it('is read from its object if the file is damaged, in a cluster as well', async (t) => {
    const { clock, file, position, reader } = await openArchive(t)
    await writeFile(file, Buffer.alloc(10_000))
    const listNodes = () => assert.fail('no other worker is asked')
    const cluster = openClusterReader({ local: reader, listNodes, secret: null, clock })
    assert.equal(String((await cluster.read(position)).payload), '<p>one')
    assert.equal(String((await cluster.readForExport(position)).response.payload), '<p>one')
  })

  it('is away, not damaged, if the file is damaged and the storage cannot be reached', async (t) => {
    const { objects, file, text } = await openArchive(t)
    await writeFile(file, Buffer.alloc(10_000))
    objects.failure = 'away'
    await assert.rejects(text(), { code: 'ARCHIVE_AWAY' })
  })

  it('is damaged if its file is, and there is no object', async (t) => {
    const { objects, file, text } = await openArchive(t)
    await writeFile(file, Buffer.alloc(10_000))
    objects.objects.clear()
    await assert.rejects(text(), /no complete record/)
  })

  it('is damaged if its file and its object are', async (t) => {
    const { objects, file, position, text } = await openArchive(t)
    await writeFile(file, Buffer.alloc(10_000))
    objects.objects.set(position.segment, { bytes: Buffer.alloc(10_000), uploadedAt: 0 })
    await assert.rejects(text(), /no complete record/)
  })

  it('that is in neither is requested again only after a second', async (t) => {
    const { clock, objects, file, position, text } = await openArchive(t)
    await rm(file)
    const object = objects.objects.get(position.segment)
    objects.objects.clear()
    await assert.rejects(text(), { code: 'ARCHIVE_BROKEN' })
    if (object !== undefined) objects.objects.set(position.segment, object)
    await assert.rejects(text(), { code: 'ARCHIVE_BROKEN' })
    clock.advance(1000)
    assert.equal(await text(), '<p>one')
  })

  it('is away, not damaged, while the storage cannot be reached', async (t) => {
    const { objects, file, text } = await openArchive(t)
    await rm(file)
    objects.failure = 'away'
    await assert.rejects(text(), { code: 'ARCHIVE_AWAY' })
    objects.failure = 'refused'
    await assert.rejects(text(), { code: 'ARCHIVE_STORE_REFUSED' })
  })
})
