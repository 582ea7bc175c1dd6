// Values of elements as microdata and RDFa define them.

import { attributeOf, isElement, type TreeElement, type TreeParent, textValue } from '../../content/tree-nodes.ts'
import type { Budget } from './budget.ts'

/** Elements whose text is code. */
const CODE_TAGS: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript'])
const MAX_TEXT = 20_000

/** The text of an element with runs of white space as one space. */
export function textOf(element: TreeParent, budget: Budget): string {
  const parts: string[] = []
  let length = 0
  const read = ({ childNodes }: TreeParent) => {
    for (const child of childNodes) {
      if (!budget.step() || length > MAX_TEXT) return
      const text = textValue(child)
      if (text !== null) {
        parts.push(text)
        length += text.length
      } else if (isElement(child)) {
        if (child.tagName === 'br') parts.push(' ')
        if (!CODE_TAGS.has(child.tagName)) read(child)
      }
    }
  }
  read(element)
  return parts.join('').replace(/\s+/g, ' ').trim()
}

/** Attributes with the URL that an element refers to (HTML, 5.2.4: values). */
const URL_ATTRIBUTES: Readonly<Record<string, string>> = {
  a: 'href',
  area: 'href',
  link: 'href',
  audio: 'src',
  embed: 'src',
  iframe: 'src',
  img: 'src',
  source: 'src',
  track: 'src',
  video: 'src',
  object: 'data',
}

/** The absolute URL that the element refers to; null if there is none. */
function urlOf(element: TreeElement, baseUrl: string): string | null {
  const attribute = URL_ATTRIBUTES[element.tagName]
  const href = attribute === undefined ? null : attributeOf(element, attribute)
  return href === null ? null : resolve(href, baseUrl)
}

/** The text as written if it is not a URL. */
export function resolve(href: string, baseUrl: string): string {
  return URL.parse(href.trim(), baseUrl)?.href ?? href.trim()
}

const VALUE_ATTRIBUTES: Readonly<Record<string, string>> = {
  meta: 'content',
  data: 'value',
  meter: 'value',
  time: 'datetime',
}

/** The value of a property that is not an item: a URL, a machine-readable value, or text. */
export function propertyValue(element: TreeElement, baseUrl: string, budget: Budget): string {
  const attribute = VALUE_ATTRIBUTES[element.tagName]
  const value = attribute === undefined ? null : attributeOf(element, attribute)
  return value?.trim() ?? urlOf(element, baseUrl) ?? textOf(element, budget)
}

export function wordsOf(element: TreeElement, attribute: string): string[] {
  return (attributeOf(element, attribute) ?? '').split(/\s+/).filter(Boolean)
}

/** Visits every element in document order; if `visit` returns false, its descendants are skipped. */
export function walk(root: TreeParent, budget: Budget, visit: (element: TreeElement) => boolean): void {
  for (const child of root.childNodes) {
    if (!isElement(child)) continue
    if (!budget.step()) return
    if (visit(child)) walk(child, budget, visit)
  }
}

const MAX_NAMES = 1000
const nameCounts = new WeakMap<object, number>()

/** Adds to a list of a record without a prototype, in which a page chooses the names. */
export function addTo<T>(lists: Record<string, T[]>, name: string, value: T): void {
  const list = lists[name]
  const names = nameCounts.get(lists) ?? 0
  if (list !== undefined) list.push(value)
  else if (names < MAX_NAMES) {
    lists[name] = [value]
    nameCounts.set(lists, names + 1)
  }
}

export function emptyLists<T>(): Record<string, T[]> {
  return Object.create(null) as Record<string, T[]>
}
