// Turns the syntax tree of a query into index terms and a filter. Collects the filter, the words and the used limits
// on the way. Each builder is for one query.

import { type Field, NO_FILTER, type QueryNode, type Range, type SearchFilter } from '../../ports/search.ts'
import { splitWords } from '../analyse/split-words.ts'
import { parseCondition } from './filter-conditions.ts'
import { groupByForm } from './group-by-form.ts'
import { hasMixedOr, normaliseNegations } from './normalise-negations.ts'
import { joinNodes, toLooseNodes, toPhraseNode, toTermNode, toUnitNode, type WordContext } from './query-nodes.ts'
import type { SyntaxNode } from './query-parser.ts'
import { findStopWords, isStopWord } from './query-stop-words.ts'
import { type QueryUnit, splitUnits } from './query-units.ts'
import { ownStems } from './stem-in-languages.ts'
import type { Synonyms } from './synonyms.ts'
import type { WordForms } from './word-forms.ts'

export interface QueryContext {
  /** Languages of the index, most common first. A word is stemmed in the languages of its script. */
  languages: readonly string[]
  synonyms: Synonyms
  /** Other forms of its words that the index has. */
  forms: WordForms
  now: number
}

/** Words, phrases and words of a field. Stop words that are dropped do not count. */
const MAX_TERMS = 64
/** Limit of prefixes: each one costs as much as all the words it matches. */
const MAX_PREFIXES = 4
/** A query with this many other words is prose, and a quoted phrase in it is optional. */
const PROSE_WORDS = 6

type WordNode = Extract<SyntaxNode, { kind: 'word' }>

export class QueryBuilder {
  readonly filter: SearchFilter = { ...NO_FILTER, hosts: [], notHosts: [], names: [] }
  readonly words: string[] = []
  #terms = 0
  #prefixes = 0
  #stops: ReadonlySet<string> = new Set()
  readonly #context: QueryContext
  readonly #warnings: string[]

  constructor(context: QueryContext, warnings: string[]) {
    this.#context = context
    this.#warnings = warnings
  }

  build(raw: SyntaxNode): QueryNode | null {
    this.#prepare(raw)
    const node = this.#toNode(raw, false)
    if (node === null) return null
    const normalised = normaliseNegations(node)
    if (hasMixedOr(normalised))
      this.#warnings.push('ignored an exclusion next to OR, because it would match nearly every page')
    return normalised
  }

