import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { describe, it } from 'node:test'
import type { ArchiveBatch, ArchiveItem } from '../../../ports/archive.ts'
import { NO_PAGE_FACTS, type ResponseToArchive } from '../visit/response-to-archive.ts'
import { ResponseArchiver } from './response-archiver.ts'
import { ChunkPool, type ResponseBatch } from './response-batch.ts'

const EARLIER = { url: 'http://b.test/', fetchedAt: 1 }
const HEAD = Buffer.from('HTTP/1.1 200 OK')
const NOTHING_ELSE = { requestLength: 0, extractedLength: 0 }

function makeResponse(payload: Buffer): ResponseToArchive {
  const digest = hash('sha256', payload, 'hex')
  const about = { url: 'http://a.test/', fetchedAt: 2, ip: null, isTruncated: false }
  return {
    item: { ...about, headLength: HEAD.length, payloadLength: payload.length, payloadDigest: digest, ...NOTHING_ELSE },
    head: HEAD,
    payload,
    request: Buffer.alloc(0),
    extracted: Buffer.alloc(0),
    screenshot: Buffer.alloc(0),
    isReported: false,
    isCertain: true,
    page: { ...NO_PAGE_FACTS, digest, wireBytes: payload.length, position: null, hasPayload: false, resembles: null },
  }
}

/** An archiver on an archive that has every payload already, intact or damaged. `written` collects what it writes. */
function makeArchiver(written: ArchiveItem[], isDamaged = () => false): ResponseArchiver {
  const append = async ({ items }: { items: ArchiveItem[] }) => {
    written.push(...items)
    return items.map((_, i) => ({ segment: 's', offset: i, length: 1 }))
  }
  const find = async (wanted: unknown[]) =>
    wanted.map(() => ({ sameAs: isDamaged() ? null : EARLIER, isDamaged: isDamaged(), resembles: null }))
  return new ResponseArchiver({ archive: { append }, contents: { find }, chunkPool: new ChunkPool() }, false)
}

function batchOf(archiver: ResponseArchiver, responses: ResponseToArchive[]): ResponseBatch {
  const batch = archiver.newBatch()
  for (const response of responses) batch.add(response)
  return batch
}

describe('a payload that is already archived', () => {
  it('is referred to if that is shorter, and written again otherwise', async () => {
    const written: ArchiveItem[] = []
    const responses = [0, 511, 512, 5000].map((length) => makeResponse(Buffer.alloc(length)))
    const responseArchiver = makeArchiver(written)
    await responseArchiver.archive(batchOf(responseArchiver, responses))
    assert.deepEqual(
      written.map(({ sameAs }) => sameAs),
      [null, null, EARLIER, EARLIER],
    )
    assert.deepEqual(
      responses.map(({ page }) => page.hasPayload),
      [true, true, false, false],
    )
  })

  it('is written again if the archived one is damaged, even if it was archived a moment ago', async () => {
    const written: ArchiveItem[] = []
    let isDamaged = true
    const responseArchiver = makeArchiver(written, () => isDamaged)
    for (let i = 0; i < 2; i++)
      await responseArchiver.archive(batchOf(responseArchiver, [makeResponse(Buffer.alloc(5000))]))
    isDamaged = false
    await responseArchiver.archive(batchOf(responseArchiver, [makeResponse(Buffer.alloc(5000))]))
    assert.deepEqual(
      written.map(({ sameAs }) => sameAs),
      [null, null, EARLIER],
    )
  })
})

describe('a batch of responses', () => {
  it('is written from its chunks, and a response larger than a chunk has its own', async () => {
    const written: ArchiveBatch[] = []
    const append = async ({ items, chunks }: ArchiveBatch) => {
      written.push({ items, chunks: chunks.map((chunk) => chunk.slice()) })
      return []
    }
    const find = async (wanted: unknown[]) => wanted.map(() => ({ sameAs: null, isDamaged: false, resembles: null }))
    const request = Buffer.from('GET / HTTP/1.1')
    const extracted = Buffer.from('{}')
    const payloads = [600, 300_000, 300_000, 5_000_000, 1].map((length, i) => Buffer.alloc(length, String(i)))
    const chunkPool = new ChunkPool()
    const responseArchiver = new ResponseArchiver({ archive: { append }, contents: { find }, chunkPool }, false)
    const batch = responseArchiver.newBatch()
    for (const payload of payloads) {
      const plain = makeResponse(payload)
      const lengths = { requestLength: request.length, extractedLength: extracted.length }
      batch.add({ ...plain, request, extracted, item: { ...plain.item, ...lengths } })
    }
    assert.equal(batch.bytes, 5_600_601 + 5 * (HEAD.length + request.length + extracted.length))
    await responseArchiver.archive(batch)
    const [{ items = [], chunks = [] } = {}] = written
    assert.deepEqual(
      items.map(({ chunk }) => chunk),
      [0, 0, 1, 2, 3],
    )
    for (const [i, { chunk, offset }] of items.entries()) {
      const expected = Buffer.concat([HEAD, payloads[i] ?? HEAD, request, extracted])
      const bytes = Buffer.from(chunks[chunk] ?? []).subarray(offset, offset + expected.length)
      assert.ok(bytes.equals(expected), `response ${i}`)
    }
  })

  it('keeps its chunks until it is written, and then leaves them to any crawl of the thread', async () => {
    const appends: PromiseWithResolvers<[]>[] = []
    const append = () => {
      const pending = Promise.withResolvers<[]>()
      appends.push(pending)
      return pending.promise
    }
    const find = async (wanted: unknown[]) => wanted.map(() => ({ sameAs: null, isDamaged: false, resembles: null }))
    const dependencies = { archive: { append }, contents: { find }, chunkPool: new ChunkPool() }
    const [one, other] = [new ResponseArchiver(dependencies, false), new ResponseArchiver(dependencies, false)]
    const start = (archiver: ResponseArchiver) => {
      const batch = batchOf(archiver, [makeResponse(Buffer.alloc(1000))])
      return { buffer: batch.chunks[0]?.buffer, written: archiver.archive(batch) }
    }
    const first = start(one)
    const failing = start(one)
    await new Promise(setImmediate)
    appends[1]?.reject(new Error('The disk is full.'))
    await assert.rejects(failing.written)
    appends[0]?.resolve([])
    await first.written
    const next = start(other)
    const last = start(other)
    assert.equal(next.buffer, first.buffer)
    assert.equal(new Set([first, failing, last].map(({ buffer }) => buffer)).size, 3)
    await new Promise(setImmediate)
    for (const { resolve } of appends) resolve([])
    await Promise.all([next.written, last.written])
  })
})
