// Translates a query to FTS5 syntax. Terms are validated and quoted, so that no part of a query is taken for syntax.

import { FIELDS, type Field, type QueryNode, TERM_PATTERN } from '../../../ports/search.ts'
import { negate } from '../../query/normalise-negations.ts'
import { isPurelyNegative } from '../../query/pure-negations.ts'

/** The fields that say most about the topic of a page. */
export const HEAD_FIELDS: readonly Field[] = ['title', 'headings', 'anchors', 'url']

/** The content of the heads table: the terms of the head fields, and additional ones. */
export function headTerms(terms: Record<Field, string>, others: string[]): string {
  return [...HEAD_FIELDS.map((field) => terms[field]), ...others].join(' ')
}

/**
 * A match on the heads table: at least all documents that match in the head fields. Null if it cannot be expressed,
 * since the table has neither positions nor separate fields.
 */
export function toHeadFtsMatch(node: QueryNode): string | null {
  const wanted = toHeadQuery(node)
  return wanted === null ? null : toFtsMatch(wanted)
}

function toHeadQuery(node: QueryNode): QueryNode | null {
  if (node.kind === 'term')
    return node.field === null || HEAD_FIELDS.includes(node.field) ? { ...node, field: null } : null
  if (node.kind !== 'and' && node.kind !== 'or') return null
  const all = joinNegations(node)
  if (all.some((part) => part.kind === 'not' && hasPositions(part))) return null
  const parts = all.filter(({ kind }) => kind !== 'not').map(toHeadQuery)
  const known = parts.filter((part) => part !== null)
  return known.length === 0 || known.length < parts.length ? null : { kind: node.kind, parts: known }
}

/** Joins purely negative parts into a single `not` each. */
function joinNegations({ parts }: { parts: QueryNode[] }): QueryNode[] {
  return parts.map((part) => (isPurelyNegative(part) ? { kind: 'not', part: negate(part) } : part))
}

function hasPositions(node: QueryNode): boolean {
  if ('parts' in node) return node.parts.some(hasPositions)
  return node.kind === 'not' ? hasPositions(node.part) : node.kind !== 'term'
}

/** Null if nothing can match. `among` restricts positive terms to these fields; excluded terms count in all fields. */
export function toFtsMatch(node: QueryNode, among: readonly Field[] = FIELDS): string | null {
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
      return toAnd(joinNegations(node), among)
    case 'or':
      return joined(
        node.parts.flatMap((part) => toFtsMatch(part, among) ?? []),
        ' OR ',
      )
    case 'not':
      return null
  }
}

/** FTS5 only has a binary NOT. */
function toAnd(parts: QueryNode[], among: readonly Field[]): string | null {
  const wanted = parts.filter(({ kind }) => kind !== 'not').map((part) => toFtsMatch(part, among))
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

function inFields(match: string | null, fields: readonly Field[]): string | null {
  if (match === null || fields === FIELDS) return match
  return `{${fields.join(' ')}} : ${match.startsWith('(') ? match : `(${match})`}`
}
