import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import type { Position } from '../../ports/archive.ts'
import { openArchiveReader } from '../archive-reader.ts'
import { openArchiveWriter } from '../archive-writer.ts'
import { openCompaction } from '../compaction.ts'
import { recoverSegments } from '../recover-segments.ts'
import { OPEN_SUFFIX } from '../segment-files.ts'
import { HEAD, makeBatch, NOW, SETTINGS, type TestResponse, temporaryFolders } from '../testing/archive-batches.ts'
import { readWithWarcio } from '../testing/read-with-warcio.ts'
import { verifySegments } from '../verify-segments.ts'

const freshFolder = temporaryFolders()
const REQUEST = 'GET /x HTTP/1.1\r\nhost: a.test\r\nx-a: \xe9'
const SAME_AS = { url: 'https://b.test/', fetchedAt: NOW - 1 }

async function written(responses: TestResponse[]): Promise<{ dir: string; places: Position[] }> {
  const dir = await freshFolder()
  const writer = await openArchiveWriter(dir, SETTINGS, new ManualClock(NOW))
  const positions = await writer.append(makeBatch(responses))
  await writer.close()
  return { dir, places: positions }
}

function placeOf(positions: Position[], index: number): Position {
  const place = positions[index]
  assert.ok(place !== undefined)
  return place
}

describe('a request record', () => {
  it('follows its response, with the bytes as sent, and satisfies warcio', async () => {
    const responses = [{ request: REQUEST }, { request: REQUEST, sameAs: SAME_AS }, {}]
    const records = await readWithWarcio((await written(responses)).dir)
    assert.deepEqual(
      records.map(({ type }) => type),
      ['warcinfo', 'response', 'request', 'revisit', 'request', 'response'],
    )
    assert.deepEqual(
      records.flatMap(({ problems }) => problems),
      [],
    )
    for (const at of [1, 3]) {
      const [response, request] = records.slice(at)
      assert.equal(request?.field('WARC-Concurrent-To'), response?.field('WARC-Record-ID'))
      for (const name of ['WARC-Target-URI', 'WARC-Date', 'WARC-IP-Address']) {
        assert.equal(request?.field(name), response?.field(name))
      }
      assert.equal(request?.block.toString('latin1'), `${REQUEST}\r\n\r\n`)
    }
  })

  it('is covered by the position of its response, and read, exported and verified with it', async () => {
    const { dir, places: positions } = await written([
      { request: REQUEST },
      { url: 'https://b.test/', request: REQUEST },
      {},
    ])
    const reader = openArchiveReader(dir)
    const response = await reader.read(placeOf(positions, 0))
    assert.deepEqual([response.status, String(response.payload)], [200, '<p>Hello'])
    const alone = await freshFolder()
    const exported = Buffer.concat([
      reader.makeWarcinfoRecord('x.warc.gz', NOW),
      ...(await reader.readForExport(placeOf(positions, 1))).members,
    ])
    await writeFile(join(alone, 'x.warc.gz'), exported)
    await reader.close()
    assert.deepEqual(
      (await readWithWarcio(alone)).map(({ type, url, problems }) => [type, url, problems]),
      [
        ['warcinfo', null, []],
        ['response', 'https://b.test/', []],
        ['request', 'https://b.test/', []],
      ],
    )
    const checks = (await Array.fromAsync(verifySegments(dir))).slice(1)
    assert.deepEqual(
      checks.map(({ segment, offset, length, problem }) => ({ segment, offset, length, problem })),
      positions.map((place) => ({ ...place, problem: null })),
    )
  })

  it('moves with its response', async () => {
    const { dir, places: positions } = await written([{ request: REQUEST }, {}, { request: REQUEST, sameAs: SAME_AS }])
    const segments = openCompaction(dir, SETTINGS, { clock: new ManualClock(NOW) })
    const moved = [placeOf(positions, 0), placeOf(positions, 2)]
    assert.equal((await segments.prepareCopy(moved)).kind, 'ready')
    const copies = await segments.copy(moved)
    await segments.close()
    assert.deepEqual(
      copies.map(({ length }) => length),
      moved.map(({ length }) => length),
    )
    const reader = openArchiveReader(dir)
    const responses = await Promise.all(copies.map((place) => reader.read(place)))
    await reader.close()
    assert.deepEqual(
      responses.map(({ sameAs }) => sameAs),
      [null, SAME_AS],
    )
    const there = (await readWithWarcio(dir)).filter(({ segment }) => segment === copies[0]?.segment)
    assert.deepEqual(
      there.map(({ type, problems }) => [type, problems]),
      ['warcinfo', 'response', 'request', 'revisit', 'request'].map((type) => [type, []]),
    )
  })

  it('that is torn off leaves its response, wherever the tail is torn', async () => {
    const { dir, places: positions } = await written([{ request: REQUEST }])
    const { segment, offset } = placeOf(positions, 0)
    const bytes = await readFile(join(dir, segment))
    const ends = (await readWithWarcio(dir)).map((record) => record.offset)
    const requestAt = ends[2] ?? 0
    for (let length = offset; length <= bytes.length; length++) {
      const left = await freshFolder()
      await writeFile(join(left, segment + OPEN_SUFFIX), bytes.subarray(0, length))
      const expected = length === bytes.length ? length : length >= requestAt ? requestAt : offset
      assert.deepEqual(await recoverSegments(left, () => 0), [
        { segment, length: expected, cutBytes: length - expected },
      ])
    }
  })

  it('that is damaged or belongs to another response is found by verification', async () => {
    const { dir, places: positions } = await written([{ request: REQUEST }, {}])
    const place = placeOf(positions, 0)
    const path = join(dir, place.segment)
    const bytes = await readFile(path)
    const end = place.offset + place.length
    bytes.writeUInt8(bytes.readUInt8(end - 20) ^ 0x55, end - 20)
    await writeFile(path, bytes)
    const problems = (await Array.fromAsync(verifySegments(dir))).map(({ problem }) => problem)
    assert.deepEqual(problems, [null, null, 'torn or broken'])
    const reader = openArchiveReader(dir)
    await assert.rejects(reader.read(place), { code: 'ARCHIVE_BROKEN' })
    const two = { ...placeOf(positions, 1), offset: place.offset, length: place.length + placeOf(positions, 1).length }
    await assert.rejects(reader.read(two), { code: 'ARCHIVE_BROKEN' })
    await reader.close()
  })

  it('with a blank line in it is rejected', async () => {
    await assert.rejects(written([{ request: `${REQUEST}\r\n\r\n` }]), { code: 'INTERNAL' })
  })

  it('is not written for a response that is archived without it', async () => {
    const [plain] = (await written([{ head: HEAD }])).places
    const [both] = (await written([{ head: HEAD, request: REQUEST }])).places
    assert.ok(plain !== undefined && both !== undefined && both.length > plain.length + 200)
  })
})
