// Tests queries with more matches than the index ranks.

import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import pg from 'pg'
import { ManualClock } from '../../../lib/testing/manual-clock.ts'
import { makeDocument, makeIndexQuery, NOW, toPageResults } from '../../../ports/contracts/testing/test-index.ts'
import type { IndexDocument, QueryNode } from '../../../ports/search.ts'
import { makeTestDatabase } from '../../../store/testing/test-database.ts'
import { INDEX_LIMITS, type IndexLimits, openFeed, openIndex } from '../open.ts'
import { writeOutcome } from '../write/write-outcome.ts'

async function filled(t: TestContext, documents: IndexDocument[], limits: Partial<IndexLimits>) {
  const { url, drop } = await makeTestDatabase()
  t.after(drop)
  const timing = { clock: new ManualClock(NOW), isClockVirtual: true }
  const { db, close: closeFeed } = openFeed(url, { ...timing, random: () => 0.5, onOutage: () => undefined })
  await db.transaction((tx) => writeOutcome(tx, { pages: toPageResults(documents), anchors: [] }))
  const index = await openIndex(url, timing, { ...INDEX_LIMITS, ...limits })
  t.after(async () => {
    await closeFeed()
    await index.close()
  })
  return { index, url }
}

/** Many documents with the words in the body, then a few with the words in the title. */
const DOCUMENTS = Array.from({ length: 60 }, (_, i) => {
  const title = i < 57 ? 'stone' : 'apple pie'
  return makeDocument(i + 1, { terms: { title, body: 'an apple pie and more' } })
})

it('documents with the words in the title are ranked, wherever they are', async (t) => {
  const { index } = await filled(t, DOCUMENTS, { ranked: 10, counted: 50 })
  const { hits, total, isTotalExact } = await index.find(makeIndexQuery('apple', { limit: 4 }))
  assert.deepEqual(
    hits.slice(0, 3).map(({ pageId }) => pageId),
    [58, 59, 60],
  )
  assert.deepEqual([hits.length, total, isTotalExact], [4, 50, false])
})

it('a document with two common words is ranked beside those with a rare word', async (t) => {
  const bodies = Array.from({ length: 300 }, (_, i) => {
    if (i === 0) return 'apple pie apple pie'
    const word = i <= 40 ? 'apple' : i <= 80 ? 'pie' : i <= 85 ? 'quartz' : 'stone'
    return `${word} and many more words that nobody looks for`
  })
  const documents = bodies.map((body, i) => makeDocument(i + 1, { terms: { body } }))
  const { index } = await filled(t, documents, { ranked: 20 })
  const parts = ['quartz', 'apple', 'pie'].map(
    (term): QueryNode => ({ kind: 'term', terms: [term], isPrefix: false, field: null }),
  )
  const query = makeIndexQuery({ kind: 'and', parts }, { anyWord: { kind: 'or', parts }, limit: 10 })
  const { hits } = await index.find(query)
  assert.deepEqual([hits[0]?.pageId, hits.filter(({ pageId }) => pageId > 81 && pageId <= 86).length], [1, 5])
})

it('the total is exact up to a limit', async (t) => {
  const { index } = await filled(t, DOCUMENTS, { ranked: 10 })
  for (const text of ['apple', null]) {
    const { total, isTotalExact, hasMore } = await index.find(makeIndexQuery(text, { limit: 5 }))
    assert.deepEqual([total, isTotalExact, hasMore], [60, true, true])
  }
})

it('phrases are checked in a bounded number of documents, and the total is then inexact', async (t) => {
  const { index } = await filled(t, DOCUMENTS, { scanned: 20 })
  const phrase: QueryNode = { kind: 'phrase', terms: ['pie', 'and'], field: null }
  const { total, isTotalExact } = await index.find(makeIndexQuery(phrase))
  assert.deepEqual([total, isTotalExact], [20, false])
  const { isTotalExact: isRareExact } = await index.find(
    makeIndexQuery({ kind: 'phrase', terms: ['an', 'plum'], field: null }),
  )
  assert.equal(isRareExact, true)
})

it('a query that takes too long is cancelled', async (t) => {
  const { index, url } = await filled(t, DOCUMENTS, { statementMs: 2000 })
  const other = new pg.Client({ connectionString: url })
  await other.connect()
  await other.query('begin')
  await other.query('lock table documents in access exclusive mode')
  await assert.rejects(index.find(makeIndexQuery('apple')), { code: 'STORE_AWAY' })
  await other.end()
})
