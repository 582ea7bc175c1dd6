// Queries with more matches than are ranked.

import assert from 'node:assert/strict'
import { MAX_OFFSET, type QueryNode } from '../../search.ts'
import { DAY_MS, makeDocument, makeIndexQuery, NOW, type TestIndex, termNode } from '../testing/test-index.ts'
import type { SearchCases } from './search.contract.ts'

const MANY = 2000
const EXPIRED = 100

/** The first has the word in its title; higher ids are newer. Some are expired. */
async function writeMany({ write }: TestIndex): Promise<void> {
  await write(
    Array.from({ length: MANY }, (_, i) =>
      makeDocument(i + 1, {
        changedAt: NOW - DAY_MS + i,
        expiresAt: i > 0 && i <= EXPIRED ? NOW - 1 : null,
        terms: { title: i === 0 ? 'apple' : 'page', body: `apple n${i}` },
      }),
    ),
  )
}

export const MANY_CASES: SearchCases = {
  async 'of very many matches the newest are found'(testIndex) {
    await writeMany(testIndex)
    const { hits } = await testIndex.index.find(makeIndexQuery('apple', { sort: 'newest', limit: 20 }))
    assert.deepEqual(
      hits.map(({ pageId }) => pageId),
      Array.from({ length: 20 }, (_, i) => MANY - i),
    )
  },

  async 'newest goes by last change, not by the time of archiving'(testIndex) {
    const documents = Array.from({ length: MANY }, (_, i) =>
      makeDocument(i + 1, { changedAt: NOW - DAY_MS - i, terms: { title: 'page', body: `apple n${i}` } }),
    )
    await testIndex.write(documents)
    const { hits } = await testIndex.index.find(makeIndexQuery('apple', { sort: 'newest', limit: 20 }))
    assert.deepEqual(
      hits.map(({ pageId }) => pageId),
      Array.from({ length: 20 }, (_, i) => i + 1),
    )
  },

  async 'a match in the title is found among very many'(testIndex) {
    await writeMany(testIndex)
    const phrase: QueryNode = { kind: 'phrase', terms: ['zebra', 'crossing'], field: null }
    const refused: QueryNode[] = [
      termNode('zebra'),
      phrase,
      { kind: 'or', parts: [termNode('pear'), phrase] },
      { kind: 'near', terms: ['zebra', 'crossing'], distance: 2 },
    ]
    for (const part of refused) {
      const text: QueryNode = { kind: 'and', parts: [termNode('apple'), { kind: 'not', part }] }
      const { hits } = await testIndex.index.find(makeIndexQuery(text, { limit: 1 }))
      assert.equal(hits[0]?.pageId, 1, JSON.stringify(part))
    }
  },

  async 'pages of hits reach up to the maximum offset without repetition'(testIndex) {
    await writeMany(testIndex)
    for (const sort of ['relevance', 'newest'] as const) {
      const seen: number[] = []
      for (let offset = 0; ; offset += 100) {
        const { hits, hasMore } = await testIndex.index.find(makeIndexQuery('apple', { sort, limit: 100, offset }))
        seen.push(...hits.map(({ pageId }) => pageId))
        if (!hasMore) break
      }
      assert.deepEqual([seen.length, new Set(seen).size], [MAX_OFFSET + 100, MAX_OFFSET + 100])
    }
  },

  async 'an exact total contains no expired documents'(testIndex) {
    await writeMany(testIndex)
    const { total, isTotalExact } = await testIndex.index.find(makeIndexQuery('apple'))
    assert.ok(!isTotalExact || total === MANY - EXPIRED)
  },
}
