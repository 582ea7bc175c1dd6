// Builds the element tree of a page as a browser does, for CSS selectors. The tree is flat: elements in document order,
// with the numbers of their parents. parse5 takes quadratic time for some pages (deep nesting, many attributes in one
// tag, misplaced content in tables), so such pages are given up. Read pages of other kinds with html-reader.ts, which
// takes linear time for every page.

import { type DefaultTreeAdapterMap, defaultTreeAdapter, Parser, type TreeAdapter } from 'parse5'
import { CountingTokenizer, MAX_ATTRIBUTES, TOKENIZER_CHUNK } from '../parse/counting-tokenizer.ts'

type Node = DefaultTreeAdapterMap['node']
type Element = DefaultTreeAdapterMap['element']

/** Browsers stop at 512 too. */
const MAX_DEPTH = 512
const MAX_NODES = 200_000
/** Characters. Larger pages take more than half a second. */
export const MAX_TREE_LENGTH = 4 << 20
/** Siblings to search for the place of a misplaced node, over the whole page. */
const MAX_SEARCHED = 20_000_000

export interface TreeElement {
  /** In lower case. */
  name: string
  attributes: ReadonlyMap<string, string>
  /** Number of the parent element; -1 for the root. */
  parent: number
  /** Number of the sibling element before this one; -1 if there is none. */
  previous: number
  /** Has neither elements nor text. */
  isEmpty: boolean
  /** Where it is in the page. An element without tags of its own spans its content. */
  start: number
  end: number
}

export interface PageTree {
  html: string
  elements: readonly TreeElement[]
}

class GivenUp extends Error {}

/** Null if the page is too large or too deeply nested. */
export function readTree(html: string): PageTree | null {
  if (html.length > MAX_TREE_LENGTH) return null
  try {
    return { html, elements: flatten(parseBounded(html), html.length) }
  } catch (error) {
    if (error instanceof GivenUp) return null
    throw error
  }
}

function parseBounded(html: string): Node {
  const parser = new Parser({
    sourceCodeLocationInfo: true,
    scriptingEnabled: false,
    treeAdapter: boundedTreeAdapter(),
  })
  const tokenizer = new CountingTokenizer(parser.options, parser)
  parser.tokenizer = tokenizer
  for (let start = 0; start < html.length; start += TOKENIZER_CHUNK) {
    tokenizer.write(html.slice(start, start + TOKENIZER_CHUNK), false)
    if (tokenizer.attributeCount > MAX_ATTRIBUTES) throw new GivenUp()
  }
  tokenizer.write('', true)
  return parser.document
}

function boundedTreeAdapter(): TreeAdapter<DefaultTreeAdapterMap> {
  const base = defaultTreeAdapter
  let nodes = 0
  let depth = 0
  let searched = 0
  const count = (isTooMany: boolean) => {
    if (isTooMany) throw new GivenUp()
  }
  const search = (parent: DefaultTreeAdapterMap['parentNode'] | null) => {
    searched += parent?.childNodes.length ?? 0
    count(searched > MAX_SEARCHED)
  }
  return {
    ...base,
    createElement(name, namespace, attributes) {
      nodes += 1
      count(nodes > MAX_NODES || attributes.length > MAX_ATTRIBUTES)
      return base.createElement(name, namespace, attributes)
    },
    createCommentNode(data) {
      nodes += 1
      count(nodes > MAX_NODES)
      return base.createCommentNode(data)
    },
    insertBefore(parent, node, reference) {
      search(parent)
      base.insertBefore(parent, node, reference)
    },
    insertTextBefore(parent, text, reference) {
      search(parent)
      base.insertTextBefore(parent, text, reference)
    },
    detachNode(node) {
      search(node.parentNode)
      base.detachNode(node)
    },
    onItemPush() {
      depth += 1
      count(depth > MAX_DEPTH)
    },
    onItemPop() {
      depth -= 1
    },
  }
}

interface OpenNode {
  element: TreeElement | null
  number: number
  children: readonly Node[]
  next: number
  /** The last child element so far. */
  last: number
  /** Whether the start or end is that of its content. */
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
