// Finds the main content of a page: the element that contains it, and the elements inside that do not belong to it.
// The first applicable rule decides: what the page marks as its main content, its only article, or the innermost
// element that contains nearly all text outside of links. Lengths are in characters without spaces, which mean about
// the same in every language.

import { type BoilerplateKind, boilerplateKind, isInvisible } from './boilerplate-elements.ts'
import {
  attributeOf,
  childElements,
  findElement,
  isElement,
  isInside,
  type TreeElement,
  type TreeParent,
  textValue,
} from './tree-nodes.ts'

export interface MainContent {
  root: TreeElement
  /** The heading of the page, if it is outside the root. */
  title: TreeElement | null
  /** Elements inside the root that are left out, with everything in them. */
  dropped: ReadonlySet<TreeElement>
}

/** Lengths within an element, without dropped elements. */
interface Measures {
  text: number
  /** Length of the text in links. */
  linked: number
  hasTitle: boolean
  hasHeading: boolean
}

const NOTHING: Measures = { text: 0, linked: 0, hasTitle: false, hasHeading: false }

/** Marked content must have this share of the text outside of boilerplate. Some pages mark a banner. */
const MIN_MARKED_SHARE = 0.2
const MIN_ARTICLE_SHARE = 0.6
/** The content is in the child that has this share of the text, in which text of links counts less. */
const MIN_CHILD_SHARE = 0.85
const LINKED_WEIGHT = 0.25
/** Maximum of text outside the child that may be lost, unless it is in its own container. */
const MAX_LOST_LENGTH = 100
/** An element with a larger share of the page, or of its marked content, is not boilerplate, whatever its name is. */
const MAX_BOILERPLATE_SHARE = 0.5
/** An element whose name suggests boilerplate is boilerplate if it has this share of links, or is short. */
const MIN_BOILERPLATE_LINKED_SHARE = 0.3
const MAX_SHORT_LENGTH = 250
/** A short block of links before or after the content leads to other pages. */
const MAX_EDGE_LENGTH = 200
const MIN_EDGE_LINKED_SHARE = 0.7
const MIN_EDGE_LINKS = 2

/** Elements that only group others. Lists, code and paragraphs are content themselves. */
const CONTAINERS: ReadonlySet<string> = new Set([
  ...['body', 'div', 'section', 'article', 'main', 'center', 'form', 'font', 'span'],
  ...['table', 'tbody', 'tr', 'td'],
])
const HEADINGS: ReadonlySet<string> = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
/** Elements in which links around a heading are not searched. */
const ENDS_OF_HEADER: ReadonlySet<string> = new Set([...HEADINGS, 'a', 'header'])

/** Null if the page has no body. */
export function findMain(document: TreeParent): MainContent | null {
  const body = findElement(document, ({ tagName }) => tagName === 'body')
  return body === null ? null : new MainFinder(body).find()
}

class MainFinder {
  readonly #body: TreeElement
  readonly #dropped = new Set<TreeElement>()
  readonly #kinds = new Map<TreeElement, BoilerplateKind>()
  readonly #measures = new Map<TreeElement, Measures>()

  constructor(body: TreeElement) {
    this.#body = body
  }

  find(): MainContent {
    const all = this.#measure(this.#body, false)
    const marked = this.#findMarked()
    const titles = [...this.#measures.keys()].filter(({ tagName }) => tagName === 'h1')
    const hasOneTitle = titles.length === 1
    const boilerplate = [...this.#kinds].flatMap(([element, kind]) => {
      if (!this.#isBoilerplate(element, kind, { marked, pageLength: all.text })) return []
      return this.#isArticleHeader(element, hasOneTitle) ? this.#linksAroundHeading(element) : [element]
    })
    for (const element of boilerplate) this.#dropped.add(element)
    const kept = this.#measure(this.#body, false)
    if (kept.text === 0) {
      // The page has nothing else.
      for (const element of boilerplate) this.#dropped.delete(element)
      return { root: this.#body, title: null, dropped: this.#dropped }
    }
    const root = this.#chooseRoot(marked, kept)
    this.#dropEdges(root)
    const title = hasOneTitle && !this.#measuresOf(root).hasTitle ? (titles[0] ?? null) : null
    return { root, title, dropped: this.#dropped }
  }

  /** Measures an element and its descendants; also finds invisible elements, and the kind of each element. */
  #measure(element: TreeElement, isLinked: boolean): Measures {
    const measures = { ...NOTHING, hasTitle: element.tagName === 'h1', hasHeading: HEADINGS.has(element.tagName) }
    const isLink = isLinked || (element.tagName === 'a' && attributeOf(element, 'href') !== null)
    for (const child of element.childNodes) {
      if (isElement(child)) {
        if (this.#dropped.has(child)) continue
        if (isInvisible(child)) {
          this.#dropped.add(child)
          continue
        }
        const kind = boilerplateKind(child)
        if (kind !== null) this.#kinds.set(child, kind)
        const inner = this.#measure(child, isLink)
        measures.text += inner.text
        measures.linked += inner.linked
        measures.hasTitle ||= inner.hasTitle
        measures.hasHeading ||= inner.hasHeading
      } else {
        const length = visibleLength(textValue(child) ?? '')
        measures.text += length
        if (isLink) measures.linked += length
      }
    }
    this.#measures.set(element, measures)
    return measures
  }

  /** The largest element that the page marks as its main content. */
  #findMarked(): TreeElement | null {
    let best: TreeElement | null = null
    for (const [element, { text }] of this.#measures) {
      if (element.tagName !== 'main' && attributeOf(element, 'role') !== 'main') continue
      if (best === null || text > this.#measuresOf(best).text) best = element
    }
    return best
  }

  #isBoilerplate(
    element: TreeElement,
    kind: BoilerplateKind,
    { marked, pageLength }: { marked: TreeElement | null; pageLength: number },
  ): boolean {
    const { text, linked } = this.#measuresOf(element)
    if (marked !== null && isInside(marked, element)) return false
    if (text - linked > pageLength * MAX_BOILERPLATE_SHARE) return false
    if (kind === 'boilerplate') return true
    const markedLength = marked !== null && isInside(element, marked) ? this.#measuresOf(marked).text : pageLength
    if (text - linked > markedLength * MAX_BOILERPLATE_SHARE) return false
    const isShort = kind === 'named' && text <= MAX_SHORT_LENGTH
    return isShort || linked > text * MIN_BOILERPLATE_LINKED_SHARE
  }

  /** The only title of the page is kept without its header. */
  #isArticleHeader(element: TreeElement, hasOneTitle: boolean): boolean {
    const { hasHeading, hasTitle } = this.#measuresOf(element)
    if (element.tagName !== 'header' || !hasHeading || (hasTitle && hasOneTitle)) return false
    return this.#kinds.get(element) === 'doubtful' && findAround(element, 'article') !== null
  }

  /** In a list of articles, the heading of each is a link, or in one. Headers inside are boilerplate of their own. */
  #linksAroundHeading(element: TreeElement): TreeElement[] {
    return childElements(element).flatMap((child) => {
      const { text, linked, hasHeading } = this.#measuresOf(child)
      if (hasHeading) return ENDS_OF_HEADER.has(child.tagName) ? [] : this.#linksAroundHeading(child)
      return linked > text * MIN_BOILERPLATE_LINKED_SHARE ? [child] : []
    })
  }

