// Renders a tree as a query that parses back to the same tree.

import type { SyntaxNode } from './query-parser.ts'

export function renderQuery(node: SyntaxNode): string {
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
      return `NOT ${renderGrouped(node.part)}`
    case 'and':
      return node.parts.map((part) => (part.kind === 'or' ? `(${renderQuery(part)})` : renderQuery(part))).join(' AND ')
    case 'or':
      return node.parts.map(renderQuery).join(' OR ')
  }
}

function renderGrouped(node: SyntaxNode): string {
  return node.kind === 'and' || node.kind === 'or' ? `(${renderQuery(node)})` : renderQuery(node)
}

function fieldOf({ field }: { field: string | null }): string {
  return field === null ? '' : `${field === 'headings' ? 'heading' : field}:`
}
