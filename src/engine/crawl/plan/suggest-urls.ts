// Suggests the intended URL for a start URL that cannot be crawled.

import { closestWord } from '../../../lib/closest-word.ts'
import { normaliseUrl } from '../../url/normalise-url.ts'
import { lacksScheme } from './seeds.ts'

const MAX_TEXT_LENGTH = 2048

/** The most likely first; empty if nothing is likely. */
export function suggestUrls(text: string): string[] {
  if (text.length > MAX_TEXT_LENGTH) return []
  const bare = stripQuotes(text.trim())
    .replaceAll('\\', '/')
    .replace(/\s*([./:])\s*/g, '$1')
  const candidates = [bare, fixScheme(bare), fixHost(bare), dropCredentials(bare), ...completeWord(bare)]
  return [...new Set(candidates.flatMap((candidate) => (isCrawlable(candidate) ? [candidate] : [])))].slice(0, 2)
}

/** A URL copied from a text often comes with its quotes, brackets or full stop. */
function stripQuotes(text: string): string {
  return text.replace(/^[<"'“‘([]+/, '').replace(/[>"'”’)\].,;]+$/, '')
}

/** htp://example.com, http//example.com, https;//example.com */
function fixScheme(text: string): string {
  const [, scheme = '', rest = ''] = /^([a-z]{2,8})[:;.,]*\/{1,3}([^/].*)$/i.exec(text) ?? []
  const meant = scheme === '' ? null : closestWord(scheme.toLowerCase(), ['https', 'http'])
  return meant === null ? '' : `${meant}://${rest}`
}

/** www,example,com */
function fixHost(text: string): string {
  const [, host = '', path = ''] = /^([\w,;.-]+)(\/.*)?$/.exec(text) ?? []
  return host.replace(/[,;]/g, '.').replace(/\.{2,}/g, '.') + path
}

function dropCredentials(text: string): string {
  return text.replace(/^(https?:\/\/)[^/@]*@/i, '$1')
}

/** A word may be a domain without its ending, or a host of the local network. */
function completeWord(text: string): string[] {
  return /^[a-z0-9-]{2,63}$/i.test(text) ? [`${text}.com`, `http://${text}/`] : []
}

function isCrawlable(text: string): boolean {
  return text !== '' && (lacksScheme(text) || 'url' in normaliseUrl(text))
}
