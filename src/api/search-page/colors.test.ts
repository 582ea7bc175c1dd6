import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { contrast, readableOn, textOn } from './colors.ts'

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

test('contrast is that of WCAG', () => {
  assert.equal(contrast('#000000', '#ffffff'), 21)
  assert.equal(Math.round(contrast('#767676', '#ffffff') * 100) / 100, 4.54)
})

test('any accent colour becomes readable on both themes, and text on it is readable', () => {
  fc.assert(
    fc.property(color, (accent) => {
      for (const background of ['#ffffff', '#14171c']) {
        const derived = readableOn(accent, background)
        assert.ok(contrast(derived, background) >= 4.5, `${accent} gives ${derived} on ${background}`)
        assert.ok(contrast(textOn(derived), derived) >= 4.5)
      }
    }),
  )
})

test('a readable colour stays as it is', () => {
  assert.equal(readableOn('#1d4ed8', '#ffffff'), '#1d4ed8')
})
