import assert from 'node:assert/strict'
import { it } from 'node:test'
import { widthInPixels } from './text-width.ts'

it('widths are those of Arial', () => {
  // Measured with measureText in Chromium, with Liberation Sans, which has the widths of Arial (2026-11).
  const measured = { 'Hello World': 103, iiii: 17.8, 'Index — Python 3.11.2 documentation': 340.2 }
  for (const [text, width] of Object.entries(measured)) assert.ok(Math.abs(widthInPixels(text, 20) - width) < 1, text)
  assert.equal(widthInPixels('', 20), 0)
})

it('letters with marks are as wide as those without, and ideographs are square', () => {
  assert.equal(widthInPixels('Äé', 20), widthInPixels('Ae', 20))
  assert.equal(widthInPixels('e\u0301', 20), widthInPixels('e', 20))
  assert.equal(widthInPixels('家', 20), 20)
})
