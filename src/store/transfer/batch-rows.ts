// Groups rows for a transfer, so that a batch is worth a statement and still fits into memory.

import type { TransferRow } from '../../ports/transfer.ts'

const MAX_ROWS = 2000
const MAX_BYTES = 4 * 1024 * 1024
const NUMBER_BYTES = 8

export async function* batchRows(
  rows: Iterable<TransferRow> | AsyncIterable<TransferRow>,
): AsyncGenerator<TransferRow[]> {
  let batch: TransferRow[] = []
  let bytes = 0
  for await (const row of rows) {
    batch.push(row)
    bytes += sizeOf(row)
    if (batch.length < MAX_ROWS && bytes < MAX_BYTES) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}

function sizeOf(row: TransferRow): number {
  let bytes = 0
  for (const value of Object.values(row)) {
    bytes += typeof value === 'number' || value === null ? NUMBER_BYTES : value.length
  }
  return bytes
}
