import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyText } from '../testing/arbitrary-snapshots.ts'
import * as units from './units.ts'

test('numbers are grouped by thousands, and shortened if they do not fit', () => {
  assert.equal(units.groupDigits(0), '0')
  assert.equal(units.groupDigits(999), '999')
  assert.equal(units.groupDigits(1_234_567), '1,234,567')
  assert.equal(units.compactCount(123_456, 7), '123,456')
  assert.equal(units.compactCount(1_234_567, 7), '1.23M')
  assert.equal(units.compactCount(999_999, 6), '999k')
})

test('bytes, rates and durations keep to a few characters', () => {
  assert.deepEqual([0, 999, 1023, 1024, 10 * 1024 ** 2, 64_200_000, 5e12].map(units.formatBytes), [
    '0 B',
    '999 B',
    '1023 B',
    '1.00 KB',
    '10.0 MB',
    '61.2 MB',
    '4.54 TB',
  ])
  assert.deepEqual([0, 0.04, 3.44, 9.96, 1234.5].map(units.formatRate), ['0', '0.0', '3.4', '10', '1,235'])
  const times = [0, 59_999, 184_000, 7_500_000, 273_600_000].map(units.formatDuration)
  assert.deepEqual(times, ['0s', '59s', '3m 04s', '2h 05m', '3d 04h'])
})

test('estimates are coarse', () => {
  const seconds = [1, 23, 61, 5900, 7000, 200_000]
  assert.deepEqual(
    seconds.map((value) => units.formatRoughDuration(value * 1000)),
    ['~5s', '~25s', '~2m', '~99m', '~2h', '~3d'],
  )
})

test('sanitized text contains no control, format or line-breaking characters', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      assert.doesNotMatch(units.sanitizeText(text), /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)
      assert.match(units.sanitizeAscii(text), /^[ -~]*$/)
    }),
  )
})

test('ordinary text is not changed', () => {
  for (const text of ['https://example.com/a?b=c', 'Käse und Brötchen', '日本語', 'नमस्ते'])
    assert.equal(units.sanitizeText(text), text)
})

test('wide characters take two columns and combining marks none', () => {
  assert.equal(units.displayWidth('abc'), 3)
  assert.equal(units.displayWidth('日本'), 4)
  assert.equal(units.displayWidth('e\u0301'), 1)
  assert.equal(units.displayWidth('👍'), 2)
  assert.equal(units.displayWidth('❤\ufe0f'), 2)
  assert.equal(units.displayWidth('━▁…'), 3)
})

test('truncated text never exceeds its width, and short text is unchanged', () => {
  assert.equal(units.truncate('example.com', 8), 'example…')
  assert.equal(units.truncate('example.com', 8, '...'), 'examp...')
  assert.equal(units.truncate('日本語', 4), '日…')
  assert.equal(units.truncate('abc', 3), 'abc')
  assert.equal(units.truncate('abc', 0), '')
  fc.assert(
    fc.property(anyText, fc.nat(60), (text, width) => {
      assert.ok(units.displayWidth(units.truncate(units.sanitizeText(text), width)) <= width)
    }),
  )
})
