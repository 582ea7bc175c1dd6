// Conditions on a page besides its text.

import assert from 'node:assert/strict'
import type { Entity, SearchFilter } from '../../search.ts'
import {
  ANY_FILTER,
  CRAWL,
  DAY_MS,
  type DocumentChanges,
  findPageIds,
  findPageIdsSorted,
  makeDocument,
  makeIndexQuery,
  NOW,
} from '../testing/test-index.ts'
import type { SearchCases } from './search.contract.ts'

const OTHER_CRAWL = '01930000-0000-7000-8000-000000000002'

const DOCUMENTS: DocumentChanges[] = [
  { host: 'example.test', url: 'http://example.test/docs/a?x=1', depth: 0, contentLength: 10, inlinks: 100 },
  { host: 'docs.example.test', url: 'http://docs.example.test/docs/b', depth: 1, lang: 'de', httpStatus: 203 },
  { host: 'myexample.test', url: 'https://myexample.test/other/docs', depth: 2, contentType: 'application/pdf' },
  { host: 'other.test', url: 'http://other.test/Docs', depth: 3, crawlId: OTHER_CRAWL, changedAt: NOW - 30 * DAY_MS },
  {
    host: 'other.test',
    url: 'http://other.test/',
    depth: 4,
    lang: null,
    contentType: null,
    visitedAt: NOW - 9 * DAY_MS,
  },
  { host: 'x_y%.test', url: 'http://x_y%.test/100%_/a', depth: 5, contentType: 'text/html; charset=utf-8' },
]

const CASES: [Partial<SearchFilter>, number[]][] = [
  [{}, [1, 2, 3, 4, 5, 6]],
  [{ crawlIds: [CRAWL] }, [1, 2, 3, 5, 6]],
  [{ crawlIds: [OTHER_CRAWL] }, [4]],
  [{ crawlIds: [CRAWL, OTHER_CRAWL, 'nobody'] }, [1, 2, 3, 4, 5, 6]],
  [{ crawlIds: ['nobody'] }, []],
  [{ crawlIds: [] }, []],
  [{ hosts: ['example.test'] }, [1]],
  [{ hosts: ['.example.test'] }, [1, 2]],
  [{ hosts: ['example.test', 'other.test'] }, [1, 4, 5]],
  [{ hosts: ['.test'] }, [1, 2, 3, 4, 5, 6]],
  [{ hosts: ['x_y%.test'] }, [6]],
  [{ hosts: ['%.test'] }, []],
  [{ notHosts: ['.example.test'] }, [3, 4, 5, 6]],
  [{ notHosts: ['example.test', 'other.test'] }, [2, 3, 6]],
  [{ hosts: ['.example.test'], notHosts: ['docs.example.test'] }, [1]],
  [{ path: '/docs' }, [1, 2]],
  [{ path: '/docs/a?x' }, [1]],
  [{ path: '/' }, [1, 2, 3, 4, 5, 6]],
  [{ path: '/100%_' }, [6]],
  [{ path: '/%' }, []],
  [{ lang: 'de' }, [2]],
  [{ type: 'application/' }, [3]],
  [{ type: 'text/html' }, [1, 2, 4, 6]],
  [{ httpStatus: 203 }, [2]],
  [{ depth: { min: 2, max: 3 } }, [3, 4]],
  [{ depth: { min: null, max: 1 } }, [1, 2]],
  [{ size: { min: null, max: 10 } }, [1]],
  [{ inlinks: { min: 100, max: null } }, [1]],
  [{ visited: { min: null, max: NOW - 9 * DAY_MS } }, [5]],
  [{ changed: { min: NOW - 30 * DAY_MS, max: NOW - 30 * DAY_MS } }, [4]],
  [{ hosts: ['other.test'], lang: 'en', depth: { min: 3, max: null } }, [4]],
]

