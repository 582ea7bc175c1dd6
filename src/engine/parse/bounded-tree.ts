// Builds the tree of a page as a browser does. parse5 takes quadratic time for some pages (deep nesting, many
// attributes in one tag, misplaced content in tables), so such pages are given up. Where a tree is not required, use
// html-reader.ts, which takes linear time for every page.

import { type DefaultTreeAdapterMap, defaultTreeAdapter, Parser, type TreeAdapter } from 'parse5'
import { CountingTokenizer, MAX_ATTRIBUTES, TOKENIZER_CHUNK } from './counting-tokenizer.ts'

export type TreeDocument = DefaultTreeAdapterMap['document']

/** Browsers stop at 512 too. */
const MAX_DEPTH = 512
const MAX_NODES = 200_000
/** Characters. Larger pages take more than half a second. */
const MAX_TREE_LENGTH = 4 << 20
/** Siblings to search for the place of a misplaced node, over the whole page. */
const MAX_SEARCHED = 20_000_000

class GivenUp extends Error {}

/** Null if the page is too large or too deeply nested. `withPlaces`: nodes have their positions in the page. */
export function parseTree(html: string, options: TreeOptions): TreeDocument | null {
  const steps = parseTreeInSteps(html, options)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

export interface TreeOptions {
  withPlaces: boolean
}

/** Pauses after each chunk of a long page: a few ms. */
export function* parseTreeInSteps(
  html: string,
  { withPlaces }: TreeOptions,
): Generator<null, TreeDocument | null, void> {
  if (html.length > MAX_TREE_LENGTH) return null
  try {
    return yield* parseBounded(html, withPlaces)
  } catch (error) {
    if (error instanceof GivenUp) return null
    throw error
  }
}

function* parseBounded(html: string, withPlaces: boolean): Generator<null, TreeDocument, void> {
  const parser = new Parser({
    sourceCodeLocationInfo: withPlaces,
    scriptingEnabled: false,
    treeAdapter: boundedTreeAdapter(),
  })
  const tokenizer = new CountingTokenizer(parser.options, parser)
  parser.tokenizer = tokenizer
  for (let start = 0; start < html.length; start += TOKENIZER_CHUNK) {
    tokenizer.write(html.slice(start, start + TOKENIZER_CHUNK), false)
    if (tokenizer.attributeCount > MAX_ATTRIBUTES) throw new GivenUp()
    if (start + TOKENIZER_CHUNK < html.length) yield null
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
