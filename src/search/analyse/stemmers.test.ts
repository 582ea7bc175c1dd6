import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { STEMMERS } from './stemmers.ts'

const ALPHABETS = [
  'abcdefghijklmnopqrstuvwxyzäöüßéèêçñåøæışğőű',
  'абвгдежзийклмнопрстуфхцчшщъыьэюяіїєђљњ',
  'αβγδεζηθικλμνξοπρστυφχψωάέή',
  'ابتثجحخدذرزسشصضطظعغفقكلمنهوي',
  'कखगघचछजझटठडढतथदधनपफबभमयरलवशषसहािीुूेैोौ',
  'աբգդեզէըթժիլխծկհձղճմյնշ',
  'அஆஇஈஉகஙசஞடணதநபமயரலவ',
]
const words = fc.constantFrom(...ALPHABETS).chain((letters) => {
  const letter = fc.constantFrom(...letters)
  return fc.array(letter, { minLength: 1, maxLength: 15 }).map((list) => list.join(''))
})

for (const [lang, stem] of Object.entries(STEMMERS)) {
  it(`every word has a stem in ${lang}`, () => {
    fc.assert(
      fc.property(words, (word) => {
        assert.equal(typeof stem(word), 'string', word)
      }),
      { numRuns: 300 },
    )
  })
}

it('Bulgarian words whose letters change are stemmed', () => {
  const stem = STEMMERS['bg'] ?? assert.fail()
  for (const word of ['автобуси', 'ученици', 'зелен', 'боеве']) assert.match(stem(word), /^[а-я]+$/)
  assert.notEqual(stem('ученици'), 'ученици')
})
