// Translates a query to FTS5 syntax. Terms are validated and quoted, so that no part of a query is taken for syntax.

import { type Field, type QueryNode, TERM_PATTERN } from '../../../ports/search.ts'
import { negate } from '../../query/normalise-negations.ts'
import { isPurelyNegative } from '../../query/pure-negations.ts'

/** Joins purely negative parts into a single `not` each. */
function joinNegations({ parts }: { parts: QueryNode[] }): QueryNode[] {
  return parts.map((part) => (isPurelyNegative(part) ? { kind: 'not', part: negate(part) } : part))
}

/** Null if nothing can match. */
export function toFtsMatch(node: QueryNode): string | null {
  switch (node.kind) {
    case 'term':
      return inField(anyOf(node.terms, node.isPrefix ? ' *' : ''), node.field)
    case 'phrase':
      return inField(quoteAll(node.terms)?.join(' + ') ?? null, node.field)
    case 'near': {
      const terms = quoteAll(node.terms)
      const distance = Math.max(0, Math.floor(node.distance))
      return inField(terms === null ? null : `NEAR(${terms.join(' ')}, ${distance})`, null)
    }
    case 'and':
      return toAnd(joinNegations(node))
    case 'or':
      return joined(
        node.parts.flatMap((part) => toFtsMatch(part) ?? []),
        ' OR ',
      )
    case 'not':
      return null
  }
}

/** FTS5 only has a binary NOT. */
function toAnd(parts: QueryNode[]): string | null {
  const wanted = parts.filter(({ kind }) => kind !== 'not').map((part) => toFtsMatch(part))
  const positive = wanted.filter((part) => part !== null)
  if (positive.length === 0 || positive.length < wanted.length) return null
  const excluded = parts.flatMap((part) => (part.kind === 'not' ? (toFtsMatch(part.part) ?? []) : []))
  const all = joined(positive, ' AND ')
  return excluded.length === 0 ? all : `(${all} NOT ${joined(excluded, ' OR ')})`
}

function joined(parts: string[], by: string): string | null {
  if (parts.length === 0) return null
  return parts.length === 1 ? (parts[0] ?? null) : `(${parts.join(by)})`
}

function anyOf(terms: string[], end: string): string | null {
  const good = terms.filter((term) => TERM_PATTERN.test(term)).map((term) => `"${term}"${end}`)
  return joined(good, ' OR ')
}

function quoteAll(terms: string[]): string[] | null {
  return terms.length > 0 && terms.every((term) => TERM_PATTERN.test(term)) ? terms.map((term) => `"${term}"`) : null
}

function inField(match: string | null, field: Field | null): string | null {
  if (match === null || field === null) return match
  return `${field} : ${match.startsWith('(') ? match : `(${match})`}`
}