  #chooseRoot(marked: TreeElement | null, kept: Measures): TreeElement {
    if (marked !== null && this.#measuresOf(marked).text >= kept.text * MIN_MARKED_SHARE) return marked
    const articles = [...this.#measures.keys()].filter(
      (element) => element.tagName === 'article' && findAround(element, 'article') === null && this.#isKept(element),
    )
    const [article] = articles
    if (articles.length === 1 && article !== undefined) {
      if (this.#measuresOf(article).text >= kept.text * MIN_ARTICLE_SHARE) return article
    }
    return this.#descend()
  }

  #descend(): TreeElement {
    let root = this.#body
    for (;;) {
      const weight = weightOf(this.#measuresOf(root))
      const children = childElements(root).filter((child) => !this.#dropped.has(child))
      const next = children.find((child) => weightOf(this.#measuresOf(child)) > weight * MIN_CHILD_SHARE)
      if (next === undefined || !this.#isContainer(next) || this.#losesContent(children)) return root
      root = next
    }
  }

  /** A data table is content. A table that is used for layout has headings in its cells. */
  #isContainer(element: TreeElement): boolean {
    if (element.tagName === 'table' && !this.#measuresOf(element).hasHeading) return false
    return CONTAINERS.has(element.tagName)
  }

  /** Whether there are headings or paragraphs next to the container. */
  #losesContent(children: readonly TreeElement[]): boolean {
    const loose = children.filter(({ tagName }) => !CONTAINERS.has(tagName))
    if (loose.some(({ tagName }) => HEADINGS.has(tagName) && tagName !== 'h1')) return true
    return loose.reduce((sum, child) => sum + weightOf(this.#measuresOf(child)), 0) > MAX_LOST_LENGTH
  }

  /** Drops at most one block before the content, and one after it. */
  #dropEdges(root: TreeElement): void {
    for (const order of ['first', 'last'] as const) {
      let at: TreeElement | undefined = root
      while (at !== undefined) {
        const child: TreeElement | undefined = this.#edgeChild(at, order)
        if (child !== undefined && this.#isEdge(child)) {
          this.#dropped.add(child)
          break
        }
        at = child !== undefined && CONTAINERS.has(child.tagName) ? child : undefined
      }
    }
  }

  /** Undefined if there is text, or nothing. */
  #edgeChild({ childNodes }: TreeElement, order: 'first' | 'last'): TreeElement | undefined {
    for (const child of order === 'first' ? childNodes : childNodes.toReversed()) {
      if (isElement(child)) {
        if (!this.#dropped.has(child) && this.#measuresOf(child).text > 0) return child
      } else if (visibleLength(textValue(child) ?? '') > 0) return undefined
    }
    return undefined
  }

  #isEdge(element: TreeElement): boolean {
    const { text, linked, hasHeading } = this.#measuresOf(element)
    if (hasHeading || text > MAX_EDGE_LENGTH || linked <= text * MIN_EDGE_LINKED_SHARE) return false
    return countLinks(element) >= MIN_EDGE_LINKS
  }

  #isKept(element: TreeElement): boolean {
    let node: TreeElement | null = element
    while (node !== null && node !== this.#body) {
      if (this.#dropped.has(node)) return false
      node = parentOf(node)
    }
    return true
  }

  #measuresOf(element: TreeElement): Measures {
    return this.#measures.get(element) ?? NOTHING
  }
}

function parentOf({ parentNode }: TreeElement): TreeElement | null {
  return parentNode !== null && 'tagName' in parentNode ? parentNode : null
}

function findAround(element: TreeElement, tagName: string): TreeElement | null {
  let node = parentOf(element)
  while (node !== null && node.tagName !== tagName) node = parentOf(node)
  return node
}

function weightOf({ text, linked }: Measures): number {
  return text - linked * (1 - LINKED_WEIGHT)
}

function visibleLength(text: string): number {
  let length = 0
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 32) length += 1
  return length
}

function countLinks(element: TreeElement): number {
  const inside = childElements(element).reduce((sum, child) => sum + countLinks(child), 0)
  return inside + (element.tagName === 'a' ? 1 : 0)
}
