import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { splitByHighlights } from './highlights.ts'

test('a text is split into plain and highlighted pieces', () => {
  assert.deepEqual(splitByHighlights('a red fox', [[2, 5]]), [
    { text: 'a ', isHighlighted: false, at: 0 },
    { text: 'red', isHighlighted: true, at: 2 },
    { text: ' fox', isHighlighted: false, at: 5 },
  ])
})

test('a text without ranges is one piece, and an empty text has none', () => {
  assert.deepEqual(splitByHighlights('<b>x</b>', []), [{ text: '<b>x</b>', isHighlighted: false, at: 0 }])
  assert.deepEqual(splitByHighlights('', [[0, 4]]), [])
})

test('the pieces add up to the text, whatever the ranges are', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.array(fc.tuple(fc.integer({ min: -5, max: 40 }), fc.integer({ min: -5, max: 40 }))),
      (text, ranges) => {
        const pieces = splitByHighlights(text, ranges)
        assert.equal(pieces.map((piece) => piece.text).join(''), text)
        for (const piece of pieces) assert.notEqual(piece.text, '')
      },
    ),
  )
})
