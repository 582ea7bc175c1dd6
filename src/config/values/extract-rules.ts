// Rules that extract fields from pages: a name, a CSS selector, and how its value is read.

import { MAX_SELECTOR_LENGTH, parseSelector } from './parse-selector.ts'

const FIELD_TYPES = ['text', 'number', 'date', 'url'] as const
export type FieldType = (typeof FIELD_TYPES)[number]

export interface ExtractRule {
  /** The name of the field in results, and of its column in exports. */
  name: string
  selector: string
  /** Take the value from this attribute instead of the text of the element. */
  attribute?: string
  /** Type of the values; `text` by default. */
  type?: FieldType
  /** Take the values of all elements that match, as a list, instead of the first. */
  many?: boolean
  /** A page without the field is noted as incomplete. */
  required?: boolean
}

export const MAX_RULES = 100
const NAME = /^[a-z][a-z0-9_]{0,62}$/i
const ATTRIBUTE = /^[^\s"'<>/=\p{Cc}]{1,100}$/u
const KEYS = ['name', 'selector', 'attribute', 'type', 'many', 'required']

export const EXTRACT_RULE_SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_]{0,62}$' },
    selector: { type: 'string', minLength: 1, maxLength: MAX_SELECTOR_LENGTH },
    attribute: { type: 'string', minLength: 1, maxLength: 100 },
    type: { enum: FIELD_TYPES },
    many: { type: 'boolean' },
    required: { type: 'boolean' },
  },
  required: ['name', 'selector'],
  additionalProperties: false,
}

/** An invalid rule, and what was expected. */
export class InvalidRule {
  readonly expected: string

  constructor(expected: string) {
    this.expected = expected
  }
}

/** A rule as an object, or as the JSON text of one. */
export function parseExtractRule(raw: unknown): ExtractRule | InvalidRule {
  const given = typeof raw === 'string' ? parseJson(raw) : raw
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return new InvalidRule('a list of rules such as {"name": "price", "selector": ".price", "type": "number"}')
  const { name, selector, attribute, type, many, required } = given as Record<string, unknown>
  const unknown = Object.keys(given).find((key) => !KEYS.includes(key))
  if (unknown !== undefined)
    return new InvalidRule(`a list of rules with the keys ${KEYS.join(', ')}, and without "${unknown.slice(0, 50)}"`)
  if (typeof name !== 'string' || !NAME.test(name))
    return new InvalidRule(
      'a list of rules whose names start with a letter and have up to 63 letters, digits and underscores',
    )
  if (typeof selector !== 'string') return new InvalidRule('a list of rules that each have a selector')
  const parsed = parseSelector(selector)
  if ('problem' in parsed)
    return new InvalidRule(`a list of rules with valid selectors. ${parsed.problem.replace(/\.$/, '')}`)
  if (attribute !== undefined && (typeof attribute !== 'string' || !ATTRIBUTE.test(attribute)))
    return new InvalidRule('a list of rules whose "attribute" is the name of an HTML attribute')
  if (type !== undefined && !isFieldType(type))
    return new InvalidRule(`a list of rules whose "type" is one of ${FIELD_TYPES.join(', ')}`)
  if (!isFlag(many) || !isFlag(required))
    return new InvalidRule('a list of rules whose "many" and "required" are true or false')
  return {
    name,
    selector,
    ...(attribute === undefined ? {} : { attribute }),
    ...(type === undefined ? {} : { type }),
    ...(many === undefined ? {} : { many }),
    ...(required === undefined ? {} : { required }),
  }
}

/** The name that two rules have in common; case does not tell them apart, since columns of databases ignore it. */
export function findDoubleName(rules: readonly ExtractRule[]): string | null {
  const seen = new Set<string>()
  const double = rules.find(({ name }) => seen.size === seen.add(name.toLowerCase()).size)
  return double?.name ?? null
}

function isFieldType(value: unknown): value is FieldType {
  return FIELD_TYPES.some((type) => type === value)
}

function isFlag(value: unknown): value is boolean | undefined {
  return value === undefined || typeof value === 'boolean'
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
