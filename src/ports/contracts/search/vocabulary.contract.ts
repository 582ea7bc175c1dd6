// Term entries, and words for suggestions.

import assert from 'node:assert/strict'
import { MAX_PHRASE_COUNT } from '../../search.ts'
import { makeDocument, makeIndexQuery } from '../testing/test-index.ts'
import type { SearchCases } from './search.contract.ts'

export const VOCABULARY_CASES: SearchCases = {
  async 'a term entry has its documents, frequencies and positions'(testIndex) {
    await testIndex.write([
      makeDocument(1, { terms: { title: 'apple pie', body: 'pie of apple with apple' } }),
      makeDocument(2, { terms: { boilerplate: 'no apple' } }),
      makeDocument(3, { terms: { body: 'pear' } }),
    ])
    const [first, second] = [makeDocument(1), makeDocument(2)]
    assert.deepEqual(await testIndex.index.term('apple', 10), {
      term: 'apple',
      documentFrequency: 2,
      documents: 3,
      entries: [
        { pageId: 1, url: first.url, frequency: 3, positions: { title: [0], body: [2, 4] } },
        { pageId: 2, url: second.url, frequency: 1, positions: { boilerplate: [1] } },
      ],
    })
    const cut = await testIndex.index.term('apple', 1)
    assert.deepEqual([cut?.documentFrequency, cut?.entries.map(({ pageId }) => pageId)], [2, [1]])
    assert.equal(await testIndex.index.term('appl', 10), null)
  },

  async 'a term entry contains no replaced versions'(testIndex) {
    await testIndex.write([makeDocument(1, { terms: { body: 'apple apple' } })])
    await testIndex.write([makeDocument(2, { url: makeDocument(1).url, version: 2, terms: { body: 'apple' } })])
    const entry = await testIndex.index.term('apple', 10)
    assert.deepEqual([entry?.documentFrequency, entry?.documents], [1, 1])
    assert.deepEqual(
      entry?.entries.map(({ pageId, frequency }) => [pageId, frequency]),
      [[2, 1]],
    )
  },

  async 'words with a prefix are listed by frequency, with counts'(testIndex) {
    await testIndex.write([
      makeDocument(1, { words: ['apple', 'apples', 'äpfel'] }),
      makeDocument(2, { words: ['apple', 'apply', '100%'] }),
      makeDocument(3, { words: ['apple', 'apples', 'pear', '苹果'] }),
    ])
    assert.deepEqual(await testIndex.index.wordsFrom('app', 2), [
      { key: 'apple', count: 3 },
      { key: 'apples', count: 2 },
    ])
    assert.deepEqual(await testIndex.index.wordsFrom('ä', 5), [{ key: 'äpfel', count: 1 }])
    assert.deepEqual(await testIndex.index.wordsFrom('苹', 5), [{ key: '苹果', count: 1 }])
    assert.deepEqual(await testIndex.index.wordsFrom('%', 5), [])
    assert.equal((await testIndex.index.wordsFrom('', 3)).length, 3)
  },

  async 'terms with a prefix are listed by frequency'(testIndex) {
    await testIndex.write([
      makeDocument(1, { terms: { title: 'apple', body: 'apple pie' } }),
      makeDocument(2, { terms: { body: 'apply apple' } }),
      makeDocument(3, { terms: { body: '苹果 pear' } }),
    ])
    assert.deepEqual(await testIndex.index.termsFrom('app', 5), [
      { key: 'apple', count: 2 },
      { key: 'apply', count: 1 },
    ])
    assert.deepEqual(await testIndex.index.termsFrom('app', 1), [{ key: 'apple', count: 2 }])
    assert.deepEqual(await testIndex.index.termsFrom('苹', 5), [{ key: '苹果', count: 1 }])
    assert.deepEqual(await testIndex.index.termsFrom('plum', 5), [])
  },

  async 'documents with a term or a phrase are counted'(testIndex) {
    await testIndex.write([
      makeDocument(1, { terms: { title: 'apple', body: 'pie of apple' } }),
      makeDocument(2, { terms: { body: 'apple pie' } }),
      makeDocument(3, { terms: { title: 'apple pie', body: 'apple pie' } }),
    ])
    const phrases = [['apple'], ['apple', 'pie'], ['pie', 'apple'], ['plum'], ['plum', 'pie'], ["' or 1=1"], ['of']]
    assert.deepEqual(await testIndex.index.phraseCounts(phrases), [3, 2, 0, 0, 0, 0, 1])
    assert.deepEqual(await testIndex.index.phraseCounts([]), [])
    await testIndex.write([makeDocument(4, { terms: { body: 'apple plum pie' } })])
    assert.deepEqual(await testIndex.index.phraseCounts(phrases), [4, 2, 0, 1, 1, 0, 1])
  },

  async 'a term is counted up to a limit'(testIndex) {
    const documents = Array.from({ length: MAX_PHRASE_COUNT + 2 }, (_, i) =>
      makeDocument(i + 1, { terms: { body: 'apple' } }),
    )
    await testIndex.write(documents)
    const count = async (max?: number) => (await testIndex.index.phraseCounts([['apple']], max))[0]
    assert.deepEqual(
      [await count(), await count(MAX_PHRASE_COUNT + 1), await count(1000)],
      [MAX_PHRASE_COUNT, MAX_PHRASE_COUNT + 1, MAX_PHRASE_COUNT + 2],
    )
  },

  async 'titles with a prefix are listed once each, case-insensitive'(testIndex) {
    const titles = ['Apple pie', 'apple tree', 'Pear', 'Apple pie', 'Ärger', '100% apple', '']
    await testIndex.write(titles.map((title, i) => makeDocument(i + 1, { title })))
    assert.deepEqual((await testIndex.index.titlesFrom('APPLE', 5)).sort(), ['Apple pie', 'apple tree'])
    assert.deepEqual(await testIndex.index.titlesFrom('är', 5), ['Ärger'])
    assert.deepEqual(await testIndex.index.titlesFrom('100%', 5), ['100% apple'])
    assert.deepEqual(await testIndex.index.titlesFrom('%', 5), [])
    assert.equal((await testIndex.index.titlesFrom('apple', 1)).length, 1)
  },

  async 'hits have the keywords of their documents'(testIndex) {
    const terms = { body: 'apple' }
    await testIndex.write([
      makeDocument(1, { terms, keywords: ['apple', 'pie'] }),
      makeDocument(2, { terms, keywords: [] }),
    ])
    const { hits } = await testIndex.index.find(makeIndexQuery('apple'))
    const byPage = new Map(hits.map(({ pageId, keywords }) => [pageId, keywords]))
    assert.deepEqual([byPage.get(1), byPage.get(2)], [['apple', 'pie'], []])
  },

  async 'the status counts documents, also by language'(testIndex) {
    assert.equal((await testIndex.index.status()).documents, 0)
    await testIndex.write([1, 2, 3, 4].map((n) => makeDocument(n, { lang: ['en', 'de', 'en', null][n - 1] ?? null })))
    const { documents, byLang, bytes } = await testIndex.index.status()
    assert.deepEqual([documents, bytes > 0], [4, true])
    assert.deepEqual(byLang, [
      { key: 'en', count: 2 },
      { key: 'de', count: 1 },
    ])
  },
}
