// What a query means: terms, filter, and a note where it had to be read otherwise than it stands. Never throws.

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
  /** Languages of the index, commonest first: a word stands under its stem in those of its script. */
  languages: readonly string[]
  synonyms: Synonyms
  now: number
}

export interface InterpretedQuery {
  text: QueryNode | null
  filter: SearchFilter
  /** What people should know of how it was read. */
  warning: string | null
  /** The query in full, with every operator. */
  canonicalQuery: string
  /** Words and phrases as they stand, without operators. */
  words: string[]
  /** It is words and nothing else: any of them may do when all are too much. */
  isOnlyWords: boolean
}

export const MAX_QUERY_LENGTH = 1000
const MAX_TERMS = 32
/** Each takes as long as all the words that begin so. */
const MAX_PREFIXES = 4
const FIELD_NAMES = new Set([...CONDITION_NAMES, ...Object.keys(TEXT_FIELDS)])

export function interpretQuery(text: string, context: QueryContext): InterpretedQuery {
  const notes: string[] = []
  if (text.length > MAX_QUERY_LENGTH) notes.push(`only the first ${MAX_QUERY_LENGTH} characters were read`)
  const tokens = tokeniseQuery(text.slice(0, MAX_QUERY_LENGTH), (name) => FIELD_NAMES.has(name))
  const few = limitTerms(tokens, notes)
  notes.push(...findUnknownFields(few, [...FIELD_NAMES]))
  const parseResult = parseTokens(few)
  if ('problem' in parseResult) notes.push(`read as plain words: ${parseResult.problem}`)
  const raw = 'problem' in parseResult ? plainWords(few) : parseResult.node
  const queryInterpreter = new QueryInterpreter(context, notes)
  const node = raw === null ? null : queryInterpreter.interpret(raw)
  // Such a query finds nothing; its filter may still.
  const isRefusal = node !== null && isPurelyNegative(node)
  if (isRefusal) notes.push('words to leave out need a word to look for')
  return {
    text: isRefusal ? null : node,
    filter: queryInterpreter.filter,
    warning: notes.length === 0 ? null : `${notes.join('; ')}.`.replace(/^./, (first) => first.toUpperCase()),
    canonicalQuery: raw === null ? '' : renderQuery(raw),
    words: queryInterpreter.words,
    isOnlyWords: raw !== null && hasOnlyWords(raw),
  }
}

function limitTerms(tokens: Token[], notes: string[]): Token[] {
  const isTerm = ({ kind }: Token) => kind === 'word' || kind === 'phrase' || kind === 'field'
  let terms = 0
  const end = tokens.findIndex((token) => isTerm(token) && ++terms > MAX_TERMS)
  if (end === -1) return tokens
  notes.push(`only the first ${MAX_TERMS} words were read`)
  return tokens.slice(0, end)
}

