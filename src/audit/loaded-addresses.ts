// Addresses that a page loads automatically. If an encrypted page loads them over HTTP, browsers block or upgrade the
// requests, or warn about them.

import type { ScannedTag } from '../engine/parse/scan-tags.ts'
import { normaliseUrl } from '../engine/url/normalise-url.ts'

/** Attributes with an address that a browser requests, or sends a form to. */
export const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  img: ['src', 'srcset'],
  script: ['src'],
  iframe: ['src'],
  frame: ['src'],
  embed: ['src'],
  audio: ['src'],
  video: ['src', 'poster'],
  source: ['src', 'srcset'],
  track: ['src'],
  object: ['data'],
  input: ['src'],
  form: ['action'],
}
/** Links of other kinds are not requested. */
const LOADED_RELS = new Set([
  'stylesheet',
  'icon',
  'apple-touch-icon',
  'manifest',
  'preload',
  'modulepreload',
  'prefetch',
])

export function loadedAddresses({ name, get }: ScannedTag): string[] {
  if (name === 'link') {
    const rels = (get('rel') ?? '').toLowerCase().split(/\s+/)
    return rels.some((rel) => LOADED_RELS.has(rel)) ? [get('href') ?? ''] : []
  }
  return (ADDRESSES[name] ?? []).flatMap((attribute) => {
    const value = get(attribute)
    if (value === null) return []
    return attribute === 'srcset' ? value.split(',').map((part) => part.trim().split(/\s/)[0] ?? '') : [value]
  })
}

/** URLs that are loaded over HTTP, each once, in the order of the page. */
export function insecureUrls(addresses: readonly string[], baseUrl: string): string[] {
  const found = new Set<string>()
  for (const address of addresses) {
    // An address without a scheme has the scheme of the base.
    if (!/^\s*http:/i.test(address) && !baseUrl.startsWith('http:')) continue
    const target = normaliseUrl(address, baseUrl)
    if ('url' in target && target.url.startsWith('http:') && !isLoopback(target.url)) found.add(target.url)
  }
  return [...found]
}

/** Browsers trust it without encryption. */
function isLoopback(url: string): boolean {
  return /^http:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])[:/]/.test(url)
}
