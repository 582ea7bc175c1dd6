// How documentation generators mark the main content of a page. The mark defines which words belong to it, independent
// of any extractor; it is removed before extraction, so that no extractor can use it.

import { type DefaultTreeAdapterMap, html, parse, serialize } from 'parse5'
import { textOf } from './html-text.ts'

type Element = DefaultTreeAdapterMap['element']
type Parent = DefaultTreeAdapterMap['parentNode']

interface Marker {
  name: string
  /** Text in the source of every page of the generator. */
  signature?: string
  isMarked(element: Element): boolean
}

/** The first that marks exactly one element of a page is used. */
const MARKERS: readonly Marker[] = [
  { name: 'role=main', isMarked: (element) => attribute(element, 'role') === 'main' },
  { name: 'main', isMarked: ({ tagName }) => tagName === 'main' },
  { name: 'gi-docgen', isMarked: (element) => element.tagName === 'section' && attribute(element, 'id') === 'main' },
  { name: 'doxygen', signature: 'Doxygen', isMarked: (element) => hasClass(element, 'contents') },
  ...['apicontent', 'page-content', 'content'].map((id) => ({
    name: `#${id}`,
    isMarked: (element: Element) => element.tagName === 'div' && attribute(element, 'id') === id,
  })),
  { name: 'docbook', isMarked: isDocbookRoot },
]

const DOCBOOK_ROOTS = ['chapter', 'sect1', 'section', 'refentry', 'article', 'preface', 'appendix', 'part', 'book']

function isDocbookRoot(element: Element): boolean {
  const { parentNode } = element
  const isTop = parentNode !== null && 'tagName' in parentNode && parentNode.tagName === 'body'
  return isTop && DOCBOOK_ROOTS.some((name) => hasClass(element, name))
}

export interface JudgedPage {
  url: string
  marker: string
  /** The page without the mark. */
  html: string
  /** The text of the marked element. */
  reference: string
}

/** Null unless exactly one element is marked. */
export function judgePage(source: string, url: string): JudgedPage | null {
  const document = parse(source)
  const elements = [...descendants(document)]
  for (const { name, signature = '', isMarked } of MARKERS) {
    if (!source.includes(signature)) continue
    const [marked, ...others] = elements.filter(isMarked)
    if (marked === undefined || others.length > 0) continue
    const reference = textOf(marked)
    removeMark(marked)
    return { url, marker: name, html: serialize(document), reference }
  }
  return null
}

/** The element becomes a plain div. */
function removeMark(element: Element): void {
  element.tagName = 'div'
  element.nodeName = 'div'
  element.namespaceURI = html.NS.HTML
  element.attrs = []
}

function* descendants(parent: Parent): Generator<Element> {
  for (const child of parent.childNodes) {
    if (!('tagName' in child)) continue
    yield child
    yield* descendants(child)
  }
}

function attribute({ attrs }: Element, name: string): string | null {
  return attrs.find((attr) => attr.name === name)?.value ?? null
}

function hasClass(element: Element, name: string): boolean {
  return (attribute(element, 'class') ?? '').split(/\s+/).includes(name)
}
