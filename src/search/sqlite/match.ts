// A query as FTS5 reads it. Terms are checked and quoted, so that nothing of a query is taken for syntax.

import { type Field, type QueryNode, TERM } from '../../ports/search.ts'

/** Null when nothing can fit it. */
export function toMatch(node: QueryNode): string | null {
  switch (node.kind) {
    case 'term':
      return inField(anyOf(node.terms, node.isPrefix ? ' *' : ''), node.field)
    case 'phrase':
      return inField(quoteAll(node.terms)?.join(' + ') ?? null, node.field)
    case 'near': {
      const terms = quoteAll(node.terms)
      return terms === null ? null : `NEAR(${terms.join(' ')}, ${Math.max(0, Math.floor(node.distance))})`
    }
    case 'and':
      return toAnd(node.parts)
    case 'or':
      return joined(
        node.parts.flatMap((part) => toMatch(part) ?? []),
        ' OR ',
      )
    case 'not':
      return null
  }
}

/** FTS5 knows only "this and not that". */
function toAnd(parts: QueryNode[]): string | null {
  const wanted = parts.filter(({ kind }) => kind !== 'not').map(toMatch)
  const some = wanted.filter((part) => part !== null)
  if (some.length === 0 || some.length < wanted.length) return null
  const refused = parts.flatMap((part) => (part.kind === 'not' ? (toMatch(part.part) ?? []) : []))
  const all = joined(some, ' AND ')
  return refused.length === 0 ? all : `(${all} NOT ${joined(refused, ' OR ')})`
}

function joined(parts: string[], by: string): string | null {
  if (parts.length === 0) return null
  return parts.length === 1 ? (parts[0] ?? null) : `(${parts.join(by)})`
}

function anyOf(terms: string[], end: string): string | null {
  const good = terms.filter((term) => TERM.test(term)).map((term) => `"${term}"${end}`)
  return joined(good, ' OR ')
}

function quoteAll(terms: string[]): string[] | null {
  return terms.length > 0 && terms.every((term) => TERM.test(term)) ? terms.map((term) => `"${term}"`) : null
}

function inField(match: string | null, field: Field | null): string | null {
  if (match === null || field === null) return match
  return `{${field}} : ${match.startsWith('(') ? match : `(${match})`}`
}
