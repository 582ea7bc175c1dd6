// What a page loads over HTTP. Browsers block or upgrade such requests on encrypted pages, or warn about them.

import type { TreeElement } from '../engine/select/page-tree.ts'
import { normaliseUrl } from '../engine/url/normalise-url.ts'

/** Attributes with an address that a browser requests by itself, or sends a form to. */
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
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

/** Each once, in the order of the page. */
export function insecureResources(elements: readonly TreeElement[], baseUrl: string): string[] {
  const found = new Set<string>()
  for (const element of elements) {
    for (const address of addressesOf(element)) {
      // An address without a scheme has that of the base.
      if (!/^\s*http:/i.test(address) && !baseUrl.startsWith('http:')) continue
      const target = normaliseUrl(address, baseUrl)
      if ('url' in target && target.url.startsWith('http:') && !isLoopback(target.url)) found.add(target.url)
    }
  }
  return [...found]
}

function addressesOf({ name, attributes }: TreeElement): string[] {
  if (name === 'link') {
    const rels = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/)
    return rels.some((rel) => LOADED_RELS.has(rel)) ? [attributes.get('href') ?? ''] : []
  }
  return (ADDRESSES[name] ?? []).flatMap((attribute) => {
    const value = attributes.get(attribute)
    if (value === undefined) return []
    return attribute === 'srcset' ? value.split(',').map((part) => part.trim().split(/\s/)[0] ?? '') : [value]
  })
}

/** Browsers trust it without encryption. */
function isLoopback(url: string): boolean {
  return /^http:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])[:/]/.test(url)
}
