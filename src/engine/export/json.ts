import type { ExportRow } from './columns.ts'
import { encodeInChunks } from './encode-in-chunks.ts'
import { rowJson } from './jsonl.ts'

/** One array with an object per URL. */
export function toJson(rows: AsyncIterable<ExportRow>): AsyncGenerator<string, void, undefined> {
  let separator = '\n'
  const encode = (row: ExportRow) => {
    const text = separator + rowJson(row)
    separator = ',\n'
    return text
  }
  return encodeInChunks(rows, encode, { head: '[', tail: '\n]\n' })
}
