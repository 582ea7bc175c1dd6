// Formats a command line that the user can copy and paste.

import { SCHEMA } from '../../config/schema.ts'
import { withoutPassword } from '../../config/values/store-url.ts'
import { sanitizeText } from './units.ts'

const DEFAULT_DATA_DIRS: string[] = [SCHEMA.data.default, SCHEMA.data.default.replace(/^\.\//, '')]

/** The launcher's name for itself under npx: two words, to be typed as they are. */
const NPX = 'npx orbweaver'

/** The flags that tell a command which store to use. */
export interface StoreLocation {
  data: string
  store: string | null
  /** Takes precedence over `data` and `store`. */
  server?: string | null
}

/** The command with the flags for its store, unless they are the defaults. */
export function formatCommand(program: string, words: string, { data, store, server = null }: StoreLocation): string {
  const command = `${program === NPX ? program : quoteForShell(program)} ${words}`
  if (server !== null) return `${command} --server ${quoteForShell(sanitizeText(server))}`
  const dataFlag = DEFAULT_DATA_DIRS.includes(data) ? '' : ` --data ${quoteForShell(sanitizeText(data))}`
  const storeFlag = store === null ? '' : ` --store ${quoteForShell(sanitizeText(withoutPassword(store)))}`
  return `${command}${storeFlag}${dataFlag}`
}

function quoteForShell(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
