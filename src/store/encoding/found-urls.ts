// Discovered URLs that are not in the ledger, as the text of one row: one line per URL.

import { type FoundUrl, URL_KINDS, type UrlKind } from '../../ports/visits.ts'

const FROM_SCRIPT = 'script'

/** Whether the encoding of a single URL says that a script names it. `column` is an SQL expression. */
export function isFromScriptSql(column: string): string {
  return `${column} like '%\t${FROM_SCRIPT}'`
}

export function encodeFoundUrls(found: readonly FoundUrl[]): string {
  return found
    .map(({ key, host, url, kind, isFromScript }) => {
      return `${key}\t${host}\t${url}\t${kind}${isFromScript === true ? `\t${FROM_SCRIPT}` : ''}`
    })
    .join('\n')
}

export function decodeFoundUrls(text: string): FoundUrl[] {
  return text.split('\n').map((line) => {
    const [key = '0', host = '', url = '', text = '', source] = line.split('\t')
    const kind = (URL_KINDS as readonly string[]).includes(text) ? (text as UrlKind) : 'page'
    const found: FoundUrl = { key: BigInt(key), host, url, kind, isRefresh: false, listing: null }
    return source === FROM_SCRIPT ? { ...found, isFromScript: true } : found
  })
}
