import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withValues } from '../../page/query.ts'
import {
  isPartOn,
  nextSort,
  readFilters,
  readSort,
  toFilterChips,
  togglePart,
  toUrlQuery,
  withoutChip,
} from './filters.ts'

const read = (query: string) => readFilters(new URLSearchParams(query))

test('filters are read from the query, without unknown states', () => {
  const filters = read('state=failed&state=visited&state=nonsense&status=5xx&text=a%20b')
  assert.deepEqual(toUrlQuery(filters), { state: ['failed', 'visited'], status: '5xx', text: 'a b' })
})

test('a query without filters selects all URLs', () => {
  assert.deepEqual(toUrlQuery(read('url=12&columns=x')), {})
})

test('every filter has a chip that removes only that filter', () => {
  let query = new URLSearchParams('state=failed&state=visited&host=example.com&url=3')
  const chips = toFilterChips(readFilters(query))
  assert.deepEqual(
    chips.map(({ label }) => label),
    ['Failed', 'Visited', 'Host: example.com'],
  )
  for (const chip of chips) query = withoutChip(query, chip)
  assert.equal(query.toString(), 'url=3')
})

test('an empty value removes its parameter', () => {
  assert.equal(
    withValues(new URLSearchParams('text=a&host=b'), { text: '', state: ['failed'] }).toString(),
    'host=b&state=failed',
  )
})

test('a column header sorts ascending, then descending, then not at all', () => {
  const up = nextSort({ key: 'found', order: 'asc' }, 'size')
  const down = nextSort(up, 'size')
  assert.deepEqual(
    [up, down, nextSort(down, 'size')],
    [
      { key: 'size', order: 'asc' },
      { key: 'size', order: 'desc' },
      { key: 'found', order: 'asc' },
    ],
  )
  assert.deepEqual(readSort(new URLSearchParams('sort=nonsense')), { key: 'found', order: 'asc' })
})

test('the part that a limit left out is selected alone, and states add up', () => {
  const leftOut = { filter: { state: 'excluded', reason: 'max_pages' } } as const
  const excluded = { filter: { state: 'excluded' } } as const
  const failed = { filter: { state: 'failed' } } as const
  assert.deepEqual(togglePart(read('state=visited'), leftOut), { state: ['excluded'], reason: 'max_pages' })
  const on = read('state=excluded&reason=max_pages')
  assert.deepEqual([isPartOn(on, leftOut), isPartOn(on, excluded)], [true, false])
  assert.deepEqual(
    toFilterChips(on).map(({ name }) => name),
    ['state'],
  )
  assert.deepEqual(togglePart(on, leftOut), { state: [], reason: '' })
  assert.deepEqual(togglePart(on, failed), { state: ['failed'], reason: '' })
  const timeouts = read('state=excluded&reason=timeout')
  assert.equal(isPartOn(timeouts, excluded), true)
  assert.deepEqual(togglePart(timeouts, failed), { state: ['excluded', 'failed'], reason: 'timeout' })
})
