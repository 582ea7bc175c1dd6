// Kinds of settings that are addresses or contain secrets. An invalid one is shown without what may be a secret.

import { REDACTED, redact } from '../lib/redact.ts'
import { findParameterProblem, parseS3Url } from '../lib/s3/location.ts'
import { InvalidValue, type SettingKind, TEXT, text } from './setting-kinds.ts'
import { parseAllowlistEntry } from './values/allowlist-entry.ts'
import { parseAuthEntry } from './values/auth-entry.ts'
import { parseCookieLine } from './values/cookie-line.ts'
import { parseProxyEntry } from './values/proxy-entry.ts'
import { parseSearchUrl, SEARCH_URL_EXAMPLE } from './values/search-url.ts'
import { parseStoreUrl, STORE_URL_EXAMPLE } from './values/store-url.ts'

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
      const problem = findParameterProblem(String(raw))
      if (problem !== null) return new InvalidValue(problem.expected, redact(problem.given))
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

/** Text that contains a secret. An invalid value is not shown, and a redacted one is rejected: its secret is lost. */
function secretText(placeholder: string, expected: string, isValid: (text: string) => boolean): SettingKind<string> {
  const invalid = new InvalidValue(expected, REDACTED)
  const isWhole = (raw: unknown) => typeof raw === 'string' && isValid(raw) && !raw.includes(REDACTED)
  return { placeholder, schema: TEXT, parse: (raw) => (isWhole(raw) ? String(raw) : invalid) }
}

export function proxyEntry(): SettingKind<string> {
  const expected =
    'the URL of a proxy (http, https, socks5 or socks5h) such as http://proxy:3128, "HOST=URL", "HOST=direct", or "env"'
  return secretText('[HOST=]URL', expected, (text) => parseProxyEntry(text) !== null)
}

export function authEntry(): SettingKind<string> {
  const expected =
    'credentials such as "example.com=user:password", "example.com=digest user:password" or "example.com=bearer TOKEN"'
  return secretText('HOST=USER:PASSWORD', expected, (text) => parseAuthEntry(text) !== null)
}

export function cookieLine(): SettingKind<string> {
  const expected = 'a cookie with its domain, such as "name=value; Domain=example.com; Path=/; Secure"'
  return secretText('COOKIE', expected, (text) => parseCookieLine(text) !== null)
}
