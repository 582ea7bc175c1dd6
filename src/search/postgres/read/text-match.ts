// Translates a query to a condition on `d`, a row of documents. Most queries are a single tsquery. What a tsquery
// cannot express (NEAR, and fields that share a label) becomes a separate condition, behind a tsquery that every match
// satisfies.

import { type QueryNode, TERM_PATTERN } from '../../../ports/search.ts'
import { dropPureNegations } from '../../query/pure-negations.ts'
import { FIELD_PLACES, quoteLexeme } from '../field-vectors.ts'
import type { SqlParams } from '../sql-params.ts'

interface NodeMatch {
  /** A tsquery on the terms that every match satisfies; null if there is none. */
  query: string | null
  /** Every document that satisfies `query` is a match. */
  isExact: boolean
  /** The whole condition. Built on demand, because a statement must use all of its parameters. */
  sql(sqlParams: SqlParams): string
}

export interface TextMatch {
  /** The whole condition. */
  sql(sqlParams: SqlParams): string
  /** A tsquery of the words alone, in any field and position, which the index answers without reading documents. */
  wordQuery: string
  /** Query for words that must occur in title or headings; null if there are none. */
  titleQuery: string | null
  /** The tsquery is equivalent to the condition, so no check is needed. */
  isAnsweredByIndex: boolean
}

/** No term contains a space. */
const NOTHING = `' '`

/** Null if nothing can match. */
export function toTextMatch(node: QueryNode): TextMatch | null {
  const positive = dropPureNegations(node)
  const words = positive === null ? null : toWordQuery(positive, () => true)
  if (positive === null || words === null) return null
  const { sql } = matchNode(positive)
  return {
    sql,
    wordQuery: words,
    titleQuery: toWordQuery(positive, isTitleOrHeading),
    isAnsweredByIndex: hasOnlyTerms(positive),
  }
}

function hasOnlyTerms(node: QueryNode): boolean {
  switch (node.kind) {
    case 'term':
      return node.field === null
    case 'and':
    case 'or':
      return node.parts.every(hasOnlyTerms)
    case 'not':
      return hasOnlyTerms(node.part)
    default:
      return false
  }
}

function isTitleOrHeading(node: QueryNode): boolean {
  return 'field' in node && (node.field === 'title' || node.field === 'headings')
}

function matchNode(node: QueryNode): NodeMatch {
  switch (node.kind) {
    case 'term':
    case 'phrase':
      return matchWords(node)
    case 'near':
      return matchNear([...new Set(node.terms)], node.distance)
    case 'not': {
      const { query, isExact, sql } = matchNode(node.part)
      if (isExact && query !== null) return exactMatch(`!(${query})`)
      return { query: null, isExact: false, sql: (sqlParams) => `not (${sql(sqlParams)})` }
    }
    case 'and':
    case 'or':
      return joinMatches(node.kind, node.parts.map(matchNode))
  }
}

function exactMatch(query: string): NodeMatch {
  return { query, isExact: true, sql: (sqlParams) => `d.terms @@ ${sqlParams.add(query, 'tsquery')}` }
}

function matchWords(node: QueryNode & { kind: 'term' | 'phrase' }): NodeMatch {
  const { terms, field } = node
  const valid = terms.filter((term) => TERM_PATTERN.test(term))
  const isPhrase = node.kind === 'phrase'
  if (valid.length === 0 || (isPhrase && valid.length < terms.length)) return exactMatch(NOTHING)
  const write = (label: string) => {
    const ending = !isPhrase && node.isPrefix ? `*${label}` : label
    return `(${valid.map((term) => `${quoteLexeme(term)}${ending === '' ? '' : `:${ending}`}`).join(isPhrase ? ' <-> ' : ' | ')})`
  }
  if (field === null) return exactMatch(write(''))
  const { vector, label } = FIELD_PLACES[field]
  if (vector === 'all') return exactMatch(write(label))
  return {
    query: write('C'),
    isExact: false,
    sql: (sqlParams) => `d.others @@ ${sqlParams.add(write(label), 'tsquery')}`,
  }
}

function matchNear(words: string[], distance: number): NodeMatch {
  if (!words.every((term) => TERM_PATTERN.test(term))) return exactMatch(NOTHING)
  const bare = words.map((term) => quoteLexeme(term).slice(1, -1))
  const withinDistance = nearQuery(words, distance)
  return {
    query: `(${words.map(quoteLexeme).join(' & ')})`,
    isExact: false,
    sql: (sqlParams) => {
      const list = `${sqlParams.add(bare, 'text[]')}, ${sqlParams.add(distance, 'int')}`
      const isNear = `has_near(d.terms, d.others, ${list})`
      return withinDistance === null ? isNear : `(d.terms @@ ${sqlParams.add(withinDistance, 'tsquery')} and ${isNear})`
    },
  }
}

/** A larger distance would make the query too long. */
const MAX_STEPS = 20

/** Requires all words within this distance of the first, in any field: rules out most documents quickly. */
function nearQuery([first = '', ...rest]: string[], distance: number): string | null {
  if (rest.length === 0 || distance + 1 > MAX_STEPS) return null
  const steps = Array.from({ length: distance + 1 }, (_, i) => `<${i + 1}>`)
  const pairs = rest.map((word) => {
    const [a, b] = [quoteLexeme(first), quoteLexeme(word)]
    return `(${steps.map((step) => `${a} ${step} ${b} | ${b} ${step} ${a}`).join(' | ')})`
  })
  return pairs.join(' & ')
}

function joinMatches(kind: 'and' | 'or', parts: NodeMatch[]): NodeMatch {
  const queries = parts.flatMap(({ query }) => (query === null ? [] : [query]))
  const isOpen = kind === 'or' ? queries.length < parts.length : queries.length === 0
  const query = isOpen ? null : `(${queries.join(kind === 'and' ? ' & ' : ' | ')})`
  if (query !== null && parts.every(({ isExact }) => isExact)) return exactMatch(query)
  const sql = (sqlParams: SqlParams) => `(${parts.map((part) => part.sql(sqlParams)).join(` ${kind} `)})`
  return { query, isExact: false, sql }
}

/** Built from the leaves that pass `isWanted`; null if a document may match without any of them. */
function toWordQuery(node: QueryNode, isWanted: (leaf: QueryNode) => boolean): string | null {
  if (node.kind === 'not') return null
  if ('parts' in node) {
    const all = node.parts.map((part) => toWordQuery(part, isWanted))
    const queries = all.filter((part) => part !== null)
    if (queries.length === 0 || (node.kind === 'or' && queries.length < all.length)) return null
    return `(${queries.join(node.kind === 'and' ? ' & ' : ' | ')})`
  }
  if (!isWanted(node)) return null
  const valid = node.terms.filter((term) => TERM_PATTERN.test(term))
  const isAny = node.kind === 'term'
  if (valid.length === 0 || (!isAny && valid.length < node.terms.length)) return NOTHING
  const ending = isAny && node.isPrefix ? ':*' : ''
  return `(${valid.map((term) => `${quoteLexeme(term)}${ending}`).join(isAny ? ' | ' : ' & ')})`
}
