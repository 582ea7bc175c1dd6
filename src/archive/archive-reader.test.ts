import assert from 'node:assert/strict'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { zstdDecompressSync } from 'node:zlib'
import { systemClock } from '../lib/clock.ts'
import type { Position } from '../ports/archive.ts'
import { openArchiveReader } from './archive-reader.ts'
import { openArchiveWriter } from './archive-writer.ts'
import { readAtSync } from './segment-files.ts'
import { makeBatch, NOW, SETTINGS, temporaryFolders } from './testing/archive-batches.ts'
import { packFrame } from './warc/zstd-frame.ts'

const freshFolder = temporaryFolders()

async function oneResponse(): Promise<{ dir: string; position: Position }> {
  const dir = await freshFolder()
  const writer = await openArchiveWriter(dir, SETTINGS, systemClock)
  const [position] = await writer.append(makeBatch([{ head: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked' }]))
  await writer.close()
  assert.ok(position !== undefined)
  return { dir, position }
}

const BROKEN = { code: 'ARCHIVE_BROKEN' }

describe('an archive reader', () => {
  it('returns the headers as received', async () => {
    const { dir, position } = await oneResponse()
    const reader = openArchiveReader(dir)
    const response = await reader.read(position)
    assert.deepEqual(response, {
      url: 'https://a.test/',
      fetchedAt: NOW,
      ip: '192.0.2.1',
      status: 200,
      headers: [['Transfer-Encoding', 'chunked']],
      payload: Buffer.from('<p>Hello'),
      isTruncated: false,
      extracted: null,
      sameAs: null,
    })
    await reader.close()
  })

  it('reads the same when it blocks, and notices a file that was cut', async () => {
    const { dir, position } = await oneResponse()
    const [blocking, other] = [openArchiveReader(dir, readAtSync), openArchiveReader(dir)]
    assert.deepEqual(await blocking.read(position), await other.read(position))
    await assert.rejects(blocking.read({ ...position, length: position.length + 1 }), BROKEN)
    await Promise.all([blocking.close(), other.close()])
  })

  it('reads a segment while it is written, while it is closed, and afterwards', async () => {
    const dir = await freshFolder()
    const writer = await openArchiveWriter(dir, SETTINGS, systemClock)
    const old = openArchiveReader(dir)
    const [first] = await writer.append(makeBatch([{}]))
    assert.ok(first !== undefined)
    await old.read(first)
    const [second] = await writer.append(makeBatch([{ url: 'https://b.test/' }]))
    assert.ok(second !== undefined)
    const young = openArchiveReader(dir)
    const [, response] = await Promise.all([writer.close(), young.read(second)])
    assert.equal(response.url, 'https://b.test/')
    assert.equal((await old.read(second)).url, 'https://b.test/')
    await Promise.all([old.close(), young.close()])
  })

  it('reads from more segments than it keeps open', async () => {
    const dir = await freshFolder()
    const writer = await openArchiveWriter(dir, { ...SETTINGS, maxSegmentBytes: 1 }, systemClock)
    const positions: Position[] = []
    for (let i = 0; i < 150; i++) positions.push(...(await writer.append(makeBatch([{ url: `https://a.test/${i}` }]))))
    await writer.close()
    const reader = openArchiveReader(dir)
    const responses = await Promise.all([...positions, ...positions].map((place) => reader.read(place)))
    assert.deepEqual(
      responses.map(({ url }) => url),
      [...positions, ...positions].map((_, i) => `https://a.test/${i % 150}`),
    )
    await reader.close()
  })

  it('rejects a position without a record, and stays usable', async () => {
    const { dir, position } = await oneResponse()
    const reader = openArchiveReader(dir)
    const { offset, length } = position
    for (const wrong of [
      { offset: offset + 1 },
      { length: length - 1 },
      { length: length + 1 },
      { offset: 1_000_000 },
      { length: 0 },
      { length: -1 },
      { offset: 0, length: offset },
      { segment: 'none.warc.gz' },
    ]) {
      await assert.rejects(reader.read({ ...position, ...wrong }), BROKEN, JSON.stringify(wrong))
    }
    assert.equal((await reader.read(position)).status, 200)
    await reader.close()
  })

  it('rejects a record that does not match its digest', async () => {
    const { dir, position } = await oneResponse()
    const path = join(dir, position.segment)
    const record = zstdDecompressSync((await readFile(path)).subarray(position.offset)).toString('latin1')
    for (const changed of [record.replace('<p>Hello', '<p>Hullo'), record.replace('HTTP/1.1 200', 'XTTP/1.1 200')]) {
      const member = packFrame(Buffer.from(changed, 'latin1'))
      await writeFile(path, member)
      const reader = openArchiveReader(dir)
      await assert.rejects(reader.read({ ...position, offset: 0, length: member.length }), BROKEN)
      await reader.close()
    }
  })

  it('finds a segment that did not exist before', async () => {
    const { dir, position } = await oneResponse()
    const path = join(dir, position.segment)
    const bytes = await readFile(path)
    await rm(path)
    const reader = openArchiveReader(dir)
    await assert.rejects(reader.read(position), BROKEN)
    await writeFile(path, bytes)
    assert.equal((await reader.read(position)).status, 200)
    await reader.close()
  })
})
