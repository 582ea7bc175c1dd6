// Turns words of a query into index terms. The language of the matching pages is unknown, so each word is stemmed in
// every language of the index that uses its script.

import type { Field, QueryNode } from '../../ports/search.ts'
import { IDEOGRAPH, INDEX_CHARACTER_CLASSES } from '../analyse/character-classes.ts'
import { splitWords } from '../analyse/split-words.ts'
import { MAX_WORD_LENGTH } from '../analyse/tokeniser.ts'
import { isMarkedWord, toMarkedTerm } from '../analyse/word-segmenter.ts'
import { type QueryUnit, withoutNameDot } from './query-units.ts'
import { ownStems, stemPhrase } from './stem-in-languages.ts'
import type { Synonyms } from './synonyms.ts'
import type { WordForms } from './word-forms.ts'

export interface WordContext {
  languages: readonly string[]
  synonyms: Synonyms
  forms: WordForms
}

type StemContext = Pick<WordContext, 'languages' | 'forms'>

/** Words of a unit match in sequence, or written together: wi-fi also finds wifi. */
export function toUnitNode(unit: QueryUnit, field: Field | null, context: WordContext): QueryNode {
  if (unit.kind === 'ideographs') return toIdeographNode(unit, field, context.forms)
  const { words } = unit
  const [first = '', ...others] = words
  if (others.length === 0) return toWordNode(first, field, context)
  const phrase = toPhraseNode(words, field, context)
  const joined = unit.isOneWord ? words.join('') : joinedForm(words)
  if (joined === null) return phrase
  const parts = phrase.kind === 'or' ? phrase.parts : [phrase]
  return { kind: 'or', parts: [...parts, toTermNode(joined, field, context)], areForms: true }
}

/**
 * Alternatives to the unit: its words without their sequence, except numbers, versions and abbreviations. Pages may name
 * a version without its v.
 */
export function toLooseNodes(unit: QueryUnit, context: WordContext & { stops: ReadonlySet<string> }): QueryNode[] {
  if (unit.kind === 'ideographs') return [toUnitNode(unit, null, context)]
  const { words } = unit
  // Pages that write .NET as net rank after pages with the dot.
  const plain = words.length === 1 ? withoutNameDot(words[0] ?? '') : null
  if (plain !== null) return [toUnitNode(unit, null, context), toWordNode(plain, null, context)]
  if (unit.isOneWord || words.every((word) => word.length === 1 || IS_VERSION_PART.test(word))) {
    const [first = '', ...others] = words
    const withoutMark = IS_VERSION_PART.exec(first)?.groups?.['number'] ?? first
    const isMarked = others.length > 0 && withoutMark !== first
    return [
      toUnitNode(unit, null, context),
      ...(isMarked ? [toPhraseNode([withoutMark, ...others], null, context)] : []),
    ]
  }
  const significant = words.filter((word) => !context.stops.has(word))
  const joined = joinedForm(words)
  const forms = [...(significant.length === 0 ? words : significant), ...(joined === null ? [] : [joined])]
  return forms.map((word) => toWordNode(word, null, context))
}

/** A short word has its own term; all else is found by its pairs, within longer words too. */
function toIdeographNode(
  { text, isWord }: Extract<QueryUnit, { kind: 'ideographs' }>,
  field: Field | null,
  { unknownIdeographs }: WordForms,
): QueryNode {
  const isMarked = isWord && isMarkedWord(text) && !unknownIdeographs.has(text)
  const terms = isMarked ? [toMarkedTerm(text)] : dropTrailingIdeograph(splitWords(text))
  if (terms.length > 1) return { kind: 'phrase', terms: [...terms], field }
  return { kind: 'term', terms: [...terms], isPrefix: !isMarked && terms[0]?.length === 1, field }
}

const IS_NUMBER = /^\d+$/
/** The parts of v1.2.3 mean nothing on their own. */
const IS_VERSION_PART = /^v?(?<number>\d+)$/
const MAX_JOINED = 4

/** Null if the words are never written together, such as words of a date or a URL. */
function joinedForm(words: readonly string[]): string | null {
  const isJoinable = words.length <= MAX_JOINED && !words.every((word) => IS_NUMBER.test(word))
  const joined = words.join('')
  return isJoinable && joined.length <= MAX_WORD_LENGTH && !words.some(isIdeograph) ? joined : null
}

export function joinNodes(kind: 'and' | 'or', parts: QueryNode[]): QueryNode | null {
  return parts.length > 1 ? { kind, parts } : (parts[0] ?? null)
}

/** Also matches synonyms, and other forms of the word that the index contains. */
function toWordNode(word: string, field: Field | null, context: WordContext): QueryNode {
  const { languages, synonyms, forms } = context
  // Ideographs are indexed in pairs; a single one is a prefix of such pairs.
  if (word.length === 1 && isIdeograph(word)) return { kind: 'term', terms: [word], isPrefix: true, field }
  const others = [...synonyms.find(word), ...(forms.spellings.get(word) ?? [])]
  const terms = new Set(
    [word, ...others.filter((other) => !other.includes(' '))].flatMap((one) =>
      ownStems(one, languages, forms.foreignStems),
    ),
  )
  const wordNode: QueryNode = { kind: 'term', terms: [...terms], isPrefix: false, field }
  const split = forms.splits.get(word)
  const phrases = [
    ...others.filter((other) => other.includes(' ')).map((other) => other.split(' ')),
    ...(split ? [split] : []),
  ]
  const parts = phrases.map((phrase) => toPhraseNode(phrase, field, context))
  const compound = forms.compounds.get(word)?.map((part) => toTermNode(part, field, context)) ?? []
  const all = [wordNode, ...parts, ...(compound.length === 0 ? [] : [{ kind: 'and' as const, parts: compound }])]
  return all.length === 1 ? wordNode : { kind: 'or', parts: all, areForms: true }
}

export function toTermNode(word: string, field: Field | null, { languages, forms }: StemContext): QueryNode {
  return { kind: 'term', terms: [...ownStems(word, languages, forms.foreignStems)], isPrefix: false, field }
}

export function toPhraseNode(
  words: readonly string[],
  field: Field | null,
  { languages, forms }: StemContext,
): QueryNode {
  const versions = stemPhrase(dropTrailingIdeograph(words), languages, forms.foreignStems)
  const parts = versions.map((terms): QueryNode => {
    const [only] = terms
    if (terms.length === 1 && only !== undefined) return { kind: 'term', terms: [only], isPrefix: false, field }
    return { kind: 'phrase', terms, field }
  })
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'or', parts, areForms: true }
}

/** The last ideograph of a run is indexed alone too; after a pair that contains it, it adds nothing. */
function dropTrailingIdeograph(words: readonly string[]): readonly string[] {
  const [last = '', before = ''] = [words.at(-1), words.at(-2)]
  return last.length === 1 && isIdeograph(last) && before.length === 2 && before.endsWith(last)
    ? words.slice(0, -1)
    : words
}

function isIdeograph(word: string): boolean {
  return INDEX_CHARACTER_CLASSES[word.charCodeAt(0)] === IDEOGRAPH
}
