// A tree as a query that reads back to the same tree.

import type { RawNode } from './parse.ts'

export function render(node: RawNode): string {
  switch (node.kind) {
    case 'word':
      return `${fieldOf(node)}${node.text}${node.isPrefix ? '*' : ''}`
    case 'phrase':
      return `${fieldOf(node)}"${node.text}"`
    case 'near':
      return node.texts.join(` NEAR/${node.distance} `)
    case 'condition':
      return `${node.name}:${/\s/.test(node.value) ? `"${node.value}"` : node.value}`
    case 'not':
      return `NOT ${grouped(node.part)}`
    case 'and':
      return node.parts.map((part) => (part.kind === 'or' ? `(${render(part)})` : render(part))).join(' AND ')
    case 'or':
      return node.parts.map(render).join(' OR ')
  }
}

function grouped(node: RawNode): string {
  return node.kind === 'and' || node.kind === 'or' ? `(${render(node)})` : render(node)
}

function fieldOf({ field }: { field: string | null }): string {
  return field === null ? '' : `${field === 'headings' ? 'heading' : field}:`
}
