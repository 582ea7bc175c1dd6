// Compares the SQLite index with another one: the same documents match, in nearly the same order.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { makeIndexQuery, type TestIndex } from '../../ports/contracts/testing/test-index.ts'
import { FIELDS, type QueryNode } from '../../ports/search.ts'
import { normaliseNegations } from '../../search/query/normalise-negations.ts'
import { openTestIndex } from '../../search/sqlite/testing/test-index.ts'
import { makeTestStore } from '../../store/testing/sqlite-test-store.ts'
import { makeCorpus, makeQueries } from './search-corpus.ts'

const PAGES = 400
const QUERIES = 50
const TOP_HITS = 10
const MIN_OVERLAP = 0.8

const words = fc.oneof(
  fc.integer({ min: 0, max: 60 }).map((n) => `c${n}`),
  fc.tuple(fc.integer({ min: 0, max: 39 }), fc.integer({ min: 0, max: 9 })).map(([t, n]) => `t${t}x${n}`),
)
const fields = fc.option(fc.constantFrom(...FIELDS), { nil: null })
const leaves = fc.oneof<fc.Arbitrary<QueryNode>[]>(
  fc.record({
    kind: fc.constant('term'),
    terms: fc.array(words, { minLength: 1, maxLength: 2 }),
    isPrefix: fc.boolean(),
    field: fields,
  }),
  fc.record({ kind: fc.constant('phrase'), terms: fc.array(words, { minLength: 1, maxLength: 3 }), field: fields }),
  fc.record({
    kind: fc.constant('near'),
    terms: fc.uniqueArray(words, { minLength: 2, maxLength: 3 }),
    distance: fc.integer({ min: 0, max: 20 }),
  }),
)
const { node: nodes } = fc.letrec<{ node: QueryNode }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    leaves,
    fc.record({ kind: fc.constantFrom('and', 'or'), parts: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
    fc
      .tuple(tie('node'), fc.oneof(leaves, tie('node')))
      .map(([wanted, part]): QueryNode => ({ kind: 'and', parts: [wanted, { kind: 'not', part }] })),
  ),
}))

export function searchParity(name: string, makeOther: () => Promise<TestIndex>): void {
  describe(`${name} and sqlite`, () => {
    let both: [TestIndex, TestIndex]

    before(async () => {
      const dir = mkdtempSync(join(tmpdir(), 'orbweaver-search-'))
      const store = makeTestStore({ leaseMs: 30_000, random: () => 0.5 })
      both = [openTestIndex(dir, store, () => rmSync(dir, { recursive: true })), await makeOther()]
      const corpus = makeCorpus(PAGES)
      for (const index of both) {
        for (let i = 0; i < corpus.length; i += 100) await index.write(corpus.slice(i, i + 100))
      }
    })

    after(() => Promise.all(both.map((index) => index.close())))

    async function searchBoth(text: QueryNode, limit: number) {
      const [a, b] = await Promise.all(both.map(({ index }) => index.find(makeIndexQuery(text, { limit }))))
      return [a ?? assert.fail(), b ?? assert.fail()] as const
    }

    it(`${QUERIES} queries have 80% of their first ten hits in common`, async () => {
      const shares: { share: number; query: QueryNode }[] = []
      for (const query of makeQueries(QUERIES, makeCorpus(PAGES))) {
        const [a, b] = await searchBoth(query, TOP_HITS)
        assert.deepEqual([a.total, a.isTotalExact], [b.total, b.isTotalExact], JSON.stringify(query))
        const ids = new Set(a.hits.map(({ pageId }) => pageId))
        const common = b.hits.filter(({ pageId }) => ids.has(pageId)).length
        if (a.hits.length > 0) shares.push({ share: common / a.hits.length, query })
      }
      const overlap = shares.reduce((sum, { share }) => sum + share, 0) / shares.length
      const worst = shares.toSorted((a, b) => a.share - b.share).slice(0, 5)
      assert.ok(shares.length > QUERIES / 2, `only ${shares.length} queries find anything`)
      assert.ok(overlap >= MIN_OVERLAP, `overlap ${overlap}, worst: ${JSON.stringify(worst)}`)
    })

    it('both indexes match the same documents for any query', async () => {
      await fc.assert(
        fc.asyncProperty(nodes, async (query) => {
          const [a, b] = await searchBoth(normaliseNegations(query), 100)
          assert.equal(b.total, a.total)
          const [idsA, idsB] = [a, b].map(({ hits }) => hits.map(({ pageId }) => pageId).sort((x, y) => x - y))
          if (a.total <= 100) assert.deepEqual(idsB, idsA)
        }),
        { numRuns: 150 },
      )
    })
  })
}
