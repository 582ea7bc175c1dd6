import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { piecesOf } from './marks.ts'

test('marked places stand between what is not marked', () => {
  assert.deepEqual(piecesOf('a red fox', [[2, 5]]), [
    { text: 'a ', isMarked: false, at: 0 },
    { text: 'red', isMarked: true, at: 2 },
    { text: ' fox', isMarked: false, at: 5 },
  ])
})

test('a text without places is one piece, and an empty one is none', () => {
  assert.deepEqual(piecesOf('<b>x</b>', []), [{ text: '<b>x</b>', isMarked: false, at: 0 }])
  assert.deepEqual(piecesOf('', [[0, 4]]), [])
})

test('pieces put together are the text, whatever the places are', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.array(fc.tuple(fc.integer({ min: -5, max: 40 }), fc.integer({ min: -5, max: 40 }))),
      (text, places) => {
        const pieces = piecesOf(text, places)
        assert.equal(pieces.map((piece) => piece.text).join(''), text)
        for (const piece of pieces) assert.notEqual(piece.text, '')
      },
    ),
  )
})
