// Interprets a query: its terms, its filter, and a warning if the query was reinterpreted. Never throws.

import { type Field, NO_FILTER, type QueryNode, type Range, type SearchFilter } from '../../ports/search.ts'
import { splitWords } from '../analyse/split-words.ts'
import { stopWordsFor } from '../analyse/stop-words.ts'
import { CONDITION_NAMES, parseCondition } from './filter-conditions.ts'
import { splitPrefix, type Token, tokeniseQuery } from './lexer.ts'
import { hasMixedOr, normaliseNegations } from './normalise-negations.ts'
import { isPurelyNegative } from './pure-negations.ts'
import { toPhraseNode, toWordNode } from './query-nodes.ts'
import { parseTokens, type SyntaxNode, TEXT_FIELDS } from './query-parser.ts'
import { renderQuery } from './render-query.ts'
import type { Synonyms } from './synonyms.ts'
import { findUnknownFields } from './unknown-fields.ts'

export interface QueryContext {
  /** Languages of the index, most common first. A word is stemmed in those of its script. */
  languages: readonly string[]
  synonyms: Synonyms
  now: number
}

export interface InterpretedQuery {
  text: QueryNode | null
  filter: SearchFilter
  /** How the query was reinterpreted, for the person who searches. */
  warning: string | null
  /** The query with every operator written out. */
  canonicalQuery: string
  /** Words and phrases as typed, without operators. */
  words: string[]
  /** The query consists of words only, so a match of any word is an acceptable fallback. */
  isOnlyWords: boolean
}

export const MAX_QUERY_LENGTH = 1000
const MAX_TERMS = 32
/** Each one costs as much as all the words it matches. */
const MAX_PREFIXES = 4
const FIELD_NAMES = new Set([...CONDITION_NAMES, ...Object.keys(TEXT_FIELDS)])

export function interpretQuery(text: string, context: QueryContext): InterpretedQuery {
  const warnings: string[] = []
  if (text.length > MAX_QUERY_LENGTH) warnings.push(`only the first ${MAX_QUERY_LENGTH} characters were used`)
  const tokens = tokeniseQuery(text.slice(0, MAX_QUERY_LENGTH), (name) => FIELD_NAMES.has(name))
  const limited = limitTerms(tokens, warnings)
  warnings.push(...findUnknownFields(limited, [...FIELD_NAMES]))
  const parseResult = parseTokens(limited)
  if ('problem' in parseResult) warnings.push(`searched as plain words: ${parseResult.problem}`)
  const raw = 'problem' in parseResult ? plainWords(limited) : parseResult.node
  const queryInterpreter = new QueryInterpreter(context, warnings)
  const node = raw === null ? null : queryInterpreter.interpret(raw)
  // A purely negative query finds nothing, but its filter still applies.
  const isNegative = node !== null && isPurelyNegative(node)
  if (isNegative) warnings.push('a query needs at least one word that is not excluded')
  return {
    text: isNegative ? null : node,
    filter: queryInterpreter.filter,
    warning: warnings.length === 0 ? null : `${warnings.join('; ')}.`.replace(/^./, (first) => first.toUpperCase()),
    canonicalQuery: raw === null ? '' : renderQuery(raw),
    words: queryInterpreter.words,
    isOnlyWords: raw !== null && hasOnlyWords(raw),
  }
}

function limitTerms(tokens: Token[], warnings: string[]): Token[] {
  const isTerm = ({ kind }: Token) => kind === 'word' || kind === 'phrase' || kind === 'field'
  let terms = 0
  const end = tokens.findIndex((token) => isTerm(token) && ++terms > MAX_TERMS)
  if (end === -1) return tokens
  warnings.push(`only the first ${MAX_TERMS} words were used`)
  return tokens.slice(0, end)
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
  return parts.length > 1 ? { kind: 'and', parts } : (parts[0] ?? null)
}

function hasOnlyWords(node: SyntaxNode): boolean {
  if (node.kind === 'and') return node.parts.every((part) => part.kind === 'condition' || part.kind === 'word')
  return node.kind === 'word'
}

class QueryInterpreter {
  readonly filter: SearchFilter = { ...NO_FILTER, hosts: [], notHosts: [] }
  readonly words: string[] = []
  #prefixes = 0
  readonly #context: QueryContext
  readonly #warnings: string[]

  constructor(context: QueryContext, warnings: string[]) {
    this.#context = context
    this.#warnings = warnings
  }

  interpret(raw: SyntaxNode): QueryNode | null {
    // The language also applies to words before it.
    this.#collectConditions(raw, false)
    const node = this.#toNode(raw, false)
    if (node === null) return null
    const normalised = normaliseNegations(node)
    if (hasMixedOr(normalised))
      this.#warnings.push('ignored an exclusion next to OR, because it would match nearly every page')
    return normalised
  }

