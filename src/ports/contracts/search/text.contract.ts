// Which documents match a text.

import assert from 'node:assert/strict'
import { BLOCK_BREAK, FIELDS, type QueryNode } from '../../search.ts'
import { findPageIds, findPageIdsSorted, makeDocument, makeIndexQuery, NOW, termNode } from '../testing/test-index.ts'
import type { SearchCases } from './search.contract.ts'

const GARDEN = [
  makeDocument(1, { terms: { title: 'apple tree', body: 'the apple tree stand in the garden' } }),
  makeDocument(2, { terms: { title: 'pear', body: 'a tree with pear and one apple by the garden' } }),
  makeDocument(3, { terms: { title: 'stone', headings: 'garden', body: 'stone and more stone' } }),
  makeDocument(4, { terms: { title: '梨树', body: '苹果 果树 straße naïve' } }),
]

export const TEXT_CASES: SearchCases = {
  async 'a term is found in every field'(testIndex) {
    const documents = FIELDS.map((field, i) => makeDocument(i + 1, { terms: { [field]: 'one apple more' } }))
    await testIndex.write([...documents, makeDocument(99, { terms: { body: 'pear' } })])
    assert.deepEqual(
      await findPageIdsSorted(testIndex, 'apple'),
      documents.map(({ pageId }) => pageId),
    )
    for (const [i, field] of FIELDS.entries()) {
      assert.deepEqual(await findPageIds(testIndex, { ...termNode('apple'), field }), [i + 1])
    }
    assert.deepEqual(await findPageIds(testIndex, 'plum'), [])
  },

  async 'any of several terms matches, and a prefix matches longer terms'(testIndex) {
    await testIndex.write(GARDEN)
    assert.deepEqual(await findPageIdsSorted(testIndex, termNode('pear', 'stone')), [2, 3])
    assert.deepEqual(await findPageIdsSorted(testIndex, { ...termNode('app'), isPrefix: true }), [1, 2])
    assert.deepEqual(await findPageIdsSorted(testIndex, { ...termNode('app') }), [])
    assert.deepEqual(await findPageIdsSorted(testIndex, { ...termNode('sto'), isPrefix: true, field: 'title' }), [3])
    assert.deepEqual(
      await findPageIdsSorted(testIndex, { ...termNode('gard'), isPrefix: true, field: 'headings' }),
      [3],
    )
  },

  async 'a phrase matches only in sequence and within one field'(testIndex) {
    await testIndex.write(GARDEN)
    const phrase = (...terms: string[]) => ({ kind: 'phrase' as const, terms, field: null })
    assert.deepEqual(await findPageIdsSorted(testIndex, phrase('apple', 'tree')), [1])
    assert.deepEqual(await findPageIdsSorted(testIndex, phrase('tree', 'apple')), [])
    assert.deepEqual(await findPageIdsSorted(testIndex, phrase('pear', 'a')), [])
    assert.deepEqual(await findPageIdsSorted(testIndex, phrase('the', 'garden')), [1, 2])
    assert.deepEqual(await findPageIdsSorted(testIndex, { ...phrase('apple', 'tree'), field: 'headings' }), [])
    assert.deepEqual(await findPageIdsSorted(testIndex, { ...phrase('stone', 'and'), field: 'body' }), [3])
  },

  async 'a phrase does not span two blocks'(testIndex) {
    await testIndex.write([
      makeDocument(1, { terms: { body: `red apple ${BLOCK_BREAK} tree` } }),
      makeDocument(2, { terms: { body: 'red apple tree' } }),
    ])
    const phrase = (...terms: string[]) => ({ kind: 'phrase' as const, terms, field: null })
    assert.deepEqual(await findPageIdsSorted(testIndex, phrase('red', 'apple')), [1, 2])
    assert.deepEqual(await findPageIdsSorted(testIndex, phrase('apple', 'tree')), [2])
    const hits = (await testIndex.index.find(makeIndexQuery('apple'))).hits
    assert.equal(hits[0]?.parts.text, hits[1]?.parts.text)
    assert.deepEqual(
      (await testIndex.index.term('tree', 5))?.entries.map(({ positions }) => positions.body),
      [[3], [2]],
    )
  },

  async 'near counts the terms in between, in any order'(testIndex) {
    await testIndex.write([makeDocument(1, { terms: { body: 'apple b c d pear' } })])
    const near = (distance: number, ...terms: string[]) => ({ kind: 'near' as const, terms, distance })
    assert.deepEqual(await findPageIds(testIndex, near(3, 'apple', 'pear')), [1])
    assert.deepEqual(await findPageIds(testIndex, near(3, 'pear', 'apple')), [1])
    assert.deepEqual(await findPageIds(testIndex, near(2, 'apple', 'pear')), [])
  },

  async 'and, or and not nest'(testIndex) {
    await testIndex.write(GARDEN)
    const and = { kind: 'and' as const, parts: [termNode('apple'), termNode('garden')] }
    assert.deepEqual(await findPageIdsSorted(testIndex, and), [1, 2])
    const without = { kind: 'and' as const, parts: [and, { kind: 'not' as const, part: termNode('pear') }] }
    assert.deepEqual(await findPageIdsSorted(testIndex, without), [1])
    const either = { kind: 'or' as const, parts: [without, termNode('stone')] }
    assert.deepEqual(await findPageIdsSorted(testIndex, either), [1, 3])
    const neither = { kind: 'and' as const, parts: [termNode('garden'), { kind: 'not' as const, part: either }] }
    assert.deepEqual(await findPageIdsSorted(testIndex, neither), [2])
    assert.deepEqual(await findPageIdsSorted(testIndex, { kind: 'not', part: termNode('apple') }), [])
    const nots = [termNode('pear'), termNode('stone')].map((part) => ({ kind: 'not' as const, part }))
    const none = { kind: 'and' as const, parts: nots }
    assert.deepEqual(await findPageIdsSorted(testIndex, { kind: 'and', parts: [termNode('garden'), none] }), [1])
    const notBoth = { kind: 'or' as const, parts: nots }
    assert.deepEqual(
      await findPageIdsSorted(testIndex, { kind: 'and', parts: [termNode('garden'), notBoth] }),
      [1, 2, 3],
    )
  },

  async 'terms of every script are found'(testIndex) {
    await testIndex.write(GARDEN)
    for (const term of ['梨树', '果树', 'straße', 'naïve']) assert.deepEqual(await findPageIds(testIndex, term), [4])
    assert.deepEqual(await findPageIds(testIndex, 'strasse'), [])
    assert.deepEqual(await findPageIds(testIndex, { kind: 'phrase', terms: ['苹果', '果树'], field: null }), [4])
  },

  async 'text that is no term finds nothing and breaks nothing'(testIndex) {
    await testIndex.write(GARDEN)
    const odd = [
      '"',
      "'",
      "' or 1=1 --",
      'apple" OR "pear',
      'apple*',
      'title:apple',
      '(',
      ')',
      '\\',
      '%',
      '',
      ' ',
      '\0',
      '&|!<->',
    ]
    for (const term of odd) {
      assert.deepEqual(await findPageIds(testIndex, term), [], JSON.stringify(term))
      assert.deepEqual(await findPageIds(testIndex, { ...termNode(term), isPrefix: true }), [], JSON.stringify(term))
      assert.deepEqual(
        await findPageIds(testIndex, { kind: 'phrase', terms: [term, 'tree'], field: null }),
        [],
        JSON.stringify(term),
      )
      assert.equal(await testIndex.index.term(term, 10), null, JSON.stringify(term))
    }
    assert.deepEqual(await findPageIdsSorted(testIndex, 'apple'), [1, 2])
  },

  async 'a new version replaces the earlier one, in whichever order they are written'(testIndex) {
    const url = 'http://a.test/'
    await testIndex.write([makeDocument(1, { url, version: 1, terms: { body: 'old' } })])
    await testIndex.write([makeDocument(2, { url, version: 2, terms: { body: 'new' } })])
    assert.deepEqual([await findPageIds(testIndex, 'old'), await findPageIds(testIndex, 'new')], [[], [2]])
    await testIndex.write([makeDocument(1, { url, version: 1, terms: { body: 'old' } })])
    assert.deepEqual([await findPageIds(testIndex, 'old'), await findPageIds(testIndex, 'new')], [[], [2]])
    assert.deepEqual([await testIndex.index.isIndexed(1), await testIndex.index.isIndexed(2)], [false, true])
    assert.equal((await testIndex.index.status()).documents, 1)
  },

  async 'of two versions in one batch the higher stays, and writing it again changes nothing'(testIndex) {
    const url = 'http://a.test/'
    const versions = [2, 1].map((version) =>
      makeDocument(version, { url, version, terms: { body: `v${version} both` } }),
    )
    await testIndex.write(versions)
    await testIndex.write(versions)
    assert.deepEqual(await findPageIds(testIndex, 'both', { groupsSimilar: false }), [2])
    assert.equal((await testIndex.index.status()).documents, 1)
  },

  async 'a page left out deletes the documents of its URL, but no later ones'(testIndex) {
    await testIndex.write([makeDocument(1, { version: 2, terms: { body: 'apple' } })])
    const { url } = makeDocument(1)
    await testIndex.write([], [{ url, version: 1 }])
    assert.deepEqual(await findPageIds(testIndex, 'apple'), [1])
    await testIndex.write([], [{ url, version: 3 }])
    assert.deepEqual(await findPageIds(testIndex, 'apple'), [])
    assert.deepEqual([await testIndex.index.isIndexed(1), await testIndex.index.term('apple', 1)], [false, null])
  },

  async 'an expired document is not found'(testIndex) {
    await testIndex.write([
      makeDocument(1, { expiresAt: NOW, terms: { body: 'apple' } }),
      makeDocument(2, { expiresAt: NOW + 1, terms: { body: 'apple' } }),
    ])
    assert.deepEqual(await findPageIds(testIndex, 'apple'), [2])
    assert.deepEqual(await findPageIds(testIndex, null), [2])
  },

  async 'a hit has the fields of its document, with title and snippet unescaped'(testIndex) {
    const title = '<b>Apples</b> & "pears"'
    const document = makeDocument(7, { title, text: '<script>alert(1)</script> apple', terms: { body: 'appl' } })
    await testIndex.write([document])
    const [hit] = (await testIndex.index.find(makeIndexQuery('appl'))).hits
    const { pageId, crawlId, url, host, version, lang, contentType, visitedAt, changedAt, text, keywords } = document
    const about = { pageId, crawlId, url, host, version, title, lang, contentType }
    const snippet = { text, highlights: [[26, 31]] }
    const expected = { ...about, visitedAt, changedAt, snippet, titleHighlights: [[3, 9]], keywords }
    const { similar, score, parts, ...rest } = hit ?? assert.fail('no hit')
    assert.deepEqual(rest, expected)
    assert.deepEqual([similar, score > 0, parts.fields], [0, true, {}])
  },

  async 'a snippet is a passage of the main text that has the words'(testIndex) {
    const sentence = 'Nobody asked for this sentence at all. '
    const main = `${sentence.repeat(30)}Apples grow on a tree in the garden. ${sentence.repeat(30)}`
    await testIndex.write([makeDocument(1, { text: `${main}\fApples, trees, gardens`, terms: { body: 'appl tree' } })])
    const both: QueryNode = { kind: 'and', parts: [termNode('appl'), termNode('tree')] }
    const [hit] = (await testIndex.index.find(makeIndexQuery(both))).hits
    assert.match(hit?.snippet.text ?? '', /^Apples grow on a tree in the garden\. /)
    assert.deepEqual(hit?.snippet.highlights, [
      [0, 6],
      [17, 21],
    ])
  },

  async 'a document of any length is found by its first and its last term'(testIndex) {
    const body = Array.from({ length: 40_000 }, (_, i) => `t${i}`).join(' ')
    await testIndex.write([makeDocument(1, { terms: { headings: body, body: `${body} ${'many '.repeat(1000)}last` } })])
    for (const term of ['t0', 't39999', 'many', 'last']) assert.deepEqual(await findPageIds(testIndex, term), [1], term)
    assert.deepEqual(await findPageIds(testIndex, { kind: 'phrase', terms: ['t10', 't11'], field: 'body' }), [1])
  },

  async 'no character of a page can break the index'(testIndex) {
    const odd = 'a\0b \ud800 "\'\\ %_ \u{1f34e}'
    const changes = {
      title: odd,
      text: odd,
      keywords: [odd],
      words: [odd],
      entities: [{ kind: 'place' as const, text: odd }],
    }
    await testIndex.write([makeDocument(1, { ...changes, terms: { body: 'apple \u{1f34e}' } })])
    assert.deepEqual([await findPageIds(testIndex, 'apple'), await findPageIds(testIndex, '\u{1f34e}')], [[1], [1]])
    assert.equal((await testIndex.index.find(makeIndexQuery('apple'))).hits[0]?.keywords.length, 1)
  },

  async 'everything is there after a crash'(testIndex) {
    await testIndex.write(GARDEN)
    const again = await testIndex.reopen()
    assert.deepEqual(await findPageIdsSorted(again, 'apple'), [1, 2])
    assert.deepEqual((await again.index.status()).documents, 4)
  },
}
