// The links of a page as parse5 and `new URL` see them: a second opinion on the markup that render.ts writes.

import { type DefaultTreeAdapterTypes, parse } from 'parse5'

type Element = DefaultTreeAdapterTypes.Element

/** Every link a browser would know of, resolved, without fragments; addresses that are no urls are left out. */
export function readLinks(html: string, pageUrl: string): string[] {
  const elements = [...walk(parse(html))]
  const base = elements.find((element) => element.tagName === 'base')
  const baseUrl = new URL(base === undefined ? '' : attribute(base, 'href'), pageUrl).href
  const urls: string[] = []
  for (const element of elements) {
    const href = addressOf(element)
    const url = href === null ? null : URL.parse(href, baseUrl)
    if (url === null || !url.protocol.startsWith('http')) continue
    url.hash = ''
    urls.push(url.href)
  }
  return urls
}

function addressOf(element: Element): string | null {
  switch (element.tagName) {
    case 'a':
    case 'area':
      return attribute(element, 'href')
    case 'link':
      return ['canonical', 'next'].includes(attribute(element, 'rel')) ? attribute(element, 'href') : null
    case 'iframe':
      return attribute(element, 'src')
    case 'meta':
      return /^\d+; url=(.*)$/.exec(attribute(element, 'content'))?.[1] ?? null
    default:
      return null
  }
}

function attribute(element: Element, name: string): string {
  return element.attrs.find((attr) => attr.name === name)?.value ?? ''
}

/** Template contents hang beside the tree, so the walk passes them by, as a browser does. */
function* walk(node: DefaultTreeAdapterTypes.Node): Generator<Element> {
  if ('tagName' in node) yield node
  if ('childNodes' in node) for (const child of node.childNodes) yield* walk(child)
}