  #collectConditions(raw: SyntaxNode, isNegated: boolean): void {
    if (raw.kind === 'condition') this.#addCondition(raw, isNegated)
    else if (raw.kind === 'not') this.#collectConditions(raw.part, !isNegated)
    else if (raw.kind === 'and' || raw.kind === 'or') {
      if (raw.kind === 'or' && raw.parts.some(({ kind }) => kind === 'condition')) {
        this.#warnings.push('fields such as site: apply to the whole query, even next to OR')
      }
      for (const part of raw.parts) this.#collectConditions(part, isNegated)
    }
  }

  #addCondition({ name, value }: Extract<SyntaxNode, { kind: 'condition' }>, isNegated: boolean): void {
    const parsed = parseCondition(name, value, this.#context.now)
    if ('problem' in parsed) this.#warnings.push(`ignored ${name}:${value.slice(0, 50)} (${parsed.problem})`)
    else if (!isNegated) this.#mergeFilter(parsed.filter)
    else if (parsed.filter.hosts !== undefined) this.filter.notHosts.push(...parsed.filter.hosts)
    else this.#warnings.push(`ignored -${name}:, because only site: and host: can be excluded`)
  }

  #mergeFilter(filter: Partial<SearchFilter>): void {
    const { hosts = [], ...rest } = filter
    this.filter.hosts.push(...hosts)
    for (const [name, value] of Object.entries(rest)) {
      const before = this.filter[name as keyof SearchFilter]
      Object.assign(this.filter, { [name]: isRange(before) && isRange(value) ? intersectRanges(before, value) : value })
    }
  }

  #toNode(raw: SyntaxNode, isNegated: boolean): QueryNode | null {
    switch (raw.kind) {
      case 'word':
        return this.#word(raw, isNegated)
      case 'phrase':
        return this.#phrase(raw.text, raw.field, isNegated)
      case 'near':
        return this.#near(raw.texts, raw.distance)
      case 'condition':
        return null
      case 'not': {
        const part = this.#toNode(raw.part, !isNegated)
        return part === null ? null : { kind: 'not', part }
      }
      case 'and':
      case 'or': {
        const parts = this.#dropStopWords(raw).flatMap((part) => this.#toNode(part, isNegated) ?? [])
        return parts.length > 1 ? { kind: raw.kind, parts } : (parts[0] ?? null)
      }
    }
  }

  /** Drops stop words, as long as other words are left. */
  #dropStopWords({ kind, parts }: { kind: 'and' | 'or'; parts: SyntaxNode[] }): SyntaxNode[] {
    if (kind === 'or') return parts
    const stops = stopWordsFor(this.#languages()[0] ?? null)
    const significant = parts.filter((part) => {
      if (part.kind !== 'word' || part.isPrefix || part.field !== null) return true
      return !stops.has(part.text.toLowerCase())
    })
    return significant.some(({ kind: one }) => one !== 'condition' && one !== 'not') ? significant : parts
  }

  #word({ text, isPrefix, field }: Extract<SyntaxNode, { kind: 'word' }>, isNegated: boolean): QueryNode | null {
    const words = splitWords(text)
    if (words.length > 1) return this.#phrase(text, field, isNegated)
    const [word] = words
    if (word === undefined) return null
    if (!isNegated) this.words.push(word)
    const node: QueryNode = isPrefix
      ? { kind: 'term', terms: [word], isPrefix, field }
      : toWordNode(word, field, { languages: this.#languages(), synonyms: this.#context.synonyms })
    return node.kind === 'term' && node.isPrefix ? this.#prefix(node) : node
  }

  /** Prefixes over the limit are searched as whole words. */
  #prefix(node: Extract<QueryNode, { kind: 'term' }>): QueryNode {
    this.#prefixes += 1
    if (this.#prefixes <= MAX_PREFIXES) return node
    if (this.#prefixes === MAX_PREFIXES + 1)
      this.#warnings.push(`only the first ${MAX_PREFIXES} prefixes (word*) were used`)
    return { ...node, isPrefix: false }
  }

  #phrase(text: string, field: Field | null, isNegated: boolean): QueryNode | null {
    const words = splitWords(text)
    if (words.length === 0) return null
    if (!isNegated) this.words.push(...words)
    return toPhraseNode(words, field, this.#languages())
  }

  #near(texts: string[], distance: number): QueryNode | null {
    const words = texts.flatMap((text) => splitWords(text))
    if (words.length === 0) return null
    this.words.push(...words)
    const node = toPhraseNode(words, null, this.#languages())
    const toNear = (part: QueryNode): QueryNode =>
      part.kind === 'phrase' ? { kind: 'near', terms: part.terms, distance } : part
    return node.kind === 'or' ? { kind: 'or', parts: node.parts.map(toNear) } : toNear(node)
  }

  #languages(): readonly string[] {
    return this.filter.lang === null ? this.#context.languages : [this.filter.lang]
  }
}

function isRange(value: unknown): value is Range {
  return typeof value === 'object' && value !== null && 'min' in value
}

function intersectRanges(a: Range, b: Range): Range {
  const max = a.max === null || b.max === null ? (a.max ?? b.max) : Math.min(a.max, b.max)
  return { min: a.min === null || b.min === null ? (a.min ?? b.min) : Math.max(a.min, b.min), max }
}
