import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { makeTextWriter } from '../../../test/sites/traps/text-writer.ts'
import { splitWords } from '../text-words.ts'
import { type Copy, findCopies } from './find-copies.ts'
import { GramIndex } from './gram-index.ts'
import { copyThresholds } from './protected-set.ts'

const DOCUMENT_WORDS = 2000

function indexOf(texts: string[]): GramIndex {
  const ends: number[] = []
  const all: number[] = []
  for (const text of texts) {
    const { hashes, count } = splitWords(text)
    all.push(...hashes.subarray(0, count))
    ends.push(all.length)
  }
  return new GramIndex(Int32Array.from(all), ends)
}

function find(page: string[], index: GramIndex, minWords = 50): Copy[] {
  return findCopies(splitWords(page.join(' ')), index, copyThresholds(minWords))
}

const writer = makeTextWriter(1, 20_000)
const words = (count: number) => Array.from({ length: count }, writer.word)
const documents = Array.from({ length: 10 }, () => words(DOCUMENT_WORDS))
const index = indexOf(documents.map((document) => document.join(' ')))

test('every verbatim copy of 50 words is found where it is', () => {
  const place = fc.record({
    document: fc.nat(documents.length - 1),
    from: fc.nat(DOCUMENT_WORDS - 200),
    length: fc.integer({ min: 50, max: 200 }),
    before: fc.nat(300),
    after: fc.nat(300),
  })
  fc.assert(
    fc.property(place, ({ document, from, length, before, after }) => {
      const passage = documents[document]?.slice(from, from + length) ?? []
      const copies = find([...words(before), ...passage, ...words(after)], index)
      assert.equal(copies.length, 1)
      const [copy] = copies
      assert.ok(copy !== undefined)
      const offset = document * DOCUMENT_WORDS + from
      assert.ok(Math.abs(copy.start - before) <= 4 && Math.abs(copy.end - before - length) <= 4)
      assert.ok(Math.abs(copy.from - offset) <= 4 && Math.abs(copy.to - offset - length) <= 4)
      assert.ok(copy.same >= length && copy.same <= copy.end - copy.start)
    }),
  )
})

test('a copy is found whatever its case, punctuation and markup of lines', () => {
  const passage = documents[3]?.slice(100, 160) ?? []
  const copies = find(
    passage.map((word, i) => (i % 3 === 0 ? `${word.toUpperCase()},\n` : `"${word}"`)),
    index,
  )
  assert.equal(copies.length, 1)
})

test('nine in ten copies of 60 words with one word in ten edited are found', () => {
  let found = 0
  for (let i = 0; i < 200; i++) {
    const from = writer.random.below(DOCUMENT_WORDS - 60)
    const passage = documents[i % 10]?.slice(from, from + 60) ?? []
    const edited = passage.flatMap((word) => {
      if (writer.random.below(10) > 0) return [word]
      return [[], [writer.word()], [word, writer.word()]][writer.random.below(3)] ?? []
    })
    if (find([...words(100), ...edited, ...words(100)], index).length === 1) found += 1
  }
  assert.ok(found >= 180, `${found} of 200`)
})

test('a short quotation and other text are no copies', () => {
  for (let i = 0; i < 100; i++) {
    const quotation = documents[i % 10]?.slice(i, i + 30) ?? []
    assert.deepEqual(find([...words(200), ...quotation, ...words(200)], index), [])
  }
})

test('passages in another order are separate copies', () => {
  const [first = []] = documents
  const copies = find([...first.slice(500, 600), ...words(50), ...first.slice(100, 200)], index)
  assert.deepEqual(
    copies.map(({ from }) => Math.round(from / 100)),
    [5, 1],
  )
})

test('a smaller limit finds shorter passages', () => {
  const quotation = documents[1]?.slice(700, 725) ?? []
  assert.equal(find([...words(50), ...quotation, ...words(50)], index, 20).length, 1)
})

test('pages and documents that repeat themselves take bounded time', () => {
  const repeated = indexOf([`${'spam and eggs with ham '.repeat(20_000)}`])
  const copies = find('spam and eggs with ham '.repeat(20_000).split(' '), repeated)
  assert.ok(copies.length > 0 && copies.length < 20_000)
  // The only gram of this text is not significant.
  assert.deepEqual(find(Array(200_000).fill('same'), indexOf(['same '.repeat(100_000)])), [])
})

test('an empty set finds nothing', () => {
  assert.deepEqual(find(words(100), indexOf([])), [])
  assert.deepEqual(find([], index), [])
})
