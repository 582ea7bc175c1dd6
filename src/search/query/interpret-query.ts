// Interprets a query: its terms, its filter, and a warning if the query was reinterpreted. Never throws.

import type { QueryNode, SearchFilter, SearchIndex } from '../../ports/search.ts'
import { CONDITION_NAMES } from './filter-conditions.ts'
import { type ForeignStems, NO_FOREIGN_STEMS, type QueryLanguages } from './foreign-stems.ts'
import { splitPrefix, type Token, tokeniseQuery } from './lexer.ts'
import { isPurelyNegative } from './pure-negations.ts'
import { QueryBuilder, type QueryContext } from './query-builder.ts'
import { joinWithAnd, parseTokens, type SyntaxNode, TEXT_FIELDS } from './query-parser.ts'
import { queryLanguage } from './query-stop-words.ts'
import { collectQueryWords } from './query-words.ts'
import { renderQuery } from './render-query.ts'
import { findUnknownFields } from './unknown-fields.ts'
import { findWordForms, NO_FORMS } from './word-forms.ts'

export interface InterpretedQuery {
  text: QueryNode | null
  filter: SearchFilter
  /** How the query was reinterpreted, for the person who searches. */
  warning: string | null
  /** The query with every operator written out. */
  canonicalQuery: string
  /** Words and phrases as typed, without operators. */
  words: string[]
  /** The query consists of words without any operator. */
  isOnlyWords: boolean
  /**
   * The query with any of its words, used if fewer than MIN_FULL_MATCHES documents have all of them. Null if the query
   * does not allow it.
   */
  anyWordText: QueryNode | null
}

/** Additional knowledge of a search in the vocabulary of an index. */
export type VocabularyContext = Omit<QueryContext, 'forms'> & Omit<QueryLanguages, 'queryLang'>

/** How the words of a query were stemmed. */
export interface StemmedWords {
  languages: readonly string[]
  /** The language of the query if it is clear. */
  queryLang: string | null
  foreignStems: ForeignStems
}

const MAX_QUERY_LENGTH = 1000
const FIELD_NAMES = new Set([...CONDITION_NAMES, ...Object.keys(TEXT_FIELDS)])

/** Looks up other forms of the words in the index. */
export async function interpretWithVocabulary(
  text: string,
  context: VocabularyContext,
  index: Pick<SearchIndex, 'phraseCounts'>,
): Promise<InterpretedQuery & StemmedWords> {
  const { syntaxTree } = parseQuery(text)
  const { pages, readerLang, ...queryContext } = context
  const withoutForms = { ...queryContext, forms: NO_FORMS }
  if (syntaxTree === null) {
    const stemmed = { languages: context.languages, queryLang: null, foreignStems: NO_FOREIGN_STEMS }
    return { ...interpretQuery(text, withoutForms), ...stemmed }
  }
  const languages = new QueryBuilder(withoutForms, []).languagesFor(syntaxTree)
  const queryLang = queryLanguage(syntaxTree, languages)
  const stemming = { languages, pages, queryLang, readerLang }
  const forms = await findWordForms(collectQueryWords(syntaxTree, languages), stemming, index)
  return { ...interpretQuery(text, { ...withoutForms, forms }), languages, queryLang, foreignStems: forms.foreignStems }
}

export function interpretQuery(text: string, context: QueryContext): InterpretedQuery {
  const { syntaxTree, warnings } = parseQuery(text)
  const queryBuilder = new QueryBuilder(context, warnings)
  const node = syntaxTree === null ? null : queryBuilder.build(syntaxTree)
  // A purely negative query finds nothing, but its filter still applies.
  const isNegative = node !== null && isPurelyNegative(node)
  if (isNegative) warnings.push('a query needs at least one word that is not excluded')
  return {
    text: isNegative ? null : node,
    filter: queryBuilder.filter,
    warning: warnings.length === 0 ? null : `${warnings.join('; ')}.`.replace(/^./, (first) => first.toUpperCase()),
    canonicalQuery: syntaxTree === null ? '' : renderQuery(syntaxTree),
    words: queryBuilder.words,
    isOnlyWords: syntaxTree !== null && hasOnlyWords(syntaxTree),
    anyWordText: syntaxTree === null ? null : new QueryBuilder(context, []).buildAnyWord(syntaxTree),
  }
}

function parseQuery(text: string): { syntaxTree: SyntaxNode | null; warnings: string[] } {
  const warnings: string[] = []
  const tokens = tokeniseQuery(limitLength(text, warnings), (name) => FIELD_NAMES.has(name))
  warnings.push(...findUnknownFields(tokens, [...FIELD_NAMES]))
  const parseResult = parseTokens(tokens)
  if ('problem' in parseResult) warnings.push(`searched as plain words: ${parseResult.problem}`)
  return { syntaxTree: 'problem' in parseResult ? plainWords(tokens) : parseResult.node, warnings }
}

/** Cut between two words if possible. */
function limitLength(text: string, warnings: string[]): string {
  if (text.length <= MAX_QUERY_LENGTH) return text
  warnings.push(`only the first ${MAX_QUERY_LENGTH} characters were used`)
  const start = text.slice(0, MAX_QUERY_LENGTH + 1)
  const lastSpace = start.search(/\s\S*$/)
  return start.slice(0, lastSpace > 0 ? lastSpace : MAX_QUERY_LENGTH).toWellFormed()
}

/** Words, phrases and conditions in sequence. A word restricted to a field may now match anywhere. */
function plainWords(tokens: readonly Token[]): SyntaxNode | null {
  const parts = tokens.flatMap((token): SyntaxNode[] => {
    if (token.kind === 'word' || token.kind === 'phrase') return [{ ...token, field: null }]
    if (token.kind !== 'field') return []
    const { name, value, isPhrase } = token
    if (TEXT_FIELDS[name] === undefined) return [{ kind: 'condition', name, value }]
    return [
      isPhrase ? { kind: 'phrase', text: value, field: null } : { kind: 'word', ...splitPrefix(value), field: null },
    ]
  })
  return joinWithAnd(parts, false)
}

function hasOnlyWords(node: SyntaxNode): boolean {
  if (node.kind === 'and') return !node.isExplicit && node.parts.every(isWordOrCondition)
  return node.kind === 'word' && node.field === null
}

function isWordOrCondition(node: SyntaxNode): boolean {
  return node.kind === 'condition' || (node.kind === 'word' && node.field === null)
}
