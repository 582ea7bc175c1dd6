import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { splitByHighlights } from './highlights.ts'

test('marked places stand between what is not marked', () => {
  assert.deepEqual(splitByHighlights('a red fox', [[2, 5]]), [
    { text: 'a ', isMarked: false, at: 0 },
    { text: 'red', isMarked: true, at: 2 },
    { text: ' fox', isMarked: false, at: 5 },
  ])
})

test('a text without places is one piece, and an empty one is none', () => {
  assert.deepEqual(splitByHighlights('<b>x</b>', []), [{ text: '<b>x</b>', isMarked: false, at: 0 }])
  assert.deepEqual(splitByHighlights('', [[0, 4]]), [])
})

test('pieces put together are the text, whatever the places are', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.array(fc.tuple(fc.integer({ min: -5, max: 40 }), fc.integer({ min: -5, max: 40 }))),
      (text, places) => {
        const pieces = splitByHighlights(text, places)
        assert.equal(pieces.map((textPiece) => textPiece.text).join(''), text)
        for (const textPiece of pieces) assert.notEqual(textPiece.text, '')
      },
    ),
  )
})
