// A query as FTS5 reads it. Terms are checked and quoted, so that nothing of a query is taken for syntax.

import { FIELD_WEIGHTS, FIELDS, type Field, type QueryNode, TERM } from '../../ports/search.ts'

/** The score of a row; only what stands in `field` counts if there is one. Hosts never do. */
export function scoreSql(only: Field | null = null): string {
  const weights = FIELDS.map((field) => (only === null || only === field ? FIELD_WEIGHTS[field] : 0))
  return `-bm25(terms, ${weights.join(', ')}, 0)`
}

/** Null when nothing can fit it. `among` names fields that everything wanted must be in; what is refused may be in none. */
export function toMatch(node: QueryNode, among: readonly Field[] = FIELDS): string | null {
  switch (node.kind) {
    case 'term':
      return inFields(anyOf(node.terms, node.isPrefix ? ' *' : ''), node.field === null ? among : [node.field])
    case 'phrase':
      return inFields(quoteAll(node.terms)?.join(' + ') ?? null, node.field === null ? among : [node.field])
    case 'near': {
      const terms = quoteAll(node.terms)
      const distance = Math.max(0, Math.floor(node.distance))
      return inFields(terms === null ? null : `NEAR(${terms.join(' ')}, ${distance})`, among)
    }
    case 'and':
      return toAnd(node.parts, among)
    case 'or':
      return joined(
        node.parts.flatMap((part) => toMatch(part, among) ?? []),
        ' OR ',
      )
    case 'not':
      return null
  }
}

/** FTS5 knows only "this and not that". */
function toAnd(parts: QueryNode[], among: readonly Field[]): string | null {
  const wanted = parts.filter(({ kind }) => kind !== 'not').map((part) => toMatch(part, among))
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

function inFields(match: string | null, fields: readonly Field[]): string | null {
  if (match === null || fields === FIELDS) return match
  return `{${fields.join(' ')}} : ${match.startsWith('(') ? match : `(${match})`}`
}
