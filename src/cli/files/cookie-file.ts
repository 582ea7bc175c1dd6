// Reads cookies that a browser has exported: cookies.txt in Netscape format, or JSON as browser extensions write it.

import { readFile } from 'node:fs/promises'
import type { Config } from '../../config/schema.ts'
import { parseCookieLine } from '../../config/values/cookie-line.ts'
import { parseSeed, type SeedInput, seedText } from '../../engine/crawl/plan/seeds.ts'
import { AppError } from '../../lib/errors.ts'
import { siteOf } from '../../lib/site.ts'

interface ExportedCookie {
  domain: string
  isHostOnly: boolean
  path: string
  isSecure: boolean
  /** Seconds since 1970; null or 0: a session cookie. */
  expires: number | null
  name: string
  value: string
}

const MAX_COOKIES = 1000

/** The settings with the cookies of --cookies-from, if any. */
export async function withCookieFile(config: Config, seeds: readonly SeedInput[]): Promise<Config> {
  const { cookiesFrom, cookie } = config
  if (cookiesFrom === null) return config
  return { ...config, cookies: 'on', cookie: [...cookie, ...(await readCookieFile(cookiesFrom, seeds))] }
}

/**
 * Lines for `cookie`. Only cookies for the sites of the seeds are read: an export has the cookies of every site that
 * the user is logged in to.
 */
export async function readCookieFile(path: string, seeds: readonly SeedInput[]): Promise<string[]> {
  const content = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new AppError('FILE_UNREADABLE', `Cannot read the cookie file ${path}.`, { cause })
  })
  const text = content.replace(/^\uFEFF/, '').trim()
  const exported = /^[[{]/.test(text) ? parseJson(text, path) : parseNetscape(text, path)
  const sites = new Set(seeds.flatMap((seed) => siteOfSeed(seedText(seed))))
  const lines = exported.filter(({ domain }) => sites.has(siteOf(domain))).map(toLine)
  const valid = lines.filter((line) => parseCookieLine(line) !== null)
  if (valid.length === 0)
    throw new AppError('BAD_CONFIG', `The cookie file ${path} has no cookies for the sites of the start URLs.`)
  if (valid.length > MAX_COOKIES)
    throw new AppError('BAD_CONFIG', `The cookie file ${path} has more than ${MAX_COOKIES} cookies for these sites.`)
  return valid
}

function siteOfSeed(text: string): string[] {
  const seed = parseSeed(text.replace(/\/\/[^/?#]*@/, '//'))
  return 'problem' in seed ? [] : [siteOf(new URL(seed.url).hostname)]
}

/** Seven fields separated by tabs. "#HttpOnly_" before the domain is no comment. */
function parseNetscape(text: string, path: string): ExportedCookie[] {
  return text.split(/\r?\n/).flatMap((line, i) => {
    const fields = line.replace(/^#HttpOnly_/i, '').split('\t')
    if (/^\s*(#(?!HttpOnly_)|$)/i.test(line)) return []
    const [domain = '', below = '', cookiePath = '', secure = '', expires = '', name = '', value = ''] = fields
    // The error does not quote the line, since it may contain a secret.
    if (fields.length < 6)
      throw new AppError(
        'BAD_CONFIG',
        `Line ${i + 1} of the cookie file ${path} does not have seven fields separated by tabs.`,
      )
    return {
      domain: domain.replace(/^\./, ''),
      isHostOnly: below.toUpperCase() !== 'TRUE',
      path: cookiePath,
      isSecure: secure.toUpperCase() === 'TRUE',
      expires: Number(expires) || null,
      name,
      value,
    }
  })
}

/** A list of cookies, or an object with such a list (Playwright's storage state). */
function parseJson(text: string, path: string): ExportedCookie[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw new AppError('BAD_CONFIG', `The cookie file ${path} starts like JSON, but is not valid JSON.`)
  }
  const list = Array.isArray(parsed) ? parsed : (parsed as Record<string, unknown>)['cookies']
  if (!Array.isArray(list)) throw new AppError('BAD_CONFIG', `The cookie file ${path} has no list of cookies.`)
  return list.flatMap((entry: unknown) => {
    const cookie = entry as Record<string, unknown> | null
    const domain = cookie?.['domain'] ?? cookie?.['host']
    if (cookie === null || typeof domain !== 'string') return []
    const expires = Number(cookie['expirationDate'] ?? cookie['expires'] ?? cookie['expiry'] ?? 0)
    return {
      domain: domain.replace(/^\./, ''),
      isHostOnly: typeof cookie['hostOnly'] === 'boolean' ? cookie['hostOnly'] : !domain.startsWith('.'),
      path: String(cookie['path'] ?? '/'),
      isSecure: cookie['secure'] === true || cookie['isSecure'] === true,
      expires: expires > 0 ? expires : null,
      name: String(cookie['name'] ?? ''),
      value: String(cookie['value'] ?? ''),
    }
  })
}

function toLine({ domain, isHostOnly, path, isSecure, expires, name, value }: ExportedCookie): string {
  const attributes = [
    `${name}=${value}`,
    `Domain=${domain}`,
    `Path=${path}`,
    ...(isHostOnly ? ['HostOnly'] : []),
    ...(isSecure ? ['Secure'] : []),
    ...(expires === null ? [] : [`Expires=${new Date(expires * 1000).toUTCString()}`]),
  ]
  return attributes.join('; ')
}
