import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { eld } from 'eld/small'
import fc from 'fast-check'
import { loadLanguageDetector } from './language-identifier.ts'
import { type NgramData, packNgrams } from './packed-ngrams.ts'

const file = new URL('../ngrams/small.js', import.meta.resolve('eld/small'))
const { ngramsData } = (await import(file.href)) as { ngramsData: NgramData }

test('packed n-grams equal those of eld', () => {
  const packed = packNgrams(readFileSync(file, 'utf8'))
  assert.equal(packed.type, ngramsData.type)
  assert.deepEqual(packed.languages, ngramsData.languages)
  const names = Object.keys(ngramsData.ngrams)
  assert.ok(names.length > 50_000)
  for (const name of names) assert.deepEqual(packed.ngrams[name], ngramsData.ngrams[name], name)
  for (const name of ['', 'no such', ' zzz', 'toolong', 'constructor']) assert.equal(packed.ngrams[name], undefined)
})

test('every text gets the language that eld itself detects', async () => {
  const detectLanguage = await loadLanguageDetector()
  const words = [
    'the weather of the year',
    'das Wetter des Jahres',
    'le temps qu’il fait',
    'погода на сегодня',
    '今日の天気',
  ]
  const text = fc.array(fc.oneof(fc.constantFrom(...words), fc.string({ unit: 'grapheme' })), { maxLength: 12 })
  fc.assert(
    fc.property(text, (parts) => {
      const found = eld.detect(parts.join(' '))
      assert.equal(detectLanguage(parts.join(' ')), found.language !== '' && found.isReliable() ? found.language : null)
    }),
    { numRuns: 500 },
  )
  assert.equal(
    detectLanguage('Nobody who has kept a garden for a year will be surprised to hear that most of it is waiting.'),
    'en',
  )
})

test('data of another format is rejected', () => {
  assert.throws(() => packNgrams('export const other = {}'), /unexpected format/)
})
