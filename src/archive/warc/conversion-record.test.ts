import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import type { Position } from '../../ports/archive.ts'
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

async function written(answers: TestResponse[]): Promise<{ dir: string; places: Position[] }> {
  const dir = await freshFolder()
  const writer = await openArchiveWriter(dir, SETTINGS, new ManualClock(NOW))
  const places = await writer.append(makeBatch(answers))
  await writer.close()
  return { dir, places }
}

describe('an extract', () => {
  it('is a conversion record after its response, and satisfies warcio', async () => {
    const answers = [
      { request: REQUEST, extracted: EXTRACTED },
      { extracted: EXTRACTED },
      { extracted: EXTRACTED, sameAs: SAME_AS },
    ]
    const { dir, places } = await written(answers)
    const records = await readWithWarcio(dir)
    assert.deepEqual(
      records.map(({ type, problems }) => [type, problems]),
      ['warcinfo', 'response', 'request', 'conversion', 'response', 'conversion', 'revisit'].map((type) => [type, []]),
    )
    assert.equal(records[3]?.field('WARC-Refers-To'), records[1]?.field('WARC-Record-ID'))
    const checks = (await Array.fromAsync(verifySegments(dir))).slice(1)
    assert.deepEqual(
      checks.map(({ segment, offset, length, problem }) => ({ segment, offset, length, problem })),
      places.map((place) => ({ ...place, problem: null })),
    )
  })

  it('is read with its response, even after that has moved', async () => {
    const { dir, places } = await written([{ request: REQUEST, extracted: EXTRACTED }, { extracted: EXTRACTED }, {}])
    const segments = openCompaction(dir, { ...SETTINGS, quietMs: 0 }, new ManualClock(NOW))
    assert.equal((await segments.prepareCopy(places)).kind, 'ready')
    const copies = await segments.copy(places)
    await segments.close()
    const reader = openArchiveReader(dir)
    const answers = await Promise.all([...places, ...copies].map((place) => reader.read(place)))
    await reader.close()
    assert.deepEqual(
      answers.map(({ extracted }) => extracted?.toString() ?? null),
      [EXTRACTED, EXTRACTED, null, EXTRACTED, EXTRACTED, null],
    )
  })
})
