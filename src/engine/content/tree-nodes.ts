// Short forms for reading a parse5 tree.

import type { DefaultTreeAdapterMap } from 'parse5'

export type TreeNode = DefaultTreeAdapterMap['childNode']
export type TreeElement = DefaultTreeAdapterMap['element']
export type TreeParent = DefaultTreeAdapterMap['parentNode']

export function isElement(node: TreeNode): node is TreeElement {
  return 'tagName' in node
}

/** Null if it is not a text node. */
export function textValue(node: TreeNode): string | null {
  return node.nodeName === '#text' && 'value' in node ? node.value : null
}

export function childElements({ childNodes }: TreeParent): TreeElement[] {
  return childNodes.filter(isElement)
}

export function attributeOf({ attrs }: TreeElement, name: string): string | null {
  return attrs.find((attribute) => attribute.name === name)?.value ?? null
}

/** Words of its class attribute, as written. */
export function classesOf(element: TreeElement): string[] {
  return (attributeOf(element, 'class') ?? '').split(/\s+/).filter(Boolean)
}

/** The first element in document order that fulfils the condition, the element itself included. */
export function findElement(root: TreeParent, isWanted: (element: TreeElement) => boolean): TreeElement | null {
  for (const child of childElements(root)) {
    const found = isWanted(child) ? child : findElement(child, isWanted)
    if (found !== null) return found
  }
  return null
}

export function isInside(element: TreeElement, ancestor: TreeParent): boolean {
  let node: TreeParent | null = element
  while (node !== null) {
    if (node === ancestor) return true
    node = 'parentNode' in node ? node.parentNode : null
  }
  return false
}
