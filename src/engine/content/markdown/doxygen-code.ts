// Code as doxygen writes it: an element per line, and then descriptions that appear next to a name.

import { childElements, classesOf, type TreeElement } from '../tree-nodes.ts'
import { isLineNumber, plainText } from './write-inline.ts'

/** Null if the element is something else. */
export function doxygenCode(element: TreeElement, dropped: ReadonlySet<TreeElement>): string | null {
  if (!classesOf(element).includes('fragment')) return null
  const lines = childElements(element).filter((child) => classesOf(child).includes('line'))
  const code = lines.map((line) => codeLine(line, dropped)).join('\n')
  return code.trim() === '' ? null : code
}

/** A space separates the code from its line number. */
function codeLine(line: TreeElement, dropped: ReadonlySet<TreeElement>): string {
  const text = plainText(line, dropped)
  return childElements(line).some(isLineNumber) ? text.replace(/^[ \u00a0]/, '') : text
}
