import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, it, mock } from 'node:test'
import { systemClock } from '../lib/clock.ts'
import { openArchiveReader } from './archive-reader.ts'
import { openArchiveWriter } from './archive-writer.ts'
import { recoverSegments } from './recover-segments.ts'
import { filesIn, makeBatch, SETTINGS, temporaryFolders } from './testing/archive-batches.ts'
import { readWithWarcio } from './testing/read-with-warcio.ts'
import { verifySegments } from './verify-segments.ts'

const freshFolder = temporaryFolders()
const BATCH = makeBatch([{ payload: randomBytes(1000) }, {}])
const FULL = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })

/** The prototype of all file handles: mocking it simulates the disk. */
async function handlePrototype(): Promise<FileHandle> {
  const handle = await open(import.meta.filename)
  await handle.close()
  return Object.getPrototypeOf(handle)
}
const disk = await handlePrototype()
/** Writes half of its input, and then nothing. */
function fillDisk(): void {
  const write: (this: FileHandle, ...range: [Buffer, number, number, number]) => unknown = disk.write
  let isFull = false
  mock.method(disk, 'write', function (this: FileHandle, bytes: Buffer, from: number, length: number, at: number) {
    if (isFull) return Promise.reject(FULL)
    isFull = true
    return write.call(this, bytes, from, Math.ceil(length / 2), at)
  })
}

async function assertSound(dir: string, responses: number): Promise<void> {
  const checks = await Array.fromAsync(verifySegments(dir))
  assert.deepEqual(
    checks.filter(({ problem }) => problem !== null),
    [],
  )
  assert.equal(checks.filter(({ type }) => type === 'response').length, responses)
  assert.deepEqual(
    (await readWithWarcio(dir)).flatMap(({ problems }) => problems),
    [],
  )
}

describe('a durable writer', () => {
  afterEach(() => mock.restoreAll())

  it('syncs once for all pending appends, and the folder for a new segment', async () => {
    const dir = await freshFolder()
    const writer = await openArchiveWriter(dir, { ...SETTINGS, isDurable: true }, systemClock)
    const sync = mock.method(disk, 'sync')
    const datasync = mock.method(disk, 'datasync')
    await writer.append(BATCH)
    assert.deepEqual([sync.mock.callCount(), datasync.mock.callCount()], [1, 1])
    await Promise.all(Array.from({ length: 50 }, () => writer.append(BATCH)))
    assert.equal(sync.mock.callCount(), 1)
    assert.ok(datasync.mock.callCount() <= 3, `${datasync.mock.callCount()} syncs`)
    await writer.close()
    await assertSound(dir, 102)
  })

  it('resolves only after the sync', async () => {
    const writer = await openArchiveWriter(await freshFolder(), { ...SETTINGS, isDurable: true }, systemClock)
    const order: string[] = []
    const datasync = disk.datasync
    mock.method(disk, 'datasync', async function (this: FileHandle) {
      await datasync.call(this)
      order.push('synced')
    })
    await writer.append(BATCH)
    order.push('answered')
    assert.deepEqual(order, ['synced', 'answered'])
    await writer.close()
  })

  it('rejects what could not be synced and truncates it', async () => {
    const dir = await freshFolder()
    const writer = await openArchiveWriter(dir, { ...SETTINGS, isDurable: true }, systemClock)
    await writer.append(BATCH)
    mock.method(disk, 'datasync', () => Promise.reject(Object.assign(new Error('i/o error'), { code: 'EIO' })))
    await assert.rejects(writer.append(BATCH), { code: 'ARCHIVE_BROKEN' })
    mock.restoreAll()
    await assertSound(dir, 2)
    await writer.append(BATCH)
    await writer.close()
    await assertSound(dir, 4)
  })

  it('does not sync if durability is off', async () => {
    const writer = await openArchiveWriter(await freshFolder(), SETTINGS, systemClock)
    const datasync = mock.method(disk, 'datasync')
    await writer.append(BATCH)
    await writer.close()
    assert.equal(datasync.mock.callCount(), 0)
  })
})

describe('a full disk', () => {
  afterEach(() => mock.restoreAll())

  it('rejects the append without leaving parts of it; the next one succeeds', async () => {
    const dir = await freshFolder()
    const writer = await openArchiveWriter(dir, SETTINGS, systemClock)
    const [before] = await writer.append(BATCH)
    fillDisk()
    await assert.rejects(writer.append(BATCH), { code: 'DISK_FULL' })
    mock.restoreAll()
    await assertSound(dir, 2)
    const [after] = await writer.append(BATCH)
    assert.equal(after?.segment, before?.segment)
    await writer.close()
    await assertSound(dir, 4)
  })

  it('leaves nothing behind at the start of a segment', async () => {
    const dir = await freshFolder()
    const writer = await openArchiveWriter(dir, SETTINGS, systemClock)
    fillDisk()
    await assert.rejects(writer.append(BATCH), { code: 'DISK_FULL' })
    await writer.close()
    assert.deepEqual(await filesIn(dir), [])
  })

  it('costs no other record, even if the torn one cannot be truncated', async () => {
    const dir = await freshFolder()
    const writer = await openArchiveWriter(dir, SETTINGS, systemClock)
    const [before] = await writer.append(BATCH)
    fillDisk()
    mock.method(disk, 'truncate', () => Promise.reject(FULL))
    await assert.rejects(writer.append(BATCH), { code: 'DISK_FULL' })
    mock.restoreAll()
    const [after] = await writer.append(BATCH)
    assert.notEqual(after?.segment, before?.segment)
    await writer.close()
    assert.equal((await filesIn(dir)).filter((file) => file.endsWith('.open')).length, 1)
    assert.equal((await recoverSegments(dir, () => 0)).length, 1)
    await assertSound(dir, 4)
  })

  it('is reported when a segment is opened', async () => {
    const dir = join(await freshFolder(), 'gone')
    const writer = await openArchiveWriter(dir, { ...SETTINGS, isDurable: true }, systemClock)
    mock.method(disk, 'sync', () => Promise.reject(FULL))
    await assert.rejects(writer.append(BATCH), { code: 'DISK_FULL' })
    mock.restoreAll()
    const [position] = await writer.append(BATCH)
    assert.ok(position !== undefined)
    const reader = openArchiveReader(dir)
    assert.equal((await reader.read(position)).payload.length, 1000)
    await reader.close()
    await writer.close()
  })
})
