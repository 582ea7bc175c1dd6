import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { eld } from 'eld/small'
import fc from 'fast-check'
import { loadLanguageDetector } from './language-identifier.ts'
import { backOf, frontOf, packNgrams } from './packed-ngrams.ts'

const file = new URL('../ngrams/small.js', import.meta.resolve('eld/small'))
interface NgramData {
  languages: Record<number, string>
  ngrams: Record<string, Record<number, number>>
}
const { ngramsData } = (await import(file.href)) as { ngramsData: NgramData }

test('packed n-grams equal those of eld', () => {
  const { languages, ngrams } = packNgrams(readFileSync(file, 'utf8'))
  assert.deepEqual(languages, Object.values(ngramsData.languages))
  const scoresOf = (name: string) => {
    const letters = Uint8Array.from(name, (letter) => letter.charCodeAt(0))
    const scores = new Float64Array(languages.length)
    ngrams.addScores(frontOf(letters), backOf(letters), scores, 1)
    return Object.fromEntries([...scores.entries()].flatMap(([lang, score]) => (score > 0 ? [[lang, score - 1]] : [])))
  }
  const names = Object.keys(ngramsData.ngrams)
  assert.ok(names.length > 50_000)
  for (const name of names) assert.deepEqual(scoresOf(name), ngramsData.ngrams[name], name)
  for (const name of ['', ' zzz', 'qqqq']) assert.deepEqual(scoresOf(name), {})
})

test('every text gets the language that eld itself detects', async () => {
  const detectLanguage = await loadLanguageDetector()
  const words = [
    'the weather of the year',
    'das Wetter des Jahres',
    'le temps qu’il fait',
    'погода на сегодня',
    '今日の天気',
    'a'.repeat(75),
    'ab'.repeat(40),
    'é',
    'xyz',
    '12 345 6789',
    '\ud83d',
  ]
  const text = fc.array(fc.oneof(fc.constantFrom(...words), fc.string({ unit: 'grapheme' })), { maxLength: 12 })
  fc.assert(
    fc.property(text, (parts) => {
      const found = eld.detect(parts.join(' '))
      const expected = found.language !== '' && found.isReliable() ? found.language : undefined
      assert.equal(detectLanguage(parts.join(' '))[0], expected)
    }),
    { numRuns: 2000 },
  )
  assert.deepEqual(
    detectLanguage('Nobody who has kept a garden for a year will be surprised to hear that most of it is waiting.'),
    ['en'],
  )
})

test('data of another format is rejected', () => {
  assert.throws(() => packNgrams('export const other = {}'), /unexpected format/)
})
