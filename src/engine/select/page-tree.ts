// The element tree of a page for CSS selectors. It is flat: elements in document order, with the numbers of their parents.

import type { DefaultTreeAdapterMap } from 'parse5'
import { parseTree, type TreeDocument } from '../parse/bounded-tree.ts'

type Node = DefaultTreeAdapterMap['node']
type Element = DefaultTreeAdapterMap['element']

export interface TreeElement {
  /** Tag name in lower case. */
  name: string
  attributes: ReadonlyMap<string, string>
  /** Number of the parent element; -1 for the root. */
  parent: number
  /** Number of the previous sibling element; -1 if there is none. */
  previous: number
  /** Has neither elements nor text. */
  isEmpty: boolean
  /** Position in the page. An element without tags spans its content. */
  start: number
  end: number
}

export interface PageTree {
  html: string
  elements: readonly TreeElement[]
}

/** Null if the page is too large or too deeply nested. */
export function readTree(html: string): PageTree | null {
  const document = parseTree(html, { withPlaces: true })
  return document === null ? null : toPageTree(document, html)
}

/** `document` must have been parsed with places. */
export function toPageTree(document: TreeDocument, html: string): PageTree {
  return { html, elements: flatten(document, html.length) }
}

interface OpenNode {
  element: TreeElement | null
  number: number
  children: readonly Node[]
  next: number
  /** The last child element so far. */
  last: number
  /** Whether the start has to be taken from its content. */
  needsStart: boolean
  needsEnd: boolean
}

/** Elements in document order. Template contents are not part of the page. */
function flatten(document: Node, length: number): TreeElement[] {
  const elements: TreeElement[] = []
  const stack: OpenNode[] = [
    {
      element: null,
      number: -1,
      children: childrenOf(document),
      next: 0,
      last: -1,
      needsStart: false,
      needsEnd: false,
    },
  ]
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const child = top.children[top.next++]
    if (child === undefined) {
      stack.pop()
      closeElement(top, stack.at(-1))
    } else if ('tagName' in child) {
      const element = toTreeElement(child, { parent: top.number, previous: top.last })
      top.last = elements.length
      elements.push(element)
      const { needsStart, needsEnd } = missingEnds(child)
      stack.push({
        element,
        number: top.last,
        children: childrenOf(child),
        next: 0,
        last: -1,
        needsStart,
        needsEnd,
      })
    } else if (child.nodeName === '#text') {
      widen(top, child.sourceCodeLocation?.startOffset ?? length, child.sourceCodeLocation?.endOffset ?? 0)
    }
  }
  return elements
}

function closeElement({ element }: OpenNode, around: OpenNode | undefined): void {
  if (element === null) return
  if (element.start > element.end) element.start = element.end
  if (around !== undefined) widen(around, element.start, element.end)
}

function widen({ element, needsStart, needsEnd }: OpenNode, start: number, end: number): void {
  if (element === null || start >= end) return
  if (needsStart) element.start = Math.min(element.start, start)
  if (needsEnd) element.end = Math.max(element.end, end)
}

function missingEnds({ sourceCodeLocation: at }: Element): Pick<OpenNode, 'needsStart' | 'needsEnd'> {
  return { needsStart: at == null, needsEnd: at?.endTag === undefined }
}

function toTreeElement(element: Element, place: Pick<TreeElement, 'parent' | 'previous'>): TreeElement {
  const at = element.sourceCodeLocation
  const start = at?.startOffset ?? Number.MAX_SAFE_INTEGER
  return {
    name: element.tagName.toLowerCase(),
    attributes: new Map(element.attrs.map(({ name, value }) => [name.toLowerCase(), value])),
    ...place,
    isEmpty: !element.childNodes.some(({ nodeName }) => nodeName !== '#comment'),
    start,
    end: at?.endOffset ?? at?.startTag?.endOffset ?? 0,
  }
}

function childrenOf(node: Node): readonly Node[] {
  return 'childNodes' in node ? node.childNodes : []
}
