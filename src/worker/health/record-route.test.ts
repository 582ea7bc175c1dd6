import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AppError } from '../../lib/errors.ts'
import { MAX_CHUNK_BYTES, type Position } from '../../ports/archive.ts'
import { respondWithRecord } from './record-route.ts'

const SEGMENT = '20260102T030405-w1-00000.warc.gz'

/** A segment of ten bytes. */
async function rawRecord({ segment, offset, length }: Position): Promise<Buffer> {
  if (segment !== SEGMENT) throw new AppError('ARCHIVE_BROKEN', `Archive error at /secret/${segment}`)
  return Buffer.from('0123456789').subarray(offset, offset + length)
}

async function get(path: string) {
  const { status, body } = await respondWithRecord(`/records/${path}`, { rawRecord })
  return [status, String(body)]
}

describe('records of a worker', () => {
  it('are served as stored', async () => {
    assert.deepEqual(await get(`${SEGMENT}?offset=2&length=3`), [200, '234'])
    assert.deepEqual(await get(`${SEGMENT}?length=10&offset=0`), [200, '0123456789'])
  })

  it('that are missing are answered with a sentence, without the folder', async () => {
    assert.deepEqual(await get(`${SEGMENT}?offset=8&length=3`), [404, `The segment ${SEGMENT} has no 3 bytes at 8.\n`])
    const other = SEGMENT.replace('w1', 'w2')
    assert.deepEqual(await get(`${other}?offset=0&length=3`), [404, `The segment ${other} cannot be read here.\n`])
  })

  it('are served from segments only, and in limited chunks', async () => {
    for (const path of [
      '',
      SEGMENT,
      `${SEGMENT}?offset=1`,
      `${SEGMENT}?offset=-1&length=1`,
      `${SEGMENT}?offset=0&length=0`,
      `${SEGMENT}?offset=0&length=${MAX_CHUNK_BYTES + 1}`,
      `${SEGMENT}?offset=1e3&length=1`,
      `../store.db?offset=0&length=1`,
      `x/${SEGMENT}?offset=0&length=1`,
      `${SEGMENT}.open?offset=0&length=1`,
      `..%2f${SEGMENT}?offset=0&length=1`,
      `${SEGMENT}%00?offset=0&length=1`,
    ]) {
      const [status, text] = await get(path)
      assert.equal(status, 400, path)
      assert.match(String(text), /^Ask for \/records\/<segment>\?offset=N&length=N/)
    }
  })
})
