// The fragment that leads to a heading.

import { attributeOf, childElements, type TreeElement } from '../tree-nodes.ts'

/** The id of the heading, of an anchor inside it, or of the section that it starts; null if there is none. */
export function headingAnchor(heading: TreeElement): string | null {
  const own = idOf(heading)
  if (own !== null) return own
  for (const child of childElements(heading)) {
    const id = idOf(child) ?? (child.tagName === 'a' ? attributeOf(child, 'name') : null)
    if (id !== null && id !== '') return id
  }
  const { parentNode } = heading
  if (parentNode === null || !('tagName' in parentNode) || !SECTIONS.has(parentNode.tagName)) return null
  return childElements(parentNode)[0] === heading ? idOf(parentNode) : null
}

const SECTIONS: ReadonlySet<string> = new Set(['section', 'div', 'article'])

function idOf(element: TreeElement): string | null {
  return attributeOf(element, 'id') || null
}
