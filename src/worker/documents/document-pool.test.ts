import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NO_CONTENT } from '../../engine/media/content-type.ts'
import { DOCUMENT_LIMITS } from '../../engine/media/document-types.ts'
import { systemClock } from '../../lib/clock.ts'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { makePdf, newPdfReader, onePageObjects } from '../testing/pdf-files.ts'
import { DocumentClient } from './document-client.ts'
import { DocumentPool, defaultReaderCount } from './document-pool.ts'

const pdfOf = (text: string) => makePdf(onePageObjects([`(${text})`]))
const HELLO = pdfOf('Hello')
/** The library is quadratic in saved states, so this takes minutes. */
const ENDLESS = makePdf(onePageObjects([`(a) Tj ${'q '.repeat(200_000)} (b)`]))
const INTERRUPTED = { code: 'INTERRUPTED' }

function request(body: Buffer) {
  return { type: 'pdf' as const, url: 'https://a.test/', contentType: 'application/pdf', body }
}

function newPool(readers = 1): DocumentPool {
  return new DocumentPool(readers, DOCUMENT_LIMITS, systemClock)
}

describe('document readers', () => {
  it('are as many as there are cores, but at most four', () => {
    assert.deepEqual([1, 2, 64].map(defaultReaderCount), [1, 2, 4])
  })

  it('give up a document after its time limit, and read the next', async (t) => {
    const clock = new ManualClock()
    const reader = newPdfReader({}, clock)
    t.after(() => reader.close())
    const slow = reader.read(HELLO)
    const next = reader.read(HELLO)
    clock.advance(DOCUMENT_LIMITS.timeMs)
    assert.deepEqual(await slow, { ...NO_CONTENT, problem: 'pdf_timeout' })
    assert.equal((await next).text, 'Hello')
  })

  it('reject all documents when they are closed, also later ones', async () => {
    const reader = newPdfReader()
    const results = [reader.read(HELLO), reader.read(HELLO)].map((result) => assert.rejects(result, INTERRUPTED))
    await reader.close()
    await Promise.all([...results, assert.rejects(reader.read(HELLO), INTERRUPTED)])
    await reader.close()
  })

  it('show every thread how much is waiting or being read', async (t) => {
    const pool = newPool()
    t.after(() => pool.close())
    const [one, other] = [new DocumentClient(pool.connect()), new DocumentClient(pool.connect())]
    const results = ['one', 'two', 'three'].map((text) => one.read(request(pdfOf(text))))
    assert.deepEqual(other.load(), { documents: 3, bytes: 3 * 1024 })
    const texts = (await Promise.all(results)).map(({ text }) => text)
    assert.deepEqual([texts, other.load()], [['one', 'two', 'three'], { documents: 0, bytes: 0 }])
  })

  it('take turns between clients', async (t) => {
    const pool = newPool()
    t.after(() => pool.close())
    const [one, other] = [new DocumentClient(pool.connect()), new DocumentClient(pool.connect())]
    const order: string[] = []
    const read = async (client: DocumentClient, text: string) =>
      order.push((await client.read(request(pdfOf(text)))).text)
    const first = [1, 2, 3, 4, 5].map((n) => read(one, `one ${n}`))
    await Promise.all([...first, read(other, 'other')])
    assert.ok(order.indexOf('other') < 4, order.join())
  })

  it('drop the documents of a closed client, also those being read', async (t) => {
    const pool = newPool()
    t.after(() => pool.close())
    const [gone, other] = [new DocumentClient(pool.connect()), new DocumentClient(pool.connect())]
    const dropped = [ENDLESS, HELLO].map((body) => assert.rejects(gone.read(request(body)), INTERRUPTED))
    const next = other.read(request(HELLO))
    gone.close()
    await Promise.all(dropped)
    assert.equal((await next).text, 'Hello')
    assert.deepEqual(other.load(), { documents: 0, bytes: 0 })
  })
})