/** Words, phrases and conditions in a row; a word that was wanted in a field may be anywhere. */
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

  constructor(context: QueryContext, notes: string[]) {
    this.#context = context
    this.#warnings = notes
  }

  interpret(raw: SyntaxNode): QueryNode | null {
    // The language is needed for the words before it, too.
    this.#collectConditions(raw, false)
    const node = this.#toNode(raw, false)
    if (node === null) return null
    const settled = normaliseNegations(node)
    if (hasMixedOr(settled)) this.#warnings.push('left out what is refused beside OR, for nearly every page would fit')
    return settled
  }

  #collectConditions(raw: SyntaxNode, isRefused: boolean): void {
    if (raw.kind === 'condition') this.#addCondition(raw, isRefused)
    else if (raw.kind === 'not') this.#collectConditions(raw.part, !isRefused)
    else if (raw.kind === 'and' || raw.kind === 'or') {
      if (raw.kind === 'or' && raw.parts.some(({ kind }) => kind === 'condition')) {
        this.#warnings.push('a field such as site: counts for the whole query, also beside OR')
      }
      for (const part of raw.parts) this.#collectConditions(part, isRefused)
    }
  }

  #addCondition({ name, value }: Extract<SyntaxNode, { kind: 'condition' }>, isRefused: boolean): void {
    const read = parseCondition(name, value, this.#context.now)
    if ('problem' in read) this.#warnings.push(`left out ${name}:${value.slice(0, 50)}, for ${read.problem}`)
    else if (!isRefused) this.#mergeFilter(read.filter)
    else if (read.filter.hosts !== undefined) this.filter.notHosts.push(...read.filter.hosts)
    else this.#warnings.push(`left out -${name}:, for only hosts can be excluded so`)
  }

  #mergeFilter(filter: Partial<SearchFilter>): void {
    const { hosts = [], ...rest } = filter
    this.filter.hosts.push(...hosts)
    for (const [name, value] of Object.entries(rest)) {
      const before = this.filter[name as keyof SearchFilter]
      Object.assign(this.filter, { [name]: isRange(before) && isRange(value) ? intersectRanges(before, value) : value })
    }
  }

  #toNode(raw: SyntaxNode, isRefused: boolean): QueryNode | null {
    switch (raw.kind) {
      case 'word':
        return this.#word(raw, isRefused)
      case 'phrase':
        return this.#phrase(raw.text, raw.field, isRefused)
      case 'near':
        return this.#near(raw.texts, raw.distance)
      case 'condition':
        return null
      case 'not': {
        const part = this.#toNode(raw.part, !isRefused)
        return part === null ? null : { kind: 'not', part }
      }
      case 'and':
      case 'or': {
        const parts = this.#dropStopWords(raw).flatMap((part) => this.#toNode(part, isRefused) ?? [])
        return parts.length > 1 ? { kind: raw.kind, parts } : (parts[0] ?? null)
      }
    }
  }

  /** Without words that say little, as long as others are left. */
  #dropStopWords({ kind, parts }: { kind: 'and' | 'or'; parts: SyntaxNode[] }): SyntaxNode[] {
    if (kind === 'or') return parts
    const stops = stopWordsFor(this.#languages()[0] ?? null)
    const telling = parts.filter((part) => {
      if (part.kind !== 'word' || part.isPrefix || part.field !== null) return true
      return !stops.has(part.text.toLowerCase())
    })
    return telling.some(({ kind: one }) => one !== 'condition' && one !== 'not') ? telling : parts
  }

  #word({ text, isPrefix, field }: Extract<SyntaxNode, { kind: 'word' }>, isRefused: boolean): QueryNode | null {
    const words = splitWords(text)
    if (words.length > 1) return this.#phrase(text, field, isRefused)
    const [word] = words
    if (word === undefined) return null
    if (!isRefused) this.words.push(word)
    const node: QueryNode = isPrefix
      ? { kind: 'term', terms: [word], isPrefix, field }
      : toWordNode(word, field, { languages: this.#languages(), synonyms: this.#context.synonyms })
    return node.kind === 'term' && node.isPrefix ? this.#prefix(node) : node
  }

  /** Past so many they are read as whole words. */
  #prefix(node: Extract<QueryNode, { kind: 'term' }>): QueryNode {
    this.#prefixes += 1
    if (this.#prefixes <= MAX_PREFIXES) return node
    if (this.#prefixes === MAX_PREFIXES + 1) this.#warnings.push(`only ${MAX_PREFIXES} words may be beginnings`)
    return { ...node, isPrefix: false }
  }

  #phrase(text: string, field: Field | null, isRefused: boolean): QueryNode | null {
    const words = splitWords(text)
    if (words.length === 0) return null
    if (!isRefused) this.words.push(...words)
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

/** What lies in both. */
function intersectRanges(a: Range, b: Range): Range {
  const most = a.max === null || b.max === null ? (a.max ?? b.max) : Math.min(a.max, b.max)
  return { min: a.min === null || b.min === null ? (a.min ?? b.min) : Math.max(a.min, b.min), max: most }
}
