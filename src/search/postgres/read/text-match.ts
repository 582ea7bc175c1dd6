// A query as a condition on `d`, a row of documents. Most queries are one tsquery; what that cannot say (near, and fields
// that share a label) is a condition of its own, behind a tsquery that lets at least all through that fit.

import { type QueryNode, TERM_PATTERN } from '../../../ports/search.ts'
import { dropPureNegations } from '../../query/pure-negations.ts'
import { FIELD_PLACES, quoteLexeme } from '../field-vectors.ts'
import type { SqlParams } from '../sql-params.ts'

interface NodeMatch {
  /** A tsquery on the terms that all documents fit that are meant; null: any document may be meant. */
  query: string | null
  /** Documents that fit the query are meant, all of them. */
  isExact: boolean
  /** The whole condition. Made only when it is used: a statement knows no values that it does not name. */
  sql(sqlParams: SqlParams): string
}

export interface TextMatch {
  /** The whole condition. */
  sql(sqlParams: SqlParams): string
  /** A tsquery of the words alone, wherever they stand: the index tells by itself what fits it, without the documents. */
  wordQuery: string
  /** The same of words that must stand in title or headings; null when none must. */
  titleQuery: string | null
  /** The condition is such a tsquery too. */
  isAnsweredByIndex: boolean
}

/** No term has a space. */
const NOTHING = `' '`

/** Null when it finds nothing, whatever the documents. */
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
  const good = terms.filter((term) => TERM_PATTERN.test(term))
  const isPhrase = node.kind === 'phrase'
  if (good.length === 0 || (isPhrase && good.length < terms.length)) return exactMatch(NOTHING)
  const write = (label: string) => {
    const ending = !isPhrase && node.isPrefix ? `*${label}` : label
    return `(${good.map((term) => `${quoteLexeme(term)}${ending === '' ? '' : `:${ending}`}`).join(isPhrase ? ' <-> ' : ' | ')})`
  }
  if (field === null) return exactMatch(write(''))
  const { vector, label } = FIELD_PLACES[field]
  if (vector === 'terms') return exactMatch(write(label))
  return {
    query: write('C'),
    isExact: false,
    sql: (sqlParams) => `d.others @@ ${sqlParams.add(write(label), 'tsquery')}`,
  }
}

function matchNear(words: string[], distance: number): NodeMatch {
  if (!words.every((term) => TERM_PATTERN.test(term))) return exactMatch(NOTHING)
  const bare = words.map((term) => quoteLexeme(term).slice(1, -1))
  const inSight = nearQuery(words, distance)
  return {
    query: `(${words.map(quoteLexeme).join(' & ')})`,
    isExact: false,
    sql: (sqlParams) => {
      const list = `${sqlParams.add(bare, 'text[]')}, ${sqlParams.add(distance, 'int')}`
      const isNear = `has_near(d.terms, d.others, ${list})`
      return inSight === null ? isNear : `(d.terms @@ ${sqlParams.add(inSight, 'tsquery')} and ${isNear})`
    },
  }
}

/** Farther apart it would be a long query. */
const MAX_STEPS = 20

/** All words at most so far from the first of them, in whatever fields: quick to rule out most documents. */
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
  const known = parts.flatMap(({ query }) => (query === null ? [] : [query]))
  const isOpen = kind === 'or' ? known.length < parts.length : known.length === 0
  const query = isOpen ? null : `(${known.join(kind === 'and' ? ' & ' : ' | ')})`
  if (query !== null && parts.every(({ isExact }) => isExact)) return exactMatch(query)
  const sql = (sqlParams: SqlParams) => `(${parts.map((part) => part.sql(sqlParams)).join(` ${kind} `)})`
  return { query, isExact: false, sql }
}

/** Of the leaves that are wanted; null when a document may fit without any of them. */
function toWordQuery(node: QueryNode, isWanted: (leaf: QueryNode) => boolean): string | null {
  if (node.kind === 'not') return null
  if ('parts' in node) {
    const all = node.parts.map((part) => toWordQuery(part, isWanted))
    const known = all.filter((part) => part !== null)
    if (known.length === 0 || (node.kind === 'or' && known.length < all.length)) return null
    return `(${known.join(node.kind === 'and' ? ' & ' : ' | ')})`
  }
  if (!isWanted(node)) return null
  const good = node.terms.filter((term) => TERM_PATTERN.test(term))
  const isAny = node.kind === 'term'
  if (good.length === 0 || (!isAny && good.length < node.terms.length)) return NOTHING
  const ending = isAny && node.isPrefix ? ':*' : ''
  return `(${good.map((term) => `${quoteLexeme(term)}${ending}`).join(isAny ? ' | ' : ' & ')})`
}