export const FILTER_CASES: SearchCases = {
  async 'names of people, places and organisations, or parts of them'(testIndex) {
    const person = (text: string) => ({ kind: 'person' as const, text })
    const place = (text: string) => ({ kind: 'place' as const, text })
    const terms = { body: 'apple' }
    await testIndex.write([
      makeDocument(1, { terms, entities: [person('Ada Lovelace'), place('London')] }),
      makeDocument(2, { terms, entities: [person('Ada'), place('New London'), { kind: 'organisation', text: 'Ada' }] }),
      makeDocument(3, { terms, entities: [place('Ada'), { kind: 'organisation', text: 'London Zoo' }] }),
    ])
    const find = (...names: Entity[]) => findPageIdsSorted(testIndex, null, { filter: { ...ANY_FILTER, names } })
    assert.deepEqual(await find(person('ada')), [1, 2])
    assert.deepEqual(await find(person('ADA  Lovelace')), [1])
    assert.deepEqual(await find(person('Lovelace Ada')), [])
    assert.deepEqual(await find(place('london')), [1, 2])
    assert.deepEqual(await find({ kind: 'organisation', text: 'London' }), [3])
    assert.deepEqual(await find(person('Ada'), place('New London')), [2])
    const filter = { ...ANY_FILTER, names: [person('Ada')] }
    assert.deepEqual(await findPageIdsSorted(testIndex, 'apple', { filter }), [1, 2])
    assert.deepEqual(await findPageIdsSorted(testIndex, 'pear', { filter }), [])
    assert.deepEqual(await findPageIdsSorted(testIndex, 'ada'), [])
    await testIndex.write([makeDocument(1, { terms, version: 2, entities: [] })])
    assert.deepEqual(await find(person('ada')), [2])
  },

  async 'every condition works, with a text and without'(testIndex) {
    await testIndex.write(DOCUMENTS.map((changes, i) => makeDocument(i + 1, { ...changes, terms: { body: 'apple' } })))
    for (const [changes, expected] of CASES) {
      const filter = { ...ANY_FILTER, ...changes }
      assert.deepEqual(await findPageIdsSorted(testIndex, 'apple', { filter }), expected, JSON.stringify(changes))
      assert.deepEqual(await findPageIdsSorted(testIndex, null, { filter }), expected, JSON.stringify(changes))
      assert.deepEqual(await findPageIds(testIndex, 'pear', { filter }), [])
    }
  },

  async 'near-duplicates of a page differ in at most three bits'(testIndex) {
    const print = 0xab_cdef_0123_4567n
    const flip = (...bits: bigint[]) => String(bits.reduce((sum, bit) => sum ^ (1n << bit), print))
    const prints = [
      flip(),
      flip(0n),
      flip(55n, 30n, 1n),
      flip(55n, 54n, 53n),
      flip(0n, 1n, 2n, 3n),
      flip(0n, 1n, 40n, 41n),
    ]
    await testIndex.write([
      ...prints.map((fingerprint, i) => makeDocument(i + 1, { fingerprint, terms: { body: 'apple' } })),
      makeDocument(9, { terms: { body: 'apple' } }),
    ])
    const likes = (nearDuplicateOf: number) => ({ filter: { ...ANY_FILTER, nearDuplicateOf }, groupsSimilar: false })
    assert.deepEqual(await findPageIdsSorted(testIndex, null, likes(1)), [1, 2, 3, 4])
    assert.deepEqual(await findPageIdsSorted(testIndex, 'apple', likes(1)), [1, 2, 3, 4])
    assert.deepEqual(await findPageIdsSorted(testIndex, null, likes(9)), [9])
    assert.deepEqual(await findPageIdsSorted(testIndex, null, likes(77)), [])
  },

  async 'facets count all matches, and so does the total'(testIndex) {
    await testIndex.write(
      Array.from({ length: 15 }, (_, i) =>
        makeDocument(i + 1, {
          host: i < 9 ? 'a.test' : 'b.test',
          lang: i < 4 ? 'de' : i === 14 ? null : 'en',
          contentType: i === 0 ? 'application/pdf' : 'text/html; charset=utf-8',
          changedAt: i < 5 ? Date.UTC(2026, 0, 31) : Date.UTC(2026, 1, 1),
          terms: { body: 'apple' },
        }),
      ),
    )
    const counts = {
      host: { 'a.test': 9, 'b.test': 6 },
      lang: { en: 10, de: 4 },
      type: { 'text/html': 14, 'application/pdf': 1 },
      date: { '2026-02': 10, '2026-01': 5 },
    }
    for (const text of ['apple', null]) {
      const answer = await testIndex.index.find(makeIndexQuery(text, { limit: 3, wantsFacets: true }))
      assert.deepEqual([answer.total, answer.isTotalExact, answer.hasMore, answer.hits.length], [15, true, true, 3])
      const { facets } = answer
      for (const [name, expected] of Object.entries(counts)) {
        const facet = facets?.[name as keyof typeof counts] ?? []
        assert.deepEqual(
          Object.entries(expected),
          facet.map(({ key, count }) => [key, count]),
          name,
        )
      }
    }
    assert.equal((await testIndex.index.find(makeIndexQuery('apple'))).facets, null)
  },

  async 'pages of hits neither overlap nor miss anything'(testIndex) {
    await testIndex.write(
      Array.from({ length: 23 }, (_, i) => makeDocument(i + 1, { host: `h${i % 3}.test`, terms: { body: 'apple' } })),
    )
    for (const text of ['apple', null]) {
      const seen: number[] = []
      for (let offset = 0; ; offset += 5) {
        const { hits, hasMore, total } = await testIndex.index.find(makeIndexQuery(text, { limit: 5, offset }))
        seen.push(...hits.map(({ pageId }) => pageId))
        assert.equal(total, 23)
        if (!hasMore) break
      }
      assert.deepEqual(
        seen.toSorted((a, b) => a - b),
        Array.from({ length: 23 }, (_, i) => i + 1),
      )
    }
  },
}
