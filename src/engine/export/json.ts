import type { UrlRow } from '../../ports/urls.ts'
import { inChunks } from './chunks.ts'
import { rowJson } from './jsonl.ts'

/** One array with an object for each url. */
export function toJson(rows: AsyncIterable<UrlRow>): AsyncGenerator<string, void, undefined> {
  let separator = '\n'
  const encode = (row: UrlRow) => {
    const text = separator + rowJson(row)
    separator = ',\n'
    return text
  }
  return inChunks(rows, encode, { head: '[', tail: '\n]\n' })
}
