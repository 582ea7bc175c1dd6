import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextSort, readFilters, readSort, toFilterChips, toUrlQuery, withoutChip, withValues } from './filters.ts'

const read = (address: string) => readFilters(new URLSearchParams(address))

test('an address says what the table shows', () => {
  const filters = read('state=failed&state=visited&state=nonsense&status=5xx&text=a%20b')
  assert.deepEqual(toUrlQuery(filters), { state: ['failed', 'visited'], status: '5xx', text: 'a b' })
})

test('an address without conditions asks for everything', () => {
  assert.deepEqual(toUrlQuery(read('url=12&columns=x')), {})
})

test('every condition is a chip that can be taken away alone', () => {
  let query = new URLSearchParams('state=failed&state=visited&host=example.com&url=3')
  const chips = toFilterChips(readFilters(query))
  assert.deepEqual(
    chips.map(({ label }) => label),
    ['Failed', 'Visited', 'Host: example.com'],
  )
  for (const chip of chips) query = withoutChip(query, chip)
  assert.equal(query.toString(), 'url=3')
})

test('an empty value leaves the address', () => {
  assert.equal(
    withValues(new URLSearchParams('text=a&host=b'), { text: '', state: ['failed'] }).toString(),
    'host=b&state=failed',
  )
})

test('a heading sorts up, then down, then not', () => {
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
