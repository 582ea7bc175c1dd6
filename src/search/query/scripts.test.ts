import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { STEMMERS } from '../analyse/languages.ts'
import { termOf } from '../analyse/stems.ts'
import { languagesFor } from './scripts.ts'

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

describe('the languages a word may be of', () => {
  it('are those of its script, however many others are commoner', () => {
    assert.deepEqual(languagesFor('яблоко', SIX), ['ru', null])
    assert.deepEqual(languagesFor('βιβλία', [...SIX, 'el']), ['el', null])
    assert.deepEqual(languagesFor('книга', ['bg', 'en', 'ru', 'uk', 'sr']), ['bg', 'ru', 'uk', 'sr', null])
    assert.deepEqual(languagesFor('knjiga', ['sr', 'ru']), ['sr', null])
  })

  it('are the commonest of them', () => {
    assert.deepEqual(languagesFor('house', ['ru', ...SIX, 'nl', 'sv']), ['en', 'de', 'fr', 'es', 'it', null])
  })

  it('are all there are when the index has no others', () => {
    assert.deepEqual(languagesFor('house', ['en', 'de']), ['en', 'de'])
    assert.deepEqual(languagesFor('яблоко', ['ru']), ['ru'])
  })

  it('are none for a script that no language of the index has', () => {
    assert.deepEqual(languagesFor('яблоко', ['en', 'de']), [null])
    assert.deepEqual(languagesFor('ספרים', ['en', 'he']), [null])
    assert.deepEqual(languagesFor('苹果', ['zh', 'en']), [null])
    assert.deepEqual(languagesFor('house', []), [null])
  })

  it('are those of every script in a text', () => {
    assert.deepEqual(languagesFor('review яблоко', ['ru', 'en', 'el']), ['en', 'ru', null])
  })

  it('leave out no stem: a stemmer changes no word of another script', () => {
    for (const [own, word] of Object.entries(WORDS)) {
      assert.notEqual(termOf(word, own), termOf(word, null), word)
      for (const lang of Object.keys(STEMMERS)) {
        if (!languagesFor(word, [lang]).includes(lang))
          assert.equal(termOf(word, lang), termOf(word, null), `${lang} ${word}`)
      }
    }
  })
})
