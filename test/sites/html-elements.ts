// The elements of a page as parse5 sees them, for readers that must not share code with the engine.

import { type DefaultTreeAdapterTypes, parse } from 'parse5'

export type Element = DefaultTreeAdapterTypes.Element

/** All elements in document order, as in a browser without scripts. Contents of templates are not part of the page. */
export function parseElements(html: string): Element[] {
  return [...walk(parse(html, { scriptingEnabled: false }))]
}

export function readAttribute(element: Element, name: string): string | null {
  return element.attrs.find((attribute) => attribute.name === name)?.value ?? null
}

function* walk(node: DefaultTreeAdapterTypes.Node): Generator<Element> {
  if ('tagName' in node) yield node
  if ('childNodes' in node) for (const child of node.childNodes) yield* walk(child)
}
