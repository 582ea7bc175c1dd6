import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { TransferRow } from '../../ports/transfer.ts'
import { batchRows } from './batch-rows.ts'

async function sizes(rows: Iterable<TransferRow>): Promise<number[]> {
  return (await Array.fromAsync(batchRows(rows))).map(({ length }) => length)
}

const rows = (count: number, text: string) => Array.from({ length: count }, (_, id): TransferRow => ({ id, text }))

it('many short rows are batched by number', async () => {
  assert.deepEqual(await sizes(rows(4500, 'x')), [2000, 2000, 500])
})

it('long rows are batched by size, and one that is too long goes alone', async () => {
  assert.deepEqual(await sizes(rows(10, 'x'.repeat(1 << 20))), [4, 4, 2])
  assert.deepEqual(await sizes(rows(2, 'x'.repeat(1 << 23))), [1, 1])
})

it('no rows make no batch', async () => {
  assert.deepEqual(await sizes([]), [])
})
