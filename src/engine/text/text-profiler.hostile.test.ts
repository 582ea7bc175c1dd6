import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { decodeHtml } from '../parse/charset/decode-html.ts'
import { readHtml } from '../parse/html-reader.ts'
import { profileText, type TextProfile, TextProfiler } from './text-profiler.ts'

const MB = 1_000_000

function profileBytes(bytes: Buffer, contentType: string): TextProfile {
  const profiler = new TextProfiler()
  readHtml(decodeHtml(bytes, contentType).text, false, profiler)
  return profiler.finish()
}

test('ten megabytes of one word are counted, and have no fingerprint', () => {
  assert.deepEqual(profileText('word '.repeat(2 * MB)), { fingerprint: null, wordCount: 2 * MB, looksBinary: false })
})

test('a word of ten megabytes is one word', () => {
  assert.deepEqual(profileText('x'.repeat(10 * MB)), { fingerprint: null, wordCount: 1, looksBinary: false })
})

test('every character may be a word', () => {
  assert.equal(profileText('日本'.repeat(MB)).wordCount, 2 * MB)
  assert.equal(profileText('x語'.repeat(MB)).wordCount, 2 * MB)
  assert.equal(profileText('x '.repeat(MB)).wordCount, MB)
})

test('a million blocks of one letter are a million words', () => {
  const profiler = new TextProfiler()
  readHtml('<p>x'.repeat(MB), false, profiler)
  assert.equal(profiler.finish().wordCount, MB)
})

test('megabytes of references are read in one pass', () => {
  const profiler = new TextProfiler()
  readHtml('&#x79;&unknown&'.repeat(MB / 2), false, profiler)
  assert.equal(profiler.finish().wordCount, MB)
})

test('NULs are not words, and look binary', () => {
  assert.deepEqual(profileText('\0'.repeat(MB)), { fingerprint: null, wordCount: 0, looksBinary: true })
})

test('random bytes look binary in any encoding', () => {
  const bytes = randomBytes(20_000)
  for (const type of ['text/html', 'text/html; charset=utf-8', 'text/html; charset=windows-1252']) {
    assert.ok(profileBytes(bytes, type).looksBinary, type)
  }
})

test('UTF-16 read as something else looks binary', () => {
  assert.ok(profileBytes(Buffer.from('<p>plain text in two bytes', 'utf16le'), 'text/html; charset=utf-8').looksBinary)
})

test('text does not look binary, even with a few characters in a wrong encoding', () => {
  const french = Buffer.from(
    "<p>L'été dernier, à Genève, où j'étais déjà allé, la forêt était fermée.".repeat(20),
    'latin1',
  )
  assert.ok(!profileBytes(french, 'text/html; charset=utf-8').looksBinary)
  assert.ok(!profileBytes(french, 'text/html; charset=latin1').looksBinary)
  assert.ok(!profileText('Слово за слово. 日本語\t\r\n\f'.repeat(50)).looksBinary)
  assert.ok(!profileText('\u0001').looksBinary)
})
