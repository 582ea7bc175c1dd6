// Code as doxygen writes it: an element per line, and then descriptions that appear next to a name.

import { childElements, classesOf, isElement, type TreeElement, textValue } from '../tree-nodes.ts'
import { isLineNumber, plainText } from './write-inline.ts'

/** Null if the element is something else. */
export function doxygenCode(element: TreeElement, dropped: ReadonlySet<TreeElement>): string | null {
  if (!classesOf(element).includes(FRAGMENT)) return null
  const lines: TreeElement[] = []
  if (!addLines(element, lines)) return null
  const code = lines.map((line) => codeLine(line, dropped)).join('\n')
  return code.trim() === '' ? null : code
}

const FRAGMENT = 'fragment'
const DESCRIPTION = 'ttc'
/** Lines that can be folded. */
const FOLD = 'foldopen'

/** False if there is anything but lines and descriptions. */
function addLines({ childNodes }: TreeElement, lines: TreeElement[]): boolean {
  return childNodes.every((child) => {
    if (!isElement(child)) return (textValue(child) ?? '').trim() === ''
    const classes = classesOf(child)
    if (classes.includes(DESCRIPTION)) return true
    if (child.tagName !== 'div') return false
    if (classes.includes(FOLD)) return !classes.includes(FRAGMENT) && addLines(child, lines)
    return classes.includes('line') && lines.push(child) > 0
  })
}

/** A space separates the code from its line number. */
function codeLine(line: TreeElement, dropped: ReadonlySet<TreeElement>): string {
  const text = plainText(line, dropped)
  return childElements(line).some(isLineNumber) ? text.replace(/^[ \u00a0]/, '') : text
}
