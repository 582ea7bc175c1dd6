// A query as a condition on `d`, a row of documents. Most queries are one tsquery; what that cannot say (near, and fields
// that share a label) is a condition of its own, behind a tsquery that lets at least all through that fit.

import { type QueryNode, TERM } from '../../ports/search.ts'
import { withoutLoneNots } from '../rank/bm25.ts'
import type { Params } from './params.ts'
import { lexeme, PLACES } from './vectors.ts'

interface Match {
  /** A tsquery on the terms that all documents fit that are meant; null: any document may be meant. */
  query: string | null
  /** Documents that fit the query are meant, all of them. */
  isExact: boolean
  /** The whole condition. Made only when it is used: a statement knows no values that it does not name. */
  sql(params: Params): string
}

export interface TextMatch {
  /** The whole condition. */
  sql(params: Params): string
  /** A tsquery of the words alone, wherever they stand: the index tells by itself what fits it, without the documents. */
  words: string
  /** The same of words that must stand in title or headings; null when none must. */
  heads: string | null
  /** The condition is such a tsquery too. */
  isPlain: boolean
}

/** No term has a space. */
const NOTHING = `' '`

/** Null when it finds nothing, whatever the documents. */
export function matchText(node: QueryNode): TextMatch | null {
  const positive = withoutLoneNots(node)
  const words = positive === null ? null : wordsOf(positive, () => true)
  if (positive === null || words === null) return null
  const { sql } = matchNode(positive)
  return { sql, words, heads: wordsOf(positive, isOfHeads), isPlain: isPlain(positive) }
}

function isPlain(node: QueryNode): boolean {
  switch (node.kind) {
    case 'term':
      return node.field === null
    case 'and':
    case 'or':
      return node.parts.every(isPlain)
    case 'not':
      return isPlain(node.part)
    default:
      return false
  }
}

function isOfHeads(node: QueryNode): boolean {
  return 'field' in node && (node.field === 'title' || node.field === 'headings')
}

function matchNode(node: QueryNode): Match {
  switch (node.kind) {
    case 'term':
    case 'phrase':
      return matchWords(node)
    case 'near':
      return matchNear([...new Set(node.terms)], node.distance)
    case 'not': {
      const { query, isExact, sql } = matchNode(node.part)
      if (isExact && query !== null) return exact(`!(${query})`)
      return { query: null, isExact: false, sql: (params) => `not (${sql(params)})` }
    }
    case 'and':
    case 'or':
      return join(node.kind, node.parts.map(matchNode))
  }
}

function exact(query: string): Match {
  return { query, isExact: true, sql: (params) => `d.terms @@ ${params.add(query, 'tsquery')}` }
}

function matchWords(node: QueryNode & { kind: 'term' | 'phrase' }): Match {
  const { terms, field } = node
  const good = terms.filter((term) => TERM.test(term))
  const isPhrase = node.kind === 'phrase'
  if (good.length === 0 || (isPhrase && good.length < terms.length)) return exact(NOTHING)
  const write = (label: string) => {
    const ending = !isPhrase && node.isPrefix ? `*${label}` : label
    return `(${good.map((term) => `${lexeme(term)}${ending === '' ? '' : `:${ending}`}`).join(isPhrase ? ' <-> ' : ' | ')})`
  }
  if (field === null) return exact(write(''))
  const { vector, label } = PLACES[field]
  if (vector === 'terms') return exact(write(label))
  return { query: write('C'), isExact: false, sql: (params) => `d.others @@ ${params.add(write(label), 'tsquery')}` }
}

function matchNear(words: string[], distance: number): Match {
  if (!words.every((term) => TERM.test(term))) return exact(NOTHING)
  const bare = words.map((term) => lexeme(term).slice(1, -1))
  const inSight = nearQuery(words, distance)
  return {
    query: `(${words.map(lexeme).join(' & ')})`,
    isExact: false,
    sql: (params) => {
      const list = `${params.add(bare, 'text[]')}, ${params.add(distance, 'int')}`
      const isNear = `has_near(d.terms, d.others, ${list})`
      return inSight === null ? isNear : `(d.terms @@ ${params.add(inSight, 'tsquery')} and ${isNear})`
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
    const [a, b] = [lexeme(first), lexeme(word)]
    return `(${steps.map((step) => `${a} ${step} ${b} | ${b} ${step} ${a}`).join(' | ')})`
  })
  return pairs.join(' & ')
}

function join(kind: 'and' | 'or', parts: Match[]): Match {
  const known = parts.flatMap(({ query }) => (query === null ? [] : [query]))
  const isOpen = kind === 'or' ? known.length < parts.length : known.length === 0
  const query = isOpen ? null : `(${known.join(kind === 'and' ? ' & ' : ' | ')})`
  if (query !== null && parts.every(({ isExact }) => isExact)) return exact(query)
  const sql = (params: Params) => `(${parts.map((part) => part.sql(params)).join(` ${kind} `)})`
  return { query, isExact: false, sql }
}

/** Of the leaves that are wanted; null when a document may fit without any of them. */
function wordsOf(node: QueryNode, isWanted: (leaf: QueryNode) => boolean): string | null {
  if (node.kind === 'not') return null
  if ('parts' in node) {
    const all = node.parts.map((part) => wordsOf(part, isWanted))
    const known = all.filter((part) => part !== null)
    if (known.length === 0 || (node.kind === 'or' && known.length < all.length)) return null
    return `(${known.join(node.kind === 'and' ? ' & ' : ' | ')})`
  }
  if (!isWanted(node)) return null
  const good = node.terms.filter((term) => TERM.test(term))
  const isAny = node.kind === 'term'
  if (good.length === 0 || (!isAny && good.length < node.terms.length)) return NOTHING
  const ending = isAny && node.isPrefix ? ':*' : ''
  return `(${good.map((term) => `${lexeme(term)}${ending}`).join(isAny ? ' | ' : ' & ')})`
}
