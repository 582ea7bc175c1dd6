import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import {
  chooseLanguage,
  hasOtherLanguage,
  LanguageCounter,
  mainLanguage,
  ownLanguage,
  packLanguageCounts,
  unpackLanguageCounts,
} from './host-languages.ts'

it('the main language of a host is that of more than half of its pages', () => {
  const main = (counts: Record<string, number>) => mainLanguage(new Map(Object.entries(counts)))
  assert.equal(main({}), null)
  assert.equal(main({ en: 1 }), 'en')
  assert.equal(main({ en: 2, de: 2 }), null)
  assert.equal(main({ en: 2, de: 3 }), 'de')
  assert.equal(main({ en: 40, de: 30, fr: 30 }), null)
})

it('a page that leaves its language open is in the main language if it may be, otherwise in the most likely one', () => {
  assert.equal(chooseLanguage(['ro', 'en'], 'en'), 'en')
  assert.equal(chooseLanguage(['ro', 'en'], 'ja'), 'ro')
  assert.equal(chooseLanguage(['ro', 'en'], null), 'ro')
  assert.equal(chooseLanguage([], 'en'), 'en')
  assert.equal(chooseLanguage([], null), null)
  assert.equal(hasOtherLanguage({ lang: 'ro', possibleLangs: ['ro', 'en'] }, 'en'), true)
  assert.equal(hasOtherLanguage({ lang: 'en', possibleLangs: ['ro', 'en'] }, 'en'), false)
  assert.equal(hasOtherLanguage({ lang: 'ro', possibleLangs: null }, 'en'), false)
})

it('a page counts with the language it says, whatever that of its host is', () => {
  assert.equal(ownLanguage({ lang: 'en', possibleLangs: ['ro', 'en'] }), 'ro')
  assert.equal(ownLanguage({ lang: 'en', possibleLangs: [] }), null)
  assert.equal(ownLanguage({ lang: 'en', possibleLangs: null }), 'en')
})

it('counts are the same in any order, and are read back as they were written', () => {
  const langs = fc.array(fc.constantFrom('en', 'de', 'fr', null), { maxLength: 20 })
  fc.assert(
    fc.property(langs, fc.nat(20), (added, removed) => {
      const [forward, backward] = [new LanguageCounter(), new LanguageCounter()]
      for (const lang of added) forward.add(lang)
      for (const lang of added.slice(0, removed)) forward.remove(lang)
      for (const lang of added.slice(removed).reverse()) backward.add(lang)
      assert.equal(packLanguageCounts(forward.counts), packLanguageCounts(backward.counts))
      assert.equal(forward.main, mainLanguage(unpackLanguageCounts(packLanguageCounts(backward.counts))))
    }),
  )
})
