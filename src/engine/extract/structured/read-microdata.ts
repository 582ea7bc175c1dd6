// Microdata: https://html.spec.whatwg.org/multipage/microdata.html#json

import type { StructuredItem } from '../../../ports/pages.ts'
import { attributeOf, type TreeElement, type TreeParent } from '../../content/tree-nodes.ts'
import type { Budget } from './budget.ts'
import { addTo, emptyLists, propertyValue, resolve, walk, wordsOf } from './element-values.ts'

const MAX_ITEMS = 500
/** Items inside items. */
const MAX_DEPTH = 16

export interface ReadContext {
  baseUrl: string
  budget: Budget
}

export function readMicrodata(document: TreeParent, context: ReadContext): StructuredItem[] {
  const roots: TreeElement[] = []
  const byId = new Map<string, TreeElement>()
  walk(document, context.budget, (element) => {
    const id = attributeOf(element, 'id')
    if (id !== null && !byId.has(id)) byId.set(id, element)
    if (hasAttribute(element, 'itemscope') && !hasAttribute(element, 'itemprop')) roots.push(element)
    return true
  })
  return roots.slice(0, MAX_ITEMS).map((root) => readItem(root, [], { ...context, byId }))
}

function readItem(
  root: TreeElement,
  /** The enclosing items: an item that refers to one of them is left out. */
  around: readonly TreeElement[],
  context: ReadContext & { byId: ReadonlyMap<string, TreeElement> },
): StructuredItem {
  const { baseUrl, budget, byId } = context
  const properties: StructuredItem['properties'] = emptyLists()
  const inside = [...around, root]
  const seen = new Set<TreeElement>([root])
  const visit = (element: TreeElement): boolean => {
    if (seen.has(element)) return false
    seen.add(element)
    const isItem = hasAttribute(element, 'itemscope')
    const names = wordsOf(element, 'itemprop')
    if (names.length > 0) {
      const isTooDeep = isItem && (inside.includes(element) || inside.length > MAX_DEPTH)
      const value = isTooDeep
        ? null
        : isItem
          ? readItem(element, inside, context)
          : propertyValue(element, baseUrl, budget)
      for (const name of names) add(name, value)
    }
    return !isItem
  }
  const add = (name: string, value: StructuredItem | string | null) => {
    const kept = typeof value === 'string' ? budget.value(value) : value
    if (kept !== null && budget.take(name.length)) addTo(properties, name, kept)
  }
  walk(root, budget, visit)
  for (const id of wordsOf(root, 'itemref')) {
    const referred = byId.get(id)
    if (referred !== undefined && visit(referred)) walk(referred, budget, visit)
  }
  const id = attributeOf(root, 'itemid')
  const types = wordsOf(root, 'itemtype').filter((type) => budget.take(type.length))
  const keptId = id === null ? null : budget.value(resolve(id, baseUrl))
  return { type: types, ...(keptId === null ? {} : { id: keptId }), properties }
}

function hasAttribute(element: TreeElement, name: string): boolean {
  return attributeOf(element, name) !== null
}
