// The fields that a user's rules extract from a page. Time and size are bounded: a selector takes a pass over the page per
// compound, and values are cut.

import type { ExtractRule, FieldType } from '../../config/values/extract-rules.ts'
import { parseSelector, type Selector } from '../../config/values/parse-selector.ts'
import { AppError } from '../../lib/errors.ts'
import type { FieldScalar, FieldValue } from '../../ports/pages.ts'
import { matchSelector } from '../select/match-selector.ts'
import { compileMayMatch, type MayMatch } from '../select/may-match.ts'
import type { PageTree, TreeElement } from '../select/page-tree.ts'
import { readElementText } from '../select/select.ts'
import { parseDate } from './parse-date.ts'
import { parseNumber } from './parse-number.ts'

/** Values of a field with `many`. */
const MAX_VALUES = 1000
const MAX_VALUE_LENGTH = 10_000
/** Characters of all values of a page. */
const MAX_CHARACTERS = 200_000
/** Length in characters. A selector takes a millisecond for such a page. */
const LONG_PAGE = 1 << 16

/** A rule with its defaults, ready to be applied. */
export interface CompiledRule {
  name: string
  selector: Selector
  attribute: string | null
  type: FieldType
  many: boolean
  required: boolean
  mayMatch: MayMatch
}

export interface FieldContext {
  /** Language of the page; decides what 1.299 means. */
  lang: string | null
  baseUrl: string
}

export interface ExtractedField {
  value: FieldValue
  /** Elements that the selector matches. */
  matches: number
  /** Texts that are not of the type of the field, at most a few. */
  rejected: string[]
}

export function compileRules(rules: readonly ExtractRule[]): CompiledRule[] {
  return rules.map(({ name, selector: text, attribute, type = 'text', many = false, required = false }) => {
    const parsed = parseSelector(text)
    if ('problem' in parsed) throw new AppError('BAD_CONFIG', `The rule ${name}: ${parsed.problem}`)
    const { selector } = parsed
    const lowered = attribute?.toLowerCase() ?? null
    return { name, selector, attribute: lowered, type, many, required, mayMatch: compileMayMatch(selector) }
  })
}

/** Fields by name, in the order of the rules. Pauses between rules. A page without a tree has no fields. */
export function* readFields(
  rules: readonly CompiledRule[],
  tree: PageTree | null,
  context: FieldContext,
): Generator<null, Map<string, ExtractedField>, void> {
  const budget = { characters: MAX_CHARACTERS }
  const fields = new Map<string, ExtractedField>()
  for (const rule of rules) {
    if (tree !== null && tree.html.length > LONG_PAGE) yield null
    const elements = tree !== null && rule.mayMatch(tree.html) ? matchSelector(tree, rule.selector) : []
    fields.set(rule.name, tree === null ? withoutMatch(rule) : readField(rule, tree, elements, context, budget))
  }
  return fields
}

function withoutMatch({ many }: CompiledRule): ExtractedField {
  return { value: many ? [] : null, matches: 0, rejected: [] }
}

const MAX_REJECTED = 3
const MAX_REJECTED_LENGTH = 200

function readField(
  rule: CompiledRule,
  page: PageTree,
  elements: readonly TreeElement[],
  context: FieldContext,
  budget: { characters: number },
): ExtractedField {
  const values: FieldScalar[] = []
  const rejected: string[] = []
  for (const element of elements.slice(0, MAX_VALUES)) {
    if (budget.characters <= 0) break
    const text = textOf(rule, page, element)
    if (text === null || text === '') continue
    const value = parseValue(text, rule.type, context)
    if (value === null) {
      if (rejected.length < MAX_REJECTED) rejected.push(text.slice(0, MAX_REJECTED_LENGTH))
      continue
    }
    const kept = typeof value === 'string' ? value.slice(0, Math.min(MAX_VALUE_LENGTH, budget.characters)) : value
    budget.characters -= typeof kept === 'string' ? kept.length : 1
    values.push(kept)
    if (!rule.many) break
  }
  return { value: rule.many ? values : (values[0] ?? null), matches: elements.length, rejected }
}

/** Attributes with the value of elements whose text is not their value. */
const URL_ATTRIBUTES: Readonly<Record<string, string>> = {
  a: 'href',
  area: 'href',
  link: 'href',
  img: 'src',
  script: 'src',
  iframe: 'src',
  source: 'src',
  video: 'src',
  audio: 'src',
  embed: 'src',
  object: 'data',
  form: 'action',
}

function textOf({ attribute, type }: CompiledRule, page: PageTree, element: TreeElement): string | null {
  const implied = type === 'url' ? URL_ATTRIBUTES[element.name] : type === 'date' ? DATE_ATTRIBUTES[element.name] : null
  if (attribute !== null) return element.attributes.get(attribute)?.trim() ?? null
  const value = implied == null ? undefined : element.attributes.get(implied)
  return value?.trim() ?? readElementText(page, element)
}

const DATE_ATTRIBUTES: Readonly<Record<string, string>> = { time: 'datetime', ins: 'datetime', del: 'datetime' }

/** Null if the text is not of this type. */
function parseValue(text: string, type: FieldType, { lang, baseUrl }: FieldContext): FieldScalar | null {
  switch (type) {
    case 'text':
      return text
    case 'number': {
      const number = parseNumber(text, lang)
      return number !== null && Number.isFinite(number) ? number : null
    }
    case 'date':
      return parseDate(text)
    case 'url':
      return URL.parse(text, baseUrl)?.href ?? null
  }
}
