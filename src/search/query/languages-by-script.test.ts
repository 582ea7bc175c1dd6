import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { toIndexTerm } from '../analyse/index-terms.ts'
import { STEMMERS } from '../analyse/stemmers.ts'
import { candidateLanguages } from './languages-by-script.ts'

const SIX = ['en', 'de', 'fr', 'es', 'it', 'ru']

/** Words that a stemmer of their script changes. */
const WORDS: Record<string, string> = {
  ar: 'المكتبات',
  bg: 'автобуси',
  el: 'βιβλία',
  en: 'running',
  fi: 'talossa',
  hi: 'किताबें',
  hy: 'տներում',
  ne: 'घरहरू',
  ru: 'яблоко',
  sr: 'књига',
  ta: 'வீடுகளில்',
  uk: 'українського',
}

describe('candidate languages of a word', () => {
  it('are those of its script, however many others are more common', () => {
    assert.deepEqual(candidateLanguages('яблоко', SIX), ['ru', null])
    assert.deepEqual(candidateLanguages('βιβλία', [...SIX, 'el']), ['el', null])
    assert.deepEqual(candidateLanguages('книга', ['bg', 'en', 'ru', 'uk', 'sr']), ['bg', 'ru', 'uk', 'sr', null])
    assert.deepEqual(candidateLanguages('knjiga', ['sr', 'ru']), ['sr', null])
  })

  it('are the most common ones', () => {
    assert.deepEqual(candidateLanguages('house', ['ru', ...SIX, 'nl', 'sv']), ['en', 'de', 'fr', 'es', 'it', null])
  })

  it('are all languages if the index has no others', () => {
    assert.deepEqual(candidateLanguages('house', ['en', 'de']), ['en', 'de'])
    assert.deepEqual(candidateLanguages('яблоко', ['ru']), ['ru'])
  })

  it('are none for a script that no language of the index uses', () => {
    assert.deepEqual(candidateLanguages('яблоко', ['en', 'de']), [null])
    assert.deepEqual(candidateLanguages('ספרים', ['en', 'he']), [null])
    assert.deepEqual(candidateLanguages('苹果', ['zh', 'en']), [null])
    assert.deepEqual(candidateLanguages('house', []), [null])
  })

  it('are those of every script in a text', () => {
    assert.deepEqual(candidateLanguages('review яблоко', ['ru', 'en', 'el']), ['en', 'ru', null])
  })

  it('omit no stem: a stemmer changes no word of another script', () => {
    for (const [own, word] of Object.entries(WORDS)) {
      assert.notEqual(toIndexTerm(word, own), toIndexTerm(word, null), word)
      for (const lang of Object.keys(STEMMERS)) {
        if (!candidateLanguages(word, [lang]).includes(lang))
          assert.equal(toIndexTerm(word, lang), toIndexTerm(word, null), `${lang} ${word}`)
      }
    }
  })
})
