// Suggestions for misspelt words.

import assert from 'node:assert/strict'
import type { TestIndex } from '../../ports/contracts/testing/test-index.ts'
import { indexTexts, type SiteTexts, type TypedQueryCases } from './searched-site.ts'

/** Words at the start of each page, so that the others are not among the words for suggestions while typing. */
const FILLER = Array.from({ length: 60 }, (_, i) => `filler${String.fromCharCode(97 + (i % 26), 97 + (i >> 1))}`).join(
  ' ',
)

async function assertSuggested(
  testIndex: TestIndex,
  texts: SiteTexts,
  expected: Record<string, string | null>,
): Promise<void> {
  const { search } = await indexTexts(testIndex, texts, 'en')
  const suggested: Record<string, string | null> = {}
  for (const query of Object.keys(expected)) suggested[query] = (await search(query)).didYouMean
  assert.deepEqual(suggested, expected)
}

export const SPELLING_CASES: TypedQueryCases = {
  async 'a misspelt word is corrected by all words of the index'(testIndex) {
    const texts = {
      one: `${FILLER}. The accommodation is next to the botanical garden, behind the apples.`,
      two: `${FILLER}. Chrysanthemums in gardens.`,
      müller: `${FILLER}. Naïve readers of Müller.`,
    }
    await assertSuggested(testIndex, texts, {
      acommodation: 'accommodation',
      'Chrysantemum ': 'chrysanthemums ',
      'botanicl gardn': 'botanical garden',
      abtanical: null,
      botanical: null,
      appels: 'apples',
      ubotanical: 'botanical',
      naiev: 'naïve',
      zzzzzz: null,
      'chrysanthemums behnid': null,
      'acommodation garden apples filleraa': 'accommodation garden apples filleraa',
      [`acommodation ${FILLER.split(' ').slice(0, 10).join(' ')}`]: null,
    })
  },

  async 'the stem of a misspelt word may be that of another word, or of a rare language'(testIndex) {
    const many = (text: string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`${text.length}-${i}`, `${text} Number ${i}.`]))
    const texts = {
      ...many('A foreign key is one of the constraints of a table.', 60),
      ...many('The fore part of the ship.', 4),
      ...many('It is under constr. for now.', 12),
      musée: 'Le musée ouvre à dix heures du matin et il est fermé le premier lundi de chaque mois de cette année.',
    }
    await assertSuggested(testIndex, texts, {
      foreing: 'foreign',
      'foreing lang:en': 'foreign lang:en',
      constrait: 'constraints',
      fore: null,
      musées: null,
    })
  },

  async 'the likeliest word is suggested, even if others are as near and more common'(testIndex) {
    const common = 'All are able to come later than super meters; bitter apt ruled'
    const texts = {
      ...Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`p${i}`, `${common} ${i}.`])),
      ...Object.fromEntries(
        ['apple', 'summer', 'letter', 'better', 'common', 'separate', 'running'].flatMap((word) =>
          Array.from({ length: 5 }, (_, i) => [`${word}${i}`, `${FILLER}. A page about ${word} things, ${i}.`]),
        ),
      ),
    }
    await assertSuggested(testIndex, texts, {
      aple: 'apple',
      sumer: 'summer',
      leter: 'letter',
      beter: 'better',
      comon: 'common',
      commmon: 'common',
      seperate: 'separate',
      runing: 'running',
      supre: 'super',
    })
  },

  async 'a rare word is corrected only to one that is far more common'(testIndex) {
    const pages = Array.from({ length: 60 }, (_, i) => [
      `p${i}`,
      `Receive page ${i === 0 ? 'recieve' : ''} number ${i}.`,
    ])
    const texts = {
      ...Object.fromEntries(pages),
      ...Object.fromEntries(Array.from({ length: 3 }, (_, i) => [`q${i}`, 'The numbed hand.'])),
    }
    await assertSuggested(testIndex, texts, { recieve: 'receive', receive: null, numbed: null, number: null })
  },
}
