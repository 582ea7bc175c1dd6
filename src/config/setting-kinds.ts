// Kinds of settings: each parses a value, or reports what was expected.

import { CONNECTION_HEADERS } from '../lib/connection-headers.ts'
import { REDACTED } from '../lib/redact.ts'
import { parseCustomHeader } from './values/custom-header.ts'
import { MAX_SELECTOR_LENGTH, parseSelector } from './values/parse-selector.ts'
import { MAX_PATTERN_LENGTH } from './values/pattern-syntax.ts'
import { MAX_PATTERNS, translatePatterns } from './values/translate-patterns.ts'

export interface SettingKind<T> {
  /** Placeholder of the value in help, for instance N or MS. */
  placeholder: string
  /** Flags and the environment give text; a file or a request may give numbers, booleans and arrays. */
  parse(raw: unknown): T | InvalidValue
  /** JSON Schema of a value in a file or a request. */
  schema: JsonSchema
  isList?: boolean
  isSwitch?: boolean
  /** Items that are not JSON name files with a JSON list of items. Only what runs with the rights of the user reads them. */
  isReadFromFiles?: boolean
}

export type JsonSchema = { readonly [keyword: string]: unknown }

export class InvalidValue {
  readonly expected: string
  /** The invalid item of a list. */
  readonly given: unknown

  constructor(expected: string, given?: unknown) {
    this.expected = expected
    this.given = given
  }
}

export const MAX_SHOWN = 200

