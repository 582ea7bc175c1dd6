// Kinds of settings: each parses a value and, if it is invalid, says what was expected.

import { CONNECTION_HEADERS } from '../lib/connection-headers.ts'
import { REDACTED, redact } from '../lib/redact.ts'
import { parseS3Url } from '../lib/s3/location.ts'
import { parseAllowlistEntry } from './values/allowlist-entry.ts'
import { parseAuthEntry } from './values/auth-entry.ts'
import { parseCookieLine } from './values/cookie-line.ts'
import { parseCustomHeader } from './values/custom-header.ts'
import { MAX_SELECTOR_LENGTH, parseSelector } from './values/parse-selector.ts'
import { MAX_PATTERN_LENGTH } from './values/pattern-syntax.ts'
import { parseProxyEntry } from './values/proxy-entry.ts'
import { parseSearchUrl, SEARCH_URL_EXAMPLE } from './values/search-url.ts'
import { parseStoreUrl, STORE_URL_EXAMPLE } from './values/store-url.ts'
import { MAX_PATTERNS, translatePatterns } from './values/translate-patterns.ts'

export interface SettingKind<T> {
  /** What a value looks like in help, for instance N or MS. */
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
export function showValue(raw: unknown): string {
  const text = JSON.stringify(raw) ?? String(raw)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}... (${text.length} characters)` : text
}

/** What is wrong with a value, as a sentence without its full stop. A secret is not shown, not even masked. */
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
  /** Such as image/png or image/*; null: any type. */
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

/** In lower case. */
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

/** Some of these words, separated by commas. */
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

export function httpUrl(): SettingKind<string> {
  return {
    placeholder: 'URL',
    schema: { type: 'string', format: 'uri' },
    parse(raw) {
      const url = typeof raw === 'string' ? URL.parse(raw) : null
      const isPlain = url !== null && url.username === '' && url.password === '' && url.search === ''
      const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:'
      return isPlain && isHttp ? (raw as string) : new InvalidValue('a URL such as http://127.0.0.1:8080')
    },
  }
}

export function s3Url(): SettingKind<string> {
  const expected = new InvalidValue(
    'a URL such as s3://bucket/prefix or s3://bucket/prefix?endpoint=https://host:9000&region=eu-central-1, without credentials',
  )
  return {
    placeholder: 'URL',
    schema: { type: 'string', format: 'uri' },
    parse(raw) {
      if (typeof raw === 'string' && parseS3Url(raw) !== null) return raw
      // Someone may have put credentials into it.
      return typeof raw === 'string' ? new InvalidValue(expected.expected, redact(raw)) : expected
    },
  }
}

/** An invalid URL is shown without user and password. */
export function searchUrl(): SettingKind<string> {
  return {
    placeholder: 'URL',
    schema: { type: 'string', format: 'uri' },
    parse(raw) {
      if (typeof raw === 'string' && parseSearchUrl(raw) !== null) return raw
      return new InvalidValue(SEARCH_URL_EXAMPLE, redact(String(raw).replace(/\/\/.*@/s, '//...@')))
    },
  }
}

/** An invalid URL is shown without user and password. */
export function storeUrl(): SettingKind<string> {
  return {
    placeholder: 'URL',
    schema: { type: 'string', format: 'uri' },
    parse(raw) {
      const url = typeof raw === 'string' ? parseStoreUrl(raw) : { expected: STORE_URL_EXAMPLE }
      if (!('expected' in url)) return raw as string
      return new InvalidValue(url.expected, redact(String(raw).replace(/\/\/.*@/s, '//...@')))
    },
  }
}

/** A directory or the URL of a database. */
export function storePlace(): SettingKind<string> {
  const [folder, database] = [text('DIR'), storeUrl()]
  return {
    placeholder: 'DIR|URL',
    schema: TEXT,
    parse(raw) {
      const isUrl = typeof raw === 'string' && /^[a-z][a-z\d+.-]*:\/\//i.test(raw)
      const value = (isUrl ? database : folder).parse(raw)
      if (!(value instanceof InvalidValue)) return value
      return new InvalidValue(`a directory, or ${isUrl ? value.expected : STORE_URL_EXAMPLE}`, value.given)
    },
  }
}

export function allowEntry(): SettingKind<string> {
  return {
    placeholder: 'CIDR|HOST',
    schema: TEXT,
    parse(raw) {
      if (typeof raw !== 'string') return new InvalidValue('an address, a range or a host')
      const entry = parseAllowlistEntry(raw)
      return entry.kind === 'bad' ? new InvalidValue(entry.expected) : raw
    },
  }
}

/** Text that contains a secret: an invalid one is not shown. */
function secretText(placeholder: string, expected: string, isValid: (text: string) => boolean): SettingKind<string> {
  const invalid = new InvalidValue(expected, REDACTED)
  return { placeholder, schema: TEXT, parse: (raw) => (typeof raw === 'string' && isValid(raw) ? raw : invalid) }
}

export function proxyEntry(): SettingKind<string> {
  const expected =
    'the URL of a proxy (http, https, socks5 or socks5h) such as http://proxy:3128, "HOST=URL", "HOST=direct", or "env"'
  return secretText('[HOST=]URL', expected, (text) => parseProxyEntry(text) !== null)
}

export function authEntry(): SettingKind<string> {
  const expected = 'credentials such as "example.com=user:password" or "example.com=bearer TOKEN"'
  return secretText('HOST=USER:PASSWORD', expected, (text) => parseAuthEntry(text) !== null)
}

export function cookieLine(): SettingKind<string> {
  const expected = 'a cookie with its domain, such as "name=value; Domain=example.com; Path=/; Secure"'
  return secretText('COOKIE', expected, (text) => parseCookieLine(text) !== null)
}
