import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseCondition } from './filter-conditions.ts'

const NOW = Date.UTC(2026, 10, 15)

describe('changed:', () => {
  const changed = (value: string) => parseCondition('changed', value, NOW)
  const from = (min: number, max: number) => ({ filter: { changed: { min, max: max - 1 } } })

  it('accepts a day, a month or a year, up to the start of the next', () => {
    assert.deepEqual(changed('2026-11'), from(Date.UTC(2026, 10, 1), Date.UTC(2026, 11, 1)))
    assert.deepEqual(changed('2026-12'), from(Date.UTC(2026, 11, 1), Date.UTC(2027, 0, 1)))
    assert.deepEqual(changed('2026-11-30'), from(Date.UTC(2026, 10, 30), Date.UTC(2026, 11, 1)))
    assert.deepEqual(changed('2026'), from(Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1)))
  })

  it('accepts an age, and rejects anything else', () => {
    assert.deepEqual(changed('<7d'), { filter: { changed: { min: NOW - 7 * 86_400_000, max: null } } })
    assert.ok('problem' in changed('2026-13'))
    assert.ok('problem' in changed('soon'))
  })
})

it('an invalid value is reported with what the field expects', () => {
  assert.deepEqual(parseCondition('near-duplicate-of', 'http://a.test/', NOW), {
    problem: 'expected the id of a page (page_id with --json), such as near-duplicate-of:12',
  })
  assert.deepEqual(parseCondition('host', 'a b', NOW), {
    problem: 'expected a host, with its port if it has one, such as host:www.example.com',
  })
})
