import { type DefaultTreeAdapterMap, parse } from 'parse5'
import { parseMetaRefresh } from '../meta-refresh.ts'

// Facts that a full tree builder finds on a page, for tests to compare with: parse5 is checked against html5lib-tests.

type Node = DefaultTreeAdapterMap['node']
type Element = DefaultTreeAdapterMap['element']

export interface OracleFacts {
  /** `kind href` of every link, sorted. */
  links: string[]
  baseHref: string | null
  title: string
  lang: string
  /** Whether an element with an SVG or MathML name is in HTML, which the reader does not track. */
  mixesNames: boolean
}

const HTML = 'http://www.w3.org/1999/xhtml'
const SVG = 'http://www.w3.org/2000/svg'
const FOREIGN_NAMES = new Set(['g', 'path', 'desc', 'mi', 'mo', 'mglyph', 'annotation-xml', 'foreignobject', 'text'])
const FOLLOWED_RELS = ['canonical', 'next', 'prev', 'alternate']

export function readWithTree(html: string): OracleFacts {
  const facts: OracleFacts = { links: [], baseHref: null, title: '', lang: '', mixesNames: false }
  const state = { hasTitle: false }
  // The tree builder repeats misnested anchors as copies that share their attribute list: one tag, one link.
  const seen = new Set<Element['attrs']>()
  for (const element of elementsOf(parse(html, { scriptingEnabled: false }))) {
    if (seen.has(element.attrs)) continue
    seen.add(element.attrs)
    const link = linkOf(element)
    if (link !== null) facts.links.push(link)
    if (element.namespaceURI !== HTML) continue
    if (FOREIGN_NAMES.has(element.tagName)) facts.mixesNames = true
    if (element.tagName === 'base') facts.baseHref ??= trimmed(element, 'href')
    if (element.tagName === 'html') facts.lang = trimmed(element, 'lang') ?? ''
    if (element.tagName === 'title' && !state.hasTitle) {
      state.hasTitle = true
      facts.title = collapse(element.childNodes.map((node) => ('value' in node ? node.value : '')).join(''))
    }
  }
  facts.links.sort()
  return facts
}

/** Elements in tree order; the content of a template is not part of the tree, unless it is a shadow root. */
function* elementsOf(root: Node): Generator<Element> {
  const stack: Node[] = [root]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if ('tagName' in node) yield node
    if ('childNodes' in node) stack.push(...node.childNodes.toReversed())
    if ('content' in node && /^(open|closed)$/i.test(attributeOf(node, 'shadowrootmode') ?? ''))
      stack.push(node.content)
  }
}

function linkOf(element: Element): string | null {
  if (element.namespaceURI === SVG && element.tagName === 'a') {
    return entry('a', trimmed(element, 'href') ?? trimmed(element, 'xlink:href'))
  }
  if (element.namespaceURI !== HTML) return null
  switch (element.tagName) {
    case 'a':
    case 'area':
      return entry(element.tagName, trimmed(element, 'href'))
    case 'iframe':
    case 'frame':
      return entry(element.tagName, trimmed(element, 'src') || null)
    case 'link':
      return isFollowed(element) ? entry('link', trimmed(element, 'href') || null) : null
    case 'meta':
      return attributeOf(element, 'http-equiv')?.toLowerCase() === 'refresh'
        ? entry('refresh', parseMetaRefresh(attributeOf(element, 'content') ?? ''))
        : null
    default:
      return null
  }
}

function isFollowed(link: Element): boolean {
  const tokens = (attributeOf(link, 'rel') ?? '').toLowerCase().split(/[\t\n\f\r ]+/)
  return FOLLOWED_RELS.some((rel) => tokens.includes(rel)) && !tokens.includes('stylesheet')
}

function entry(kind: string, href: string | null): string | null {
  return href === null ? null : `${kind} ${href}`
}

function trimmed(element: Element, name: string): string | null {
  return attributeOf(element, name)?.replace(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, '') ?? null
}

function attributeOf(element: Element, name: string): string | null {
  const attribute = element.attrs.find((each) => (each.prefix ? `${each.prefix}:${each.name}` : each.name) === name)
  return attribute?.value ?? null
}

function collapse(text: string): string {
  return text.replace(/[\t\n\f\r ]+/g, ' ').replace(/^ | $/g, '')
}
