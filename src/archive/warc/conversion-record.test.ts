import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { type Position, RENDERED_TYPE } from '../../ports/archive.ts'
import { openArchiveReader } from '../archive-reader.ts'
import { openArchiveWriter } from '../archive-writer.ts'
import { openCompaction } from '../compaction.ts'
import { makeBatch, NOW, SETTINGS, type TestResponse, temporaryFolders } from '../testing/archive-batches.ts'
import { readWithWarcio } from '../testing/read-with-warcio.ts'
import { verifySegments } from '../verify-segments.ts'

const freshFolder = temporaryFolders()
const REQUEST = 'GET /x HTTP/1.1\r\nhost: a.test'
const EXTRACTED = '{"text":"words"}'
const SAME_AS = { url: 'https://b.test/', fetchedAt: NOW - 1 }

async function written(responses: TestResponse[]): Promise<{ dir: string; places: Position[] }> {
  const dir = await freshFolder()
  const writer = await openArchiveWriter(dir, SETTINGS, new ManualClock(NOW))
  const positions = await writer.append(makeBatch(responses))
  await writer.close()
  return { dir, places: positions }
}

describe('a rendered page', () => {
  it('has its DOM and its screenshot behind its response, and satisfies warcio', async () => {
    const screenshot = Buffer.from('RIFF1234WEBP')
    const rendered = { extracted: '<p>DOM', extractedType: RENDERED_TYPE, screenshot }
    const { dir, places } = await written([{ request: REQUEST, ...rendered }, rendered, { screenshot }, {}])
    const records = await readWithWarcio(dir)
    const types = ['response', 'request', 'conversion', 'resource', 'response', 'conversion', 'resource']
    assert.deepEqual(
      records.map(({ type, problems }) => [type, problems]),
      ['warcinfo', ...types, 'response', 'resource', 'response'].map((type) => [type, []]),
    )
    assert.equal(records[4]?.field('WARC-Concurrent-To'), records[1]?.field('WARC-Record-ID'))
    assert.equal(records[4]?.url, 'urn:view:https://a.test/')
    const checks = (await Array.fromAsync(verifySegments(dir))).slice(1)
    assert.deepEqual(
      checks.map(({ offset, length, problem }) => ({ offset, length, problem })),
      places.map(({ offset, length }) => ({ offset, length, problem: null })),
    )
    const reader = openArchiveReader(dir)
    const read = await Promise.all(places.map((place) => reader.read(place)))
    await reader.close()
    assert.deepEqual(
      read.map((response) => response.screenshot?.toString() ?? null),
      [String(screenshot), String(screenshot), String(screenshot), null],
    )
    assert.deepEqual(
      read.map(({ extractedType }) => extractedType ?? null),
      [RENDERED_TYPE, RENDERED_TYPE, null, null],
    )
  })
})

describe('an extract', () => {
  it('is a conversion record after its response, and satisfies warcio', async () => {
    const responses = [
      { request: REQUEST, extracted: EXTRACTED },
      { extracted: EXTRACTED },
      { extracted: EXTRACTED, sameAs: SAME_AS },
    ]
    const { dir, places: positions } = await written(responses)
    const records = await readWithWarcio(dir)
    assert.deepEqual(
      records.map(({ type, problems }) => [type, problems]),
      ['warcinfo', 'response', 'request', 'conversion', 'response', 'conversion', 'revisit'].map((type) => [type, []]),
    )
    assert.equal(records[3]?.field('WARC-Refers-To'), records[1]?.field('WARC-Record-ID'))
    const checks = (await Array.fromAsync(verifySegments(dir))).slice(1)
    assert.deepEqual(
      checks.map(({ segment, offset, length, problem }) => ({ segment, offset, length, problem })),
      positions.map((place) => ({ ...place, problem: null })),
    )
  })

  it('is read with its response, even after that has moved', async () => {
    const { dir, places: positions } = await written([
      { request: REQUEST, extracted: EXTRACTED },
      { extracted: EXTRACTED },
      {},
    ])
    const segments = openCompaction(dir, SETTINGS, { clock: new ManualClock(NOW) })
    assert.equal((await segments.prepareCopy(positions)).kind, 'ready')
    const copies = await segments.copy(positions)
    await segments.close()
    const reader = openArchiveReader(dir)
    const responses = await Promise.all([...positions, ...copies].map((place) => reader.read(place)))
    await reader.close()
    assert.deepEqual(
      responses.map(({ extracted }) => extracted?.toString() ?? null),
      [EXTRACTED, EXTRACTED, null, EXTRACTED, EXTRACTED, null],
    )
  })
})