  /**
   * Builds the query with any of its words instead of all. Operators still apply: phrases, words of a field,
   * exclusions. Null if there is nothing to relax.
   */
  buildAnyWord(raw: SyntaxNode): QueryNode | null {
    this.#prepare(raw)
    const parts = raw.kind === 'and' ? raw.parts : [raw]
    if (hasOperator(raw)) return null
    const optional: QueryNode[] = []
    const required: QueryNode[] = []
    const significant = this.#dropStopWords(parts)
    const isProse = significant.filter(({ kind }) => kind === 'word').length >= PROSE_WORDS
    for (const { part, joined } of this.#significantParts(parts, significant)) {
      if (part.kind === 'word' && part.field === null)
        optional.push(...this.#looseWord(part).map((node) => this.#withForm(node, joined)))
      else if (part.kind === 'phrase' && part.field === null && isProse) optional.push(...this.#loosePhrase(part.text))
      else required.push(...this.#toNodes(part, false))
    }
    const [first, ...others] = required.filter(({ kind }) => kind !== 'not')
    if (optional.length === 0 || (first === undefined && optional.length === 1)) return null
    // The first required part also makes the words optional: it is always there.
    const any = joinNodes('or', [...(first === undefined ? [] : [first]), ...optional])
    const all = [...(first === undefined ? [] : [first]), ...others, ...(any === null ? [] : [any])]
    const relaxed = joinNodes('and', [...all, ...required.filter(({ kind }) => kind === 'not')])
    return relaxed === null ? null : normaliseNegations(relaxed)
  }

  /** Languages of the index, or the one that the query names. */
  languagesFor(raw: SyntaxNode): readonly string[] {
    this.#collectConditions(raw, false)
    return this.#languages()
  }

  #prepare(raw: SyntaxNode): void {
    // The language also applies to words before it.
    this.#collectConditions(raw, false)
    this.#stops = findStopWords(raw, this.#languages())
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
    const { hosts = [], names = [], ...rest } = filter
    this.filter.hosts.push(...hosts)
    this.filter.names.push(...names)
    for (const [name, value] of Object.entries(rest)) {
      const before = this.filter[name as keyof SearchFilter]
      Object.assign(this.filter, { [name]: isRange(before) && isRange(value) ? intersectRanges(before, value) : value })
    }
  }

  #toNode(raw: SyntaxNode, isNegated: boolean): QueryNode | null {
    return joinNodes('and', this.#toNodes(raw, isNegated))
  }

  /** All returned nodes must match. */
  #toNodes(raw: SyntaxNode, isNegated: boolean): QueryNode[] {
    switch (raw.kind) {
      case 'word':
        return this.#word(raw, isNegated)
      case 'phrase':
        return this.#phrase(raw.text, raw.field, isNegated)
      case 'near':
        return this.#near(raw.texts, raw.distance)
      case 'condition':
        return []
      case 'not': {
        const part = this.#toNode(raw.part, !isNegated)
        return part === null ? [] : [{ kind: 'not', part }]
      }
      case 'and':
        return this.#all(raw.parts, isNegated)
      case 'or': {
        const parts = raw.parts.flatMap((part) => this.#toNode(part, isNegated) ?? [])
        return [joinNodes('or', parts) ?? []].flat()
      }
    }
  }

  #all(parts: readonly SyntaxNode[], isNegated: boolean): QueryNode[] {
    return this.#significantParts(parts, this.#dropStopWords(parts)).flatMap(({ part, joined }) =>
      this.#toNodes(part, isNegated).map((node) => this.#withForm(node, joined)),
    )
  }

