// What to type next, so that it can be copied as it is.

import { SCHEMA } from '../../config/schema.ts'
import { sanitizeText } from './units.ts'

const DEFAULT_DATA_DIRS: string[] = [SCHEMA.data.default, SCHEMA.data.default.replace(/^\.\//, '')]

/** Where a command works. */
export interface StoreLocation {
  data: string
  store: string | null
  /** Asked instead of either. */
  server?: string | null
}

/** A command with the store and the data directory it needs. */
export function formatCommand(program: string, words: string, { data, store, server = null }: StoreLocation): string {
  if (server !== null) return `${quoteForShell(program)} ${words} --server ${quoteForShell(sanitizeText(server))}`
  const dataFlag = DEFAULT_DATA_DIRS.includes(data) ? '' : ` --data ${quoteForShell(sanitizeText(data))}`
  const storeFlag = store === null ? '' : ` --store ${quoteForShell(sanitizeText(withoutPassword(store)))}`
  return `${quoteForShell(program)} ${words}${storeFlag}${dataFlag}`
}

/** What is shown on a screen ends up in logs. */
function withoutPassword(store: string): string {
  const url = URL.parse(store)
  if (url === null) return store
  url.password = ''
  return url.href
}

function quoteForShell(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
