// Reads the links of a page with parse5 and `new URL`, to check the markup of generated sites independently.

import { type Element, parseElements, readAttribute } from '../html-elements.ts'

/** All links that a browser would find, resolved and without fragments. Invalid URLs are skipped. */
export function readLinks(html: string, pageUrl: string): string[] {
  const elements = parseElements(html)
  const base = elements.find((element) => element.tagName === 'base')
  const baseUrl = new URL(base === undefined ? '' : (readAttribute(base, 'href') ?? ''), pageUrl).href
  const urls: string[] = []
  for (const element of elements) {
    const href = readHref(element)
    const url = href === null ? null : URL.parse(href, baseUrl)
    if (url === null || !url.protocol.startsWith('http')) continue
    url.hash = ''
    urls.push(url.href)
  }
  return urls
}

function readHref(element: Element): string | null {
  switch (element.tagName) {
    case 'a':
    case 'area':
      return readAttribute(element, 'href') ?? ''
    case 'link':
      return ['canonical', 'next'].includes(readAttribute(element, 'rel') ?? '') ? readAttribute(element, 'href') : null
    case 'iframe':
      return readAttribute(element, 'src') ?? ''
    case 'meta':
      return /^\d+; url=(.*)$/.exec(readAttribute(element, 'content') ?? '')?.[1] ?? null
    default:
      return null
  }
}
