// Selects parts of a page with CSS selectors: values to watch, and parts to leave out.

import type { Selector } from '../../config/values/parse-selector.ts'
import { readHtml } from '../parse/html-reader.ts'
import { matchSelector } from './match-selector.ts'
import { type PageTree, readTree, type TreeElement } from './page-tree.ts'

/** Elements without text, and the attribute that has their value. */
const VALUE_ATTRIBUTES: Readonly<Record<string, string>> = { meta: 'content', input: 'value', data: 'value' }

/** Characters of source. Longer elements are cut. */
const MAX_VALUE_LENGTH = 100_000

/** The value of each element that matches, in document order: its visible text, or the value of a meta or input. */
export function selectValues(tree: PageTree, selector: Selector, limit: number): string[] {
  return matchSelector(tree, selector)
    .slice(0, limit)
    .map((element) => readElementText(tree, element))
}

/** The page without the elements that match; null if it is too large or too deeply nested for selectors. */
export function removeSelected(html: string, selectors: readonly Selector[]): string | null {
  const tree = readTree(html)
  if (tree === null) return null
  const removed = selectors.flatMap((selector) => matchSelector(tree, selector))
  let rest = ''
  let end = 0
  for (const element of removed.sort((a, b) => a.start - b.start)) {
    if (element.start > end) rest += html.slice(end, element.start)
    end = Math.max(end, element.end)
  }
  return rest + html.slice(end)
}

/** The visible text of an element, or the value of a meta or input. */
export function readElementText({ html }: PageTree, { name, attributes, start, end }: TreeElement): string {
  const attribute = VALUE_ATTRIBUTES[name]
  const value = attribute === undefined ? undefined : attributes.get(attribute)
  return value?.trim() ?? readHtml(html.slice(start, Math.min(end, start + MAX_VALUE_LENGTH)), true, null, 0).text
}
