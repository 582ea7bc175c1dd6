import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { systemClock } from '../lib/clock.ts'
import { openArchiveReader } from './archive-reader.ts'
import { openArchiveWriter } from './archive-writer.ts'
import { makeBatch, NOW, SETTINGS, type TestResponse, temporaryFolders } from './testing/archive-batches.ts'
import { readWithWarcio } from './testing/read-with-warcio.ts'
import { verifySegments } from './verify-segments.ts'

const freshFolder = temporaryFolders()

/** Header names and values as RFC 9110, section 5, allows them, including obsolete bytes. */
const token = fc.string({ unit: fc.constantFrom(..."!#$%&'*+-.^_`|~09azAZ"), minLength: 1, maxLength: 20 })
const name = fc.oneof(
  token,
  fc.constantFrom(
    'Content-Length',
    'Transfer-Encoding',
    'Content-Encoding',
    'Content-Type',
    'X-Crawler-Content-Length',
  ),
)
const value = fc
  .string({ unit: fc.constantFrom(...' \t:;,="az09\x7e\x80\xe9\xff'), maxLength: 40 })
  .map((text) => text.replace(/^[ \t]+|[ \t]+$/g, ''))
const payload = fc.oneof(
  fc.uint8Array({ maxLength: 500 }),
  fc.constantFrom('', '\r\n\r\n', 'WARC/1.1\r\n\r\n', '<p>word '.repeat(30_000)).map((text) => Buffer.from(text)),
)
const phrase = fc.string({ unit: fc.constantFrom(...'\t :aZ\x7e\x80\xe9\xff'), maxLength: 20 })
const codec = fc.constantFrom('gzip' as const, 'zstd' as const)
const response = fc.record({
  phrase,
  status: fc.integer({ min: 100, max: 999 }),
  headers: fc.array(fc.tuple(name, value), { maxLength: 6 }),
  payload,
  url: fc.webUrl({ withQueryParameters: true }).map((url) => new URL(url).href),
  fetchedAt: fc.integer({ min: 0, max: 4_000_000_000_000 }),
  ip: fc.option(fc.oneof(fc.ipV4(), fc.ipV6())),
  isTruncated: fc.boolean(),
  sameAs: fc.option(fc.constant({ url: 'https://b.test/?q=1', fetchedAt: NOW }), { freq: 5 }),
  request: fc.constantFrom('', 'GET / HTTP/1.1\r\nhost: a.test'),
  extracted: fc.constantFrom('', '{"text":"a"}'),
})

function given({
  status,
  phrase: reason,
  headers,
  ...rest
}: typeof response extends fc.Arbitrary<infer T> ? T : never): TestResponse {
  const head = [`HTTP/1.1 ${status} ${reason}`, ...headers.map(([n, v]) => `${n}: ${v}`)].join('\r\n')
  return { ...rest, head }
}

describe('any response', () => {
  it('is read back unchanged, passes verification, and satisfies warcio', async () => {
    const batch = fc.array(response, { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 4 }), codec, async (batches, used) => {
        const dir = await freshFolder()
        const writer = await openArchiveWriter(dir, { ...SETTINGS, maxSegmentBytes: 3000, codec: used }, systemClock)
        const positions = (await Promise.all(batches.map((b) => writer.append(makeBatch(b.map(given)))))).flat()
        await writer.close()

        const reader = openArchiveReader(dir)
        const read = await Promise.all(positions.map((place) => reader.read(place)))
        const exported = await Promise.all(positions.map((place) => reader.readForExport(place)))
        assert.deepEqual(
          exported.map(({ response: same }) => same),
          read,
        )
        const responses = exported.map(({ response: rest, members }) => {
          const requests = members.map((member) => gunzipSync(member).includes('WARC-Type: request'))
          return { ...rest, hasRequest: requests[1] === true }
        })
        await reader.close()
        const expected = batches.flat().map(({ payload: bytes, phrase: _, request, ...rest }) => ({
          ...rest,
          payload: Buffer.from(rest.sameAs === null ? bytes : []),
          extracted: rest.sameAs === null && rest.extracted !== '' ? Buffer.from(rest.extracted) : null,
          isTruncated: rest.sameAs === null && rest.isTruncated,
          hasRequest: request !== '',
        }))
        assert.deepEqual(responses, expected)

        const checks = await Array.fromAsync(verifySegments(dir))
        assert.deepEqual(new Set(checks.map(({ problem }) => problem)), new Set([null]))
        const records = checks.filter(({ type }) => type !== 'warcinfo')
        assert.deepEqual(
          records.map(({ segment, offset, length }) => ({ segment, offset, length })),
          positions,
        )

        const foreign = await readWithWarcio(dir)
        assert.deepEqual(
          foreign.flatMap(({ problems }) => problems),
          [],
        )
        assert.deepEqual(
          foreign
            .filter(({ type }) => type !== 'request' && type !== 'conversion')
            .map(({ segment, offset, type, url }) => [segment, offset, type, url]),
          checks.map(({ segment, offset, type, url }) => [segment, offset, type, url]),
        )
      }),
      { numRuns: 60 },
    )
  })
})
