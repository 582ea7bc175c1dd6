import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { makeTextWriter } from '../../../test/sites/traps/text-writer.ts'
import { readHtml } from '../parse/html-reader.ts'
import { flatPage, foreignPage, framePage } from '../parse/testing/html-grammar.ts'
import { profileText, type TextProfile, TextProfiler } from './text-profiler.ts'

const text = makeTextWriter(3).words(300)
const { fingerprint } = profileText(text)

function profilePage(html: string): TextProfile {
  const profiler = new TextProfiler()
  readHtml(html, false, profiler)
  return profiler.finish()
}

/** The fingerprint of a text in which every second word is `word`. */
function fingerprintWith(word: string): bigint | null {
  return profileText(text.replaceAll(' ', ` ${word} `)).fingerprint
}

test('a page has the profile of its text', () => {
  const page = fc.oneof(flatPage, foreignPage, framePage, fc.string({ unit: 'binary', maxLength: 200 }))
  fc.assert(
    fc.property(page, (html) => {
      // The words before make sure that there are enough for a fingerprint.
      const long = `${text}<br>${html}`
      const ofText = profileText(readHtml(long, true).text)
      const ofPage = profilePage(long)
      assert.equal(ofPage.fingerprint, ofText.fingerprint)
      assert.equal(ofPage.wordCount, ofText.wordCount)
    }),
    { numRuns: 1000 },
  )
})

test('the profile is the same with and without the text', () => {
  const profiler = new TextProfiler()
  fc.assert(
    fc.property(flatPage, (html) => {
      const page = text + html
      assert.equal(readHtml(page, true, profiler).text, readHtml(page, true).text)
      assert.deepEqual(profiler.finish(), profilePage(page))
    }),
  )
})

test('markup makes no difference', () => {
  const words = text.split(' ')
  const wrap = fc.constantFrom(
    (word: string) => `<p>${word}</p>`,
    (word: string) => `<b>${word.slice(0, 1)}</b>${word.slice(1)} `,
    (word: string) => ` &#${word.charCodeAt(0)};${word.slice(1)}&nbsp;<!-- not seen -->`,
    (word: string) => `<td title="x">${word}<script>var x</script>`,
    (word: string) => `${word.slice(0, 1)}\0${word.slice(1)}, `,
  )
  fc.assert(
    fc.property(fc.array(wrap, { minLength: 1, maxLength: 20 }), (wraps) => {
      const html = words.map((word, i) => wraps[i % wraps.length]?.(` ${word}`)).join('')
      assert.equal(profilePage(html).fingerprint, fingerprint)
    }),
  )
})

test('whitespace, punctuation and case make no difference', () => {
  const gap = fc.constantFrom(' ', '\n', '\t \r\n', '\u00a0', ' - ', ', ', '. ', ' “', '\u3000')
  fc.assert(
    fc.property(fc.array(gap, { minLength: 1 }), fc.boolean(), (gaps, isLoud) => {
      const other = text.split(' ').reduce((all, word, i) => all + gaps[i % gaps.length] + word, '')
      assert.deepEqual(profileText(isLoud ? other.toUpperCase() : other), profileText(text))
    }),
  )
})

test('the value and spelling of numbers make no difference', () => {
  for (const number of ['12', '1999-12-31', '1,000,000.00', '23:59:59', '٣', '１２']) {
    assert.equal(fingerprintWith(number), fingerprintWith('7'), number)
  }
  assert.notEqual(fingerprintWith('7'), fingerprintWith('seven'))
})

const COUNTS: readonly [text: string, words: number][] = [
  ['', 0],
  [' \n.,!?-- ', 0],
  ['one two', 2],
  ["it’s Anna's co\u00adop", 3],
  ['a 12 b3 4c', 4],
  ['Ünïcödé größe ΟΔΟΣ слово', 4],
  ['日本語 and 한국어', 5],
  ['a\0b', 1],
  ['x\ufffdy', 2],
]

for (const [sample, words] of COUNTS) {
  test(`${JSON.stringify(sample)} has ${words} words`, () => assert.equal(profileText(sample).wordCount, words))
}

test('letters of other alphabets have a case, too', () => {
  for (const word of ['ὈΔΟΣ', 'СЛОВО', 'ÜBER', 'ԲԱՌ']) {
    assert.equal(fingerprintWith(word), fingerprintWith(word.toLowerCase()), word)
  }
  assert.notEqual(fingerprintWith('слово'), fingerprintWith('слова'))
})

test('a profiler can be reused for the next page', () => {
  const profiler = new TextProfiler()
  readHtml('<p>some words 12 \u0001\u0001\u0001\u0001\u0001\u0001\u0001\u0001\u0001', false, profiler)
  profiler.finish()
  readHtml(text, false, profiler)
  assert.deepEqual(profiler.finish(), profileText(text))
})
