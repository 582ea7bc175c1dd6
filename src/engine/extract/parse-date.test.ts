import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseDate } from './parse-date.ts'

test('a date without a time stays a date', () => {
  for (const text of [
    '2026-11-17',
    ' 17 November 2026 ',
    '17th Nov. 2026',
    'November 17, 2026',
    'Tuesday, November 17th 2026',
    'Tue, 17 Nov 2026',
  ])
    assert.equal(parseDate(text), '2026-11-17', text)
  assert.equal(parseDate('1815-12-10'), '1815-12-10')
  assert.equal(parseDate('3 Sept 1999'), '1999-09-03')
})

test('a time is converted to UTC', () => {
  assert.equal(parseDate('2026-11-17T21:50:00+01:00'), '2026-11-17T20:50:00.000Z')
  assert.equal(parseDate('2026-11-17 21:50'), '2026-11-17T21:50:00.000Z')
  assert.equal(parseDate('2026-11-17T21:50:03.1234Z'), '2026-11-17T21:50:03.123Z')
  assert.equal(parseDate('Tue, 17 Nov 2026 21:50:00 GMT'), '2026-11-17T21:50:00.000Z')
  assert.equal(parseDate('17 Nov 2026 00:10 +0100'), '2026-11-16T23:10:00.000Z')
})

test('what is no date is null', () => {
  for (const text of ['', 'today', '2026-13-01', '2026-02-30', '31 June 2026', '17 Foo 2026', '11/17/2026', '2026'])
    assert.equal(parseDate(text), null, text)
  assert.equal(parseDate(`2026-11-17${' '.repeat(10_000)}x`), null)
})
