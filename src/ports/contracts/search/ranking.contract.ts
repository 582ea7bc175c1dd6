// The order of hits.

import assert from 'node:assert/strict'
import { MIN_FULL_MATCHES, type QueryNode } from '../../search.ts'
import {
  CRAWL,
  DAY_MS,
  findPageIds,
  makeDocument,
  makeIndexQuery,
  makeRank,
  NOW,
  termNode,
} from '../testing/test-index.ts'
import type { SearchCases } from './search.contract.ts'

/** Enough text that one more term makes no difference to the length. */
const FILLER = Array.from({ length: 100 }, (_, i) => `w${i}`).join(' ')

export const RANKING_CASES: SearchCases = {
  async 'the title counts for more than headings, those for more than the body, and that for more than boilerplate'(
    testIndex,
  ) {
    const fields = ['boilerplate', 'body', 'headings', 'title'] as const
    await testIndex.write(
      fields.map((field, i) => {
        const terms = { title: 'a b', headings: 'c d', body: FILLER, boilerplate: 'e f' }
        return makeDocument(i + 1, { terms: { ...terms, [field]: `${terms[field]} apple` } })
      }),
    )
    await testIndex.write([5, 6, 7, 8, 9].map((n) => makeDocument(n, { terms: { title: 'pear', body: FILLER } })))
    assert.deepEqual(await findPageIds(testIndex, 'apple'), [4, 3, 2, 1])
  },

  async 'an article comes before a page that only lists links under a title of the same words'(testIndex) {
    const article = Array.from({ length: 8 }, () => `apple tree ${FILLER}`).join(' ')
    await testIndex.write([
      makeDocument(1, {
        terms: { title: 'apple tree', headings: 'apple tree', boilerplate: 'how to plant an apple tree' },
      }),
      makeDocument(2, {
        terms: { title: 'how to plant an apple tree', headings: 'how to plant an apple tree', body: article },
      }),
      ...[3, 4, 5, 6, 7].map((n) => makeDocument(n, { terms: { title: 'pear', body: FILLER } })),
    ])
    const text: QueryNode = { kind: 'and', parts: [termNode('apple'), termNode('tree')] }
    const anyWord: QueryNode = { kind: 'or', parts: [termNode('apple'), termNode('tree')] }
    assert.deepEqual(await findPageIds(testIndex, text, { anyWord, groupsSimilar: false }), [2, 1])
  },

  async 'a rare term counts more than a common one, and a higher frequency counts more'(testIndex) {
    await testIndex.write([
      ...[1, 2, 3, 4, 5, 6].map((n) => makeDocument(n, { terms: { body: `common ${FILLER}` } })),
      makeDocument(7, { terms: { body: `rare ${FILLER}` } }),
      makeDocument(8, { terms: { body: `rare rare rare ${FILLER}` } }),
      ...[11, 12, 13, 14, 15].map((n) => makeDocument(n, { terms: { body: FILLER } })),
    ])
    const either = { kind: 'or' as const, parts: [termNode('common'), termNode('rare')] }
    assert.deepEqual((await findPageIds(testIndex, either)).slice(0, 2), [8, 7])
  },

  async 'a page whose file name is the query comes before equal ones'(testIndex) {
    const url = (name: string) => `https://docs.test/library/${name}`
    const documents = ['other.html', 'Tree-View.html', 'tree-view-2.html'].map((name, i) =>
      makeDocument(i + 1, { url: url(name), terms: { body: `tree view ${FILLER}` } }),
    )
    await testIndex.write(documents)
    const text: QueryNode = { kind: 'and', parts: [termNode('tree'), termNode('view')] }
    const ids = await findPageIds(testIndex, text, { words: ['tree', 'view'], groupsSimilar: false })
    assert.equal(ids[0], 2)
  },

  async 'a question finds the pages with all of its words, in any field, and none with an excluded one'(testIndex) {
    const words = ['one', 'two', 'three', 'four', 'five', 'six', 'seven']
    const body = words.join(' ')
    await testIndex.write([
      makeDocument(1, { terms: { body: `${body} ${FILLER}` } }),
      makeDocument(2, { terms: { title: 'seven', body: `${words.slice(0, -1).join(' ')} ${FILLER}` } }),
      makeDocument(3, { terms: { body: `${words.slice(1).join(' ')} ${FILLER}` } }),
      makeDocument(4, { terms: { body: `${body} excluded ${FILLER}` } }),
      makeDocument(5, { terms: { boilerplate: 'seven', body: `${words.slice(0, -1).join(' ')} ${FILLER}` } }),
    ])
    const not: QueryNode = { kind: 'not', part: termNode('excluded') }
    const text: QueryNode = { kind: 'and', parts: [...words.map((word) => termNode(word)), not] }
    const { hits, total, fullMatches } = await testIndex.index.find(makeIndexQuery(text, { groupsSimilar: false }))
    assert.deepEqual([hits.map(({ pageId }) => pageId), total, fullMatches], [[2, 1, 5], 3, 2])
    const absent: QueryNode = { kind: 'and', parts: [...words.map((word) => termNode(word)), termNode('absent')] }
    assert.deepEqual(await findPageIds(testIndex, absent), [])
  },

  async 'if few documents have all the words, those with some of them follow, unless they score much more'(testIndex) {
    await testIndex.write([
      makeDocument(1, { terms: { body: `apple apple ${FILLER}` } }),
      makeDocument(2, { terms: { body: `apple pear ${FILLER} ${FILLER}` } }),
      makeDocument(3, { terms: { body: `pear ${FILLER}` } }),
      makeDocument(4, { terms: { body: FILLER } }),
    ])
    const parts = [termNode('apple'), termNode('pear')]
    const query = makeIndexQuery({ kind: 'and', parts }, { anyWord: { kind: 'or', parts } })
    const { hits, fullMatches, total } = await testIndex.index.find(query)
    assert.deepEqual([hits.map(({ pageId }) => pageId), fullMatches, total], [[2, 1, 3], 1, 3])
    const pears = Array.from({ length: MIN_FULL_MATCHES }, (_, i) =>
      makeDocument(i + 11, { terms: { body: `apple pear ${FILLER}` } }),
    )
    await testIndex.write(pears)
    const many = await testIndex.index.find({ ...query, limit: 100 })
    assert.deepEqual([many.fullMatches, many.total], [11, 11])
  },

  async 'a document about most of the words comes before one that mentions all of them in passing'(testIndex) {
    const passing = Array.from({ length: 20 }, () => FILLER).join(' ')
    await testIndex.write([
      makeDocument(1, { terms: { body: `merge ${passing} cell ${passing} spreadsheet` } }),
      makeDocument(2, { terms: { title: 'merge cell', body: `merge cell cell merge ${FILLER}` } }),
      ...[3, 4, 5].map((n) => makeDocument(n, { terms: { body: `spreadsheet ${FILLER}` } })),
      ...[6, 7, 8, 9].map((n) => makeDocument(n, { terms: { body: FILLER } })),
    ])
    const parts = ['merge', 'cell', 'spreadsheet'].map((word) => termNode(word))
    const query = makeIndexQuery({ kind: 'and', parts }, { anyWord: { kind: 'or', parts } })
    const { hits, fullMatches } = await testIndex.index.find(query)
    assert.deepEqual([hits[0]?.pageId, hits[1]?.pageId, fullMatches], [2, 1, 1])
    const newest = await testIndex.index.find({ ...query, sort: 'newest' })
    assert.equal(newest.hits[0]?.pageId, 1)
  },

  async 'a document that has a word in its boilerplate only does not have all the words'(testIndex) {
    await testIndex.write([
      makeDocument(1, { terms: { body: `apple ${FILLER}` } }),
      makeDocument(2, { terms: { body: 'w1', boilerplate: 'apple pear' } }),
      makeDocument(3, { terms: { body: `apple pear ${FILLER} ${FILLER} ${FILLER}` } }),
    ])
    const parts = [termNode('apple'), termNode('pear')]
    const query = makeIndexQuery({ kind: 'and', parts }, { anyWord: { kind: 'or', parts } })
    const { hits, fullMatches } = await testIndex.index.find(query)
    assert.deepEqual([hits[0]?.pageId, hits.length, fullMatches], [3, 3, 1])
  },

  async 'a word that was typed twice counts twice, and the forms of a word count once'(testIndex) {
    await testIndex.write([
      makeDocument(1, { terms: { body: `apple plum ${FILLER}` } }),
      makeDocument(2, { terms: { body: `pear ${FILLER}` } }),
      ...[3, 4].map((n) => makeDocument(n, { terms: { body: `pear plum ${FILLER} ${FILLER}` } })),
      ...[5, 6, 7, 8].map((n) => makeDocument(n, { terms: { body: FILLER } })),
    ])
    const scoreOf = async (...parts: QueryNode[]) => {
      const { hits } = await testIndex.index.find(makeIndexQuery({ kind: 'or', parts }))
      return hits.find(({ pageId }) => pageId === 1)?.score ?? 0
    }
    const once = await scoreOf(termNode('apple'), termNode('plum'))
    const twice = await scoreOf(termNode('apple'), termNode('plum'), termNode('plum'))
    const forms = { kind: 'or' as const, parts: [termNode('apple'), termNode('plum')], areForms: true as const }
    assert.ok(twice > once)
    assert.ok((await scoreOf(forms, termNode('fig'))) < once)
  },

  async 'an unusual form of a word or phrase is worth no more than the usual one'(testIndex) {
    await testIndex.write([
      makeDocument(1, { terms: { body: `mod rewri ${FILLER}` } }),
      ...[2, 3, 4, 5].map((n) => makeDocument(n, { terms: { body: `mod rewrit mod rewrit ${FILLER}` } })),
      makeDocument(6, { terms: { body: `applepie ${FILLER}` } }),
      ...[7, 8, 9].map((n) => makeDocument(n, { terms: { body: `apple apple ${FILLER}` } })),
    ])
    const phrases = ['rewri', 'rewrit'].map(
      (stem): QueryNode => ({ kind: 'phrase', terms: ['mod', stem], field: null }),
    )
    const words = [termNode('applepie'), termNode('apple')]
    for (const [rare, parts] of [[1, phrases] as const, [6, words] as const]) {
      const { hits } = await testIndex.index.find(makeIndexQuery({ kind: 'or', parts, areForms: true }))
      assert.equal(hits.at(-1)?.pageId, rare)
    }
  },

  async 'a page in the preferred language wins over an equal one'(testIndex) {
    const terms = { body: `apple ${FILLER}` }
    await testIndex.write([
      makeDocument(1, { terms, lang: 'de' }),
      makeDocument(2, { terms, lang: 'en' }),
      makeDocument(3, { terms: { body: `apple apple apple apple ${FILLER}` }, lang: 'en' }),
    ])
    assert.deepEqual(await findPageIds(testIndex, 'apple', { preferredLang: 'de' }), [3, 1, 2])
    assert.deepEqual(await findPageIds(testIndex, 'apple', { preferredLang: 'en' }), [3, 2, 1])
  },

  async 'a title that is exactly the query wins over one that has more words'(testIndex) {
    await testIndex.write([
      makeDocument(1, { terms: { title: 'apple pie with cream', body: `apple apple apple ${FILLER}` } }),
      makeDocument(2, { terms: { title: 'apple', body: `apple ${FILLER}` } }),
      ...[5, 6, 7, 8].map((n) => makeDocument(n, { terms: { body: FILLER } })),
    ])
    assert.deepEqual(await findPageIds(testIndex, 'apple'), [2, 1])
  },

  async 'of two equal texts the one with more inlinks comes first'(testIndex) {
    const terms = { body: `apple ${FILLER}` }
    await testIndex.write([
      makeDocument(1, { terms }),
      makeDocument(2, { terms, linkRank: 0.9 }),
      makeDocument(3, { terms }),
    ])
    assert.equal((await findPageIds(testIndex, 'apple'))[0], 2)
    await testIndex.feed.saveRanks({ id: CRAWL, createdAt: 1 }, [
      makeRank(2, { linkRank: 0.1, inlinks: 2 }),
      makeRank(3, { linkRank: 1, inlinks: 30 }),
      makeRank(77, { linkRank: 1 }),
    ])
    const { hits } = await testIndex.index.find(makeIndexQuery('apple'))
    assert.deepEqual(
      hits.slice(0, 2).map(({ pageId }) => pageId),
      [3, 2],
    )
    assert.ok((hits[0]?.parts.linkRank ?? 0) > (hits[1]?.parts.linkRank ?? 0))
    assert.deepEqual(await findPageIds(testIndex, null), [3, 2, 1])
  },

  async 'freshness counts on request, and newest sorts by it alone'(testIndex) {
    const body = `apple ${FILLER}`
    await testIndex.write([
      makeDocument(1, { changedAt: NOW - 900 * DAY_MS, terms: { body } }),
      makeDocument(2, { changedAt: NOW - DAY_MS, terms: { body } }),
      makeDocument(3, { changedAt: NOW - 400 * DAY_MS, terms: { title: 'apple', body } }),
    ])
    assert.equal((await findPageIds(testIndex, 'apple'))[0], 3)
    const fresh = await testIndex.index.find(makeIndexQuery('apple', { sort: 'fresh' }))
    const factor = (n: number) => fresh.hits.find(({ pageId }) => pageId === n)?.parts.freshness ?? 0
    assert.ok(factor(2) > factor(3) && factor(3) > factor(1) && factor(1) > 0)
    assert.deepEqual(await findPageIds(testIndex, 'apple', { sort: 'newest' }), [2, 3, 1])
    assert.deepEqual(await findPageIds(testIndex, null, { sort: 'newest' }), [2, 3, 1])
    const { hits } = await testIndex.index.find(makeIndexQuery('apple'))
    assert.deepEqual(
      hits.map(({ parts }) => parts.freshness),
      [1, 1, 1],
    )
  },

  async 'the score is the product of its parts, and fields are explained on request'(testIndex) {
    await testIndex.write([
      makeDocument(1, { linkRank: 0.5, terms: { title: 'apple', body: FILLER } }),
      makeDocument(2, { terms: { body: `apple ${FILLER}` } }),
      ...[3, 4, 5, 6].map((n) => makeDocument(n, { terms: { body: FILLER } })),
    ])
    const { hits } = await testIndex.index.find(makeIndexQuery('apple', { sort: 'fresh', explains: true }))
    for (const { score, parts } of hits) {
      assert.ok(Math.abs(score - parts.text * parts.linkRank * parts.freshness) < 1e-9 * Math.max(1, score))
    }
    assert.deepEqual(
      hits.map(({ parts }) => Object.keys(parts.fields)),
      [['title'], ['body']],
    )
    assert.ok(hits.every(({ parts }) => Object.values(parts.fields).every((part) => part > 0)))
  },

  async 'near-duplicates are grouped under the best of them, and counted'(testIndex) {
    const print = 0xab_cdef_0123_4567n
    await testIndex.write([
      makeDocument(1, { fingerprint: String(print), terms: { body: `apple ${FILLER}` } }),
      makeDocument(2, { fingerprint: String(print ^ 7n), terms: { title: 'apple', body: FILLER } }),
      makeDocument(3, { fingerprint: String(print ^ 15n), terms: { body: `apple ${FILLER}` } }),
      makeDocument(4, { fingerprint: null, terms: { body: `apple ${FILLER}` } }),
      makeDocument(5, { fingerprint: null, terms: { body: `apple ${FILLER}` } }),
    ])
    const { hits, total } = await testIndex.index.find(makeIndexQuery('apple'))
    assert.deepEqual([hits[0]?.pageId, hits[0]?.similar, total], [2, 2, 5])
    assert.deepEqual(hits.map(({ pageId }) => pageId).sort(), [2, 4, 5])
    assert.equal((await findPageIds(testIndex, 'apple', { groupsSimilar: false })).length, 5)
  },

  async 'at most two of the first ten hits are of one host, if others are nearly as good'(testIndex) {
    await testIndex.write([
      ...Array.from({ length: 8 }, (_, i) =>
        makeDocument(i + 1, { host: 'a.test', linkRank: 0.3, terms: { body: `apple ${FILLER}` } }),
      ),
      ...Array.from({ length: 12 }, (_, i) => makeDocument(i + 20, { terms: { body: `apple ${FILLER}` } })),
    ])
    const onA = (ids: number[]) => ids.filter((id) => id < 20).length
    const first = await findPageIds(testIndex, 'apple')
    assert.deepEqual([first.length, onA(first), onA(first.slice(0, 2))], [10, 2, 2])
    const all = await findPageIds(testIndex, 'apple', { limit: 20 })
    assert.deepEqual([all.length, onA(all), onA(all.slice(10, 16))], [20, 8, 6])
    assert.equal(onA(await findPageIds(testIndex, 'apple', { groupsSimilar: false })), 8)
    await testIndex.write(
      Array.from({ length: 4 }, (_, i) => makeDocument(i + 40, { host: 'b.test', terms: { title: 'pear' } })),
    )
    assert.equal((await findPageIds(testIndex, 'pear')).length, 4)
  },
}
