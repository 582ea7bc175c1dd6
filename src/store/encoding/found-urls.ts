// Discovered URLs that are not in the ledger, as the text of one row: one line per URL.

import { type FoundUrl, URL_KINDS, type UrlKind } from '../../ports/frontier.ts'

export function encodeFoundUrls(found: readonly FoundUrl[]): string {
  return found.map(({ key, host, url, kind }) => `${key}\t${host}\t${url}\t${kind}`).join('\n')
}

export function decodeFoundUrls(text: string): FoundUrl[] {
  return text.split('\n').map((line) => {
    const [key = '0', host = '', url = '', kind = ''] = line.split('\t')
    const isKind = (URL_KINDS as readonly string[]).includes(kind)
    return { key: BigInt(key), host, url, kind: isKind ? (kind as UrlKind) : 'page', isRefresh: false, listing: null }
  })
}
