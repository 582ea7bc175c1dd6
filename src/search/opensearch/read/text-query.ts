// Translates a query to a query of the engine: which documents match, and which of them are scored first if there are
// many.

import { FIELD_WEIGHTS, FIELDS, type Field, type QueryNode, TERM_PATTERN } from '../../../ports/search.ts'
import { dropPureNegations } from '../../query/pure-negations.ts'
import { cutTerm } from '../document-source.ts'

/** A query as the engine takes it. */
export type EngineQuery = Record<string, unknown>

export const ALL_DOCUMENTS: EngineQuery = { match_all: {} }
const NOTHING: EngineQuery = { match_none: {} }

/** Null if nothing can match. */
export function toMatchQuery(node: QueryNode): EngineQuery | null {
  const positive = dropPureNegations(node)
  return positive === null ? null : matchNode(positive)
}

function matchNode(node: QueryNode): EngineQuery {
  switch (node.kind) {
    case 'term':
      return matchTerm(node)
    case 'phrase':
      return matchPhrase(node.terms, node.field)
    case 'near':
      return matchNear([...new Set(node.terms)], node.distance)
    case 'not':
      return { bool: { must_not: [matchNode(node.part)] } }
    case 'and':
      return allOf(node.parts.map(matchNode))
    case 'or':
      return anyOf(node.parts.map(matchNode))
  }
}

function allOf(parts: EngineQuery[]): EngineQuery {
  return { bool: { filter: parts } }
}

function anyOf(parts: EngineQuery[]): EngineQuery {
  return parts.length === 0 ? NOTHING : { bool: { should: parts, minimum_should_match: 1 } }
}

function pathOf(field: Field | null): string {
  return field === null ? 'terms' : `fields.${field}`
}

function matchTerm({ terms, isPrefix, field }: QueryNode & { kind: 'term' }): EngineQuery {
  const valid = terms.filter((term) => TERM_PATTERN.test(term)).map(cutTerm)
  if (valid.length === 0) return NOTHING
  if (!isPrefix) return { terms: { [pathOf(field)]: valid } }
  return anyOf(valid.map((term) => ({ prefix: { [pathOf(field)]: { value: term } } })))
}

/** A phrase is in one field. Documents without all of its terms are ruled out first. */
export function matchPhrase(terms: readonly string[], field: Field | null): EngineQuery {
  if (!terms.every((term) => TERM_PATTERN.test(term))) return NOTHING
  const cut = terms.map(cutTerm)
  const [first = ''] = cut
  if (cut.length === 1) return { term: { [pathOf(field)]: first } }
  const fields = field === null ? FIELDS : [field]
  const phrases = fields.map((one) => ({ match_phrase: { [pathOf(one)]: cut.join(' ') } }))
  return allOf([...hasAll(cut), anyOf(phrases)])
}

function hasAll(terms: readonly string[]): EngineQuery[] {
  return terms.map((term) => ({ term: { terms: term } }))
}

/** The engine counts the terms between that are none of the words. */
function matchNear(words: readonly string[], distance: number): EngineQuery {
  if (!words.every((term) => TERM_PATTERN.test(term))) return NOTHING
  const cut = words.map(cutTerm)
  const [first = ''] = cut
  if (cut.length === 1) return { term: { terms: first } }
  const slop = distance - (cut.length - 2)
  if (slop < 0) return NOTHING
  const near = FIELDS.map((field) => ({
    span_near: { clauses: cut.map((term) => ({ span_term: { [pathOf(field)]: term } })), slop, in_order: false },
  }))
  return allOf([...hasAll(cut), anyOf(near)])
}

/** Boilerplate says little, and nearly every document has some. */
const SCORED_FIELDS = FIELDS.filter((field) => field !== 'boilerplate')

/** Engines refuse queries with more than 1,024 parts. Of very long ones, the first terms choose the candidates. */
const MAX_SCORED = 100

/**
 * Scores of the engine, by which the candidates for our own are chosen if more documents match than are scored: each
 * term in each field, with its weight.
 */
export function toScoreQueries(node: QueryNode): EngineQuery[] {
  return scoreNode(node).slice(0, MAX_SCORED)
}

function scoreNode(node: QueryNode): EngineQuery[] {
  switch (node.kind) {
    case 'not':
      return []
    case 'and':
    case 'or':
      return node.parts.flatMap(scoreNode)
    case 'phrase':
    case 'near':
      return node.terms.flatMap((term) => scoreTerms([term], null))
    case 'term':
      // A prefix scores all alike.
      return node.isPrefix ? [] : scoreTerms(node.terms, node.field)
  }
}

function scoreTerms(terms: readonly string[], field: Field | null): EngineQuery[] {
  const fields = field === null ? SCORED_FIELDS : [field]
  const valid = terms.filter((term) => TERM_PATTERN.test(term)).map(cutTerm)
  return valid.map((term) => {
    const queries = fields.map((one) => ({ term: { [pathOf(one)]: { value: term, boost: FIELD_WEIGHTS[one] } } }))
    return { dis_max: { queries, tie_breaker: 1 } }
  })
}