  /** Parts with the single word that the index has for a part and its neighbours, or null. */
  #significantParts(
    parts: readonly SyntaxNode[],
    significant: readonly SyntaxNode[],
  ): { part: SyntaxNode; joined: string | null }[] {
    const kept = new Set(significant)
    return groupByForm(parts, this.#context.forms.joins).flatMap(({ group, joined }) =>
      group.filter((part) => kept.has(part)).map((part) => ({ part, joined })),
    )
  }

  /** A page with the single word has each of the words it consists of. */
  #withForm(node: QueryNode, joined: string | null): QueryNode {
    if (joined === null) return node
    return { kind: 'or', parts: [node, toTermNode(joined, null, this.#wordContext())], areForms: true }
  }

  /** Drops stop words, as long as other words are left. */
  #dropStopWords(parts: readonly SyntaxNode[]): readonly SyntaxNode[] {
    const significant = parts.filter(
      (part) => part.kind !== 'word' || part.isPrefix || part.field !== null || !isStopWord(part.text, this.#stops),
    )
    return significant.some(({ kind }) => kind !== 'condition' && kind !== 'not') ? significant : parts
  }

  #word(word: WordNode, isNegated: boolean): QueryNode[] {
    if (word.isPrefix) return this.#prefixWord(word, isNegated)
    return this.#takeUnits(word.text, isNegated).map((unit) =>
      this.#limitPrefixes(toUnitNode(unit, word.field, this.#wordContext())),
    )
  }

  #looseWord(word: WordNode): QueryNode[] {
    if (word.isPrefix) return this.#prefixWord(word, false)
    const units = this.#takeUnits(word.text, false)
    return units
      .flatMap((unit) => toLooseNodes(unit, { ...this.#wordContext(), stops: this.#stops }))
      .map((node) => this.#limitPrefixes(node))
  }

  /** The phrase, and its words: a page with the phrase has both. */
  #loosePhrase(text: string): QueryNode[] {
    const words = splitWords(text).filter((word) => !this.#stops.has(word))
    return [
      ...this.#phrase(text, null, false),
      ...words.flatMap((word) => this.#looseWord({ kind: 'word', text: word, isPrefix: false, field: null })),
    ]
  }

  #takeUnits(text: string, isNegated: boolean): QueryUnit[] {
    const units = splitUnits(text).filter(() => this.#takeTerm())
    if (!isNegated) this.words.push(...units.flatMap((unit) => wordsOfUnit(unit)))
    return units
  }

  #prefixWord({ text, field }: WordNode, isNegated: boolean): QueryNode[] {
    const [word, ...others] = splitWords(text)
    if (others.length > 0) return this.#phrase(text, field, isNegated)
    if (word === undefined || !this.#takeTerm()) return []
    if (!isNegated) this.words.push(word)
    const prefix = this.#limitPrefixes({ kind: 'term', terms: [word], isPrefix: true, field })
    // The index contains stems: the stem of "apple" is shorter than the word, so the prefix does not find it.
    const own = ownStems(word, this.#languages(), this.#context.forms.foreignStems)
    const stems = own.filter((stem) => !stem.startsWith(word))
    if (stems.length === 0) return [prefix]
    const whole: QueryNode = { kind: 'term', terms: stems, isPrefix: false, field }
    return [{ kind: 'or', parts: [prefix, whole], areForms: true }]
  }

  /** Prefixes over the limit are searched as whole words. */
  #limitPrefixes(node: QueryNode): QueryNode {
    if (node.kind !== 'term' || !node.isPrefix) return node
    this.#prefixes += 1
    if (this.#prefixes <= MAX_PREFIXES) return node
    if (this.#prefixes === MAX_PREFIXES + 1)
      this.#warnings.push(`only the first ${MAX_PREFIXES} prefixes (word*) were used`)
    return { ...node, isPrefix: false }
  }

  #phrase(text: string, field: Field | null, isNegated: boolean): QueryNode[] {
    const words = splitWords(text)
    if (words.length === 0 || !this.#takeTerm()) return []
    if (!isNegated) this.words.push(...words)
    return [toPhraseNode(words, field, this.#wordContext())]
  }

  #near(texts: string[], distance: number): QueryNode[] {
    const words = texts.flatMap((text) => splitWords(text))
    if (words.length === 0 || !this.#takeTerm()) return []
    this.words.push(...words)
    const node = toPhraseNode(words, null, this.#wordContext())
    const toNear = (part: QueryNode): QueryNode =>
      part.kind === 'phrase' ? { kind: 'near', terms: part.terms, distance } : part
    return [node.kind === 'or' ? { ...node, parts: node.parts.map(toNear) } : toNear(node)]
  }

  #takeTerm(): boolean {
    this.#terms += 1
    if (this.#terms === MAX_TERMS + 1) this.#warnings.push(`only the first ${MAX_TERMS} words were used`)
    return this.#terms <= MAX_TERMS
  }

  #wordContext(): WordContext {
    const { synonyms, forms } = this.#context
    return { languages: this.#languages(), synonyms, forms }
  }

  #languages(): readonly string[] {
    return this.filter.lang === null ? this.#context.languages : [this.filter.lang]
  }
}

function wordsOfUnit(unit: QueryUnit): string[] {
  if (unit.kind === 'ideographs') return [unit.text]
  return unit.isOneWord ? [unit.words.join('')] : unit.words
}

/** AND, OR and NEAR, not exclusions. */
function hasOperator(raw: SyntaxNode): boolean {
  if (raw.kind === 'or' || raw.kind === 'near') return true
  return raw.kind === 'and' && (raw.isExplicit || raw.parts.some(hasOperator))
}

function isRange(value: unknown): value is Range {
  return typeof value === 'object' && value !== null && 'min' in value
}

function intersectRanges(a: Range, b: Range): Range {
  const max = a.max === null || b.max === null ? (a.max ?? b.max) : Math.min(a.max, b.max)
  return { min: a.min === null || b.min === null ? (a.min ?? b.min) : Math.max(a.min, b.min), max }
}
