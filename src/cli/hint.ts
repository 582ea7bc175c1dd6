// What to type next, so that it can be copied as it is.

import { SCHEMA } from '../config/schema.ts'
import { clean } from './live/units.ts'

const DEFAULT_DATA_DIRS: string[] = [SCHEMA.data.default, SCHEMA.data.default.replace(/^\.\//, '')]

/** Where a command works. */
export interface Place {
  data: string
  store: string | null
  /** Asked instead of either. */
  server?: string | null
}

/** A command with the store and the data directory it needs. */
export function commandLine(program: string, words: string, { data, store, server = null }: Place): string {
  if (server !== null) return `${shellWord(program)} ${words} --server ${shellWord(clean(server))}`
  const dataFlag = DEFAULT_DATA_DIRS.includes(data) ? '' : ` --data ${shellWord(clean(data))}`
  const storeFlag = store === null ? '' : ` --store ${shellWord(clean(withoutPassword(store)))}`
  return `${shellWord(program)} ${words}${storeFlag}${dataFlag}`
}

/** What is shown on a screen ends up in logs. */
function withoutPassword(store: string): string {
  const url = URL.parse(store)
  if (url === null) return store
  url.password = ''
  return url.href
}

function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