/** An invalid value for an error message, cut to a readable length. */
function showValue(raw: unknown): string {
  const text = JSON.stringify(raw) ?? String(raw)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}... (${text.length} characters)` : text
}

/** Describes an invalid value, as a sentence without its full stop. A secret is not shown, not even masked. */
export function explainInvalid(subject: string, { expected, given }: InvalidValue, raw: unknown): string {
  const shown = given ?? raw
  return `${subject} must be ${expected}${shown === REDACTED ? '' : `; it is ${showValue(shown)}`}`
}

export const TEXT: JsonSchema = { type: 'string', minLength: 1 }

export function wholeNumber(min: number, max: number, placeholder = 'N'): SettingKind<number> {
  const expected = new InvalidValue(`a whole number from ${min} to ${max}`)
  return {
    placeholder,
    schema: { type: 'integer', minimum: min, maximum: max },
    parse(raw) {
      const value = typeof raw === 'string' && /^-?\d+$/.test(raw.trim()) ? Number(raw) : raw
      return typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max ? value : expected
    },
  }
}

export function positiveNumber(max: number): SettingKind<number> {
  const expected = new InvalidValue(`a number above 0 and up to ${max}, such as 0.5`)
  return {
    placeholder: 'N',
    schema: { type: 'number', exclusiveMinimum: 0, maximum: max },
    parse(raw) {
      const value = typeof raw === 'string' && /^\d*\.?\d+$/.test(raw.trim()) ? Number(raw) : raw
      return typeof value === 'number' && value > 0 && value <= max ? value : expected
    },
  }
}

const SIZE = /^(\d+(?:\.\d+)?)\s*(k|m|g|t)?i?b?$/i
const SIZE_FACTORS: Record<string, number> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 }

export function byteSize(min: number, max: number): SettingKind<number> {
  const expected = new InvalidValue(`a size from ${min} to ${max} bytes, such as 500k or 10m`)
  return {
    placeholder: 'BYTES',
    schema: {
      anyOf: [
        { type: 'integer', minimum: min, maximum: max },
        { type: 'string', pattern: SIZE.source },
      ],
    },
    parse(raw) {
      const match = typeof raw === 'string' || typeof raw === 'number' ? SIZE.exec(String(raw).trim()) : null
      if (match === null) return expected
      const value = Math.round(Number(match[1]) * (SIZE_FACTORS[(match[2] ?? '').toLowerCase()] ?? 1))
      return value >= min && value <= max ? value : expected
    },
  }
}

export interface SizeCap {
  /** For example image/png or image/*; null for any type. */
  type: string | null
  bytes: number
}

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/(?:[\w!#$&^.+-]+|\*)$/

/** A size limit for all responses or for a media type. A file may give a single number. */
export function sizeCaps(min: number, max: number): SettingKind<SizeCap[]> {
  const size = byteSize(min, max)
  const caps = listOf<SizeCap>({
    placeholder: `${size.placeholder}|TYPE=${size.placeholder}`,
    schema: { type: ['string', 'integer'] },
    parse(raw) {
      const [, type = null, rest = raw] = (typeof raw === 'string' && /^([^=]*)=(.*)$/s.exec(raw)) || []
      const bytes = size.parse(rest)
      const isType = type === null || MEDIA_TYPE.test(type.trim())
      if (bytes instanceof InvalidValue || !isType)
        return new InvalidValue('a size such as 5m, or a size for a type such as image/*=1m')
      return { type: type?.trim().toLowerCase() ?? null, bytes }
    },
  })
  return { ...caps, parse: (raw) => caps.parse(typeof raw === 'number' ? [raw] : raw) }
}

export function orKeyword<T, W extends string>(settingKind: SettingKind<T>, word: W): SettingKind<T | W> {
  return {
    placeholder: `${settingKind.placeholder}|${word}`,
    schema: { anyOf: [settingKind.schema, { const: word }] },
    parse(raw) {
      if (raw === word) return word
      const value = settingKind.parse(raw)
      return value instanceof InvalidValue ? new InvalidValue(`${value.expected}, or "${word}"`) : value
    },
  }
}

export function oneOf<const T extends readonly string[]>(words: T): SettingKind<T[number]> {
  return {
    placeholder: words.join('|'),
    schema: { enum: words },
    parse: (raw) => words.find((word) => word === raw) ?? new InvalidValue(`one of ${words.join(', ')}`),
  }
}

export function text(placeholder: string): SettingKind<string> {
  return {
    placeholder,
    schema: TEXT,
    parse: (raw) => (typeof raw === 'string' && raw.trim() !== '' ? raw : new InvalidValue('text')),
  }
}

/** Colour in lower case. */
export function hexColor(): SettingKind<string> {
  const form = /^#[0-9a-f]{6}$/i
  return {
    placeholder: 'COLOUR',
    schema: { type: 'string', pattern: form.source },
    parse: (raw) =>
      typeof raw === 'string' && form.test(raw) ? raw.toLowerCase() : new InvalidValue('a colour such as #2457c5'),
  }
}

/** Matched in linear time; docs/reference/configuration.md lists the unsupported syntax. */
export function patterns(): SettingKind<string[]> {
  const texts = listOf<string>({
    placeholder: 'RE',
    schema: { type: 'string', minLength: 1, maxLength: MAX_PATTERN_LENGTH, format: 'regex' },
    parse: (raw) => (typeof raw === 'string' && raw !== '' ? raw : new InvalidValue('a regular expression')),
  })
  return {
    ...texts,
    schema: { ...texts.schema, maxItems: MAX_PATTERNS },
    parse(raw) {
      const list = texts.parse(raw)
      if (list instanceof InvalidValue) return list
      const translated = translatePatterns(list)
      if (Array.isArray(translated)) return list
      return new InvalidValue(translated.expected, translated.pattern ?? `a list of ${list.length}`)
    },
  }
}

const MAX_SELECTORS = 100

export function selectors(): SettingKind<string[]> {
  const texts = listOf<string>({
    placeholder: 'CSS',
    schema: { type: 'string', minLength: 1, maxLength: MAX_SELECTOR_LENGTH },
    parse: (raw) => (typeof raw === 'string' && 'selector' in parseSelector(raw) ? raw : SUPPORTED_SELECTOR),
  })
  return {
    ...texts,
    schema: { ...texts.schema, maxItems: MAX_SELECTORS },
    parse(raw) {
      const list = texts.parse(raw)
      const isTooLong = Array.isArray(list) && list.length > MAX_SELECTORS
      return isTooLong ? new InvalidValue(`at most ${MAX_SELECTORS} CSS selectors`, `a list of ${list.length}`) : list
    },
  }
}

const SUPPORTED_SELECTOR = new InvalidValue(
  'a CSS selector of tags, #ids, .classes, [attributes], >, +, ~, :nth-child(), :not(), :is() and :has()',
)

/** Text either way: "500" is a time in milliseconds. */
export function selectorOrTime(maxMs: number): SettingKind<string> {
  const time = wholeNumber(0, maxMs, 'MS')
  const expected = new InvalidValue(`a CSS selector, or a time in milliseconds up to ${maxMs}`)
  return {
    placeholder: 'CSS|MS',
    schema: {
      anyOf: [
        { type: 'integer', minimum: 0, maximum: maxMs },
        { type: 'string', minLength: 1, maxLength: MAX_SELECTOR_LENGTH },
      ],
    },
    parse(raw) {
      const isTime = typeof raw === 'number' || (typeof raw === 'string' && /^\s*-?\d/.test(raw))
      if (isTime) return time.parse(raw) instanceof InvalidValue ? expected : String(raw).trim()
      return typeof raw === 'string' && 'selector' in parseSelector(raw) ? raw : expected
    },
  }
}

const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

export function headerValue(placeholder: string): SettingKind<string> {
  const expected = new InvalidValue('one line of Latin-1 characters')
  return {
    placeholder,
    schema: TEXT,
    parse: (raw) => (typeof raw === 'string' && raw.trim() !== '' && HEADER_VALUE.test(raw) ? raw : expected),
  }
}

export function headerLine(): SettingKind<string> {
  const expected = new InvalidValue('a header such as "Name: value", or "https://host Name: value" for one origin')
  const forbidden = new InvalidValue('a header other than those that control the connection')
  return {
    placeholder: '[ORIGIN ]K:V',
    schema: TEXT,
    parse(raw) {
      const header = typeof raw === 'string' ? parseCustomHeader(raw) : null
      if (header === null || !HEADER_NAME.test(header.name) || !HEADER_VALUE.test(header.value)) return expected
      return CONNECTION_HEADERS.has(header.name.toLowerCase()) ? forbidden : (raw as string)
    },
  }
}

/** Repeated flags, one item per line in the environment, an array in a file. */
export function listOf<T>(settingKind: SettingKind<T>): SettingKind<T[]> {
  return {
    placeholder: settingKind.placeholder,
    schema: { type: 'array', items: settingKind.schema },
    isList: true,
    parse(raw) {
      const parts = typeof raw === 'string' ? raw.split('\n').filter(Boolean) : raw
      if (!Array.isArray(parts)) return new InvalidValue('a list')
      const values: T[] = []
      for (const part of parts) {
        const value = settingKind.parse(part)
        if (value instanceof InvalidValue) return new InvalidValue(value.expected, value.given ?? part)
        values.push(value)
      }
      return values
    },
  }
}

/** A list of some of these words, separated by commas. */
export function subsetOf<const T extends readonly string[]>(words: T): SettingKind<T[number][]> {
  const expected = `some of ${words.join(', ')}, separated by commas`
  return {
    placeholder: words.join(','),
    schema: { type: 'array', items: { enum: words }, minItems: 1 },
    parse(raw) {
      const parts = typeof raw === 'string' ? raw.split(',').map((part) => part.trim()) : raw
      if (!Array.isArray(parts) || parts.length === 0) return new InvalidValue(expected)
      const isOurs = (part: unknown): part is T[number] => words.some((word) => word === part)
      return parts.every(isOurs) ? parts : new InvalidValue(expected)
    },
  }
}

export function onOff(): SettingKind<boolean> {
  return {
    placeholder: '',
    schema: { type: 'boolean' },
    isSwitch: true,
    parse(raw) {
      if (raw === true || raw === 'true' || raw === '1') return true
      if (raw === false || raw === 'false' || raw === '0') return false
      return new InvalidValue('true or false')
    },
  }
}
