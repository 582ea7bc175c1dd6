// Words that a page contains only because its URL or its links do: "nothing found at /old/page", "results for red
// shoes", a breadcrumb trail.

import { pathStart } from '../url/url-key.ts'
import { WordScanner } from './word-scanner.ts'

/** A last segment with more breaks than this is a title, often all that a page has. Its words are left out. */
const MAX_BREAKS = 1

/** Adds the words of the path and of the values in the query. */
export function addUrlWords(url: string, urlWords: Set<number>): void {
  const queryAt = url.indexOf('?')
  const pathEnd = queryAt < 0 ? url.length : queryAt
  const start = pathStart(url)
  const nameAt = Math.max(start, url.lastIndexOf('/', pathEnd - 2))
  addWords(url, start, countBreaks(url, nameAt, pathEnd) > MAX_BREAKS ? nameAt : pathEnd, urlWords)
  for (let at = pathEnd + 1; at < url.length; ) {
    const ampersand = url.indexOf('&', at)
    const end = ampersand < 0 ? url.length : ampersand
    const equals = url.indexOf('=', at)
    addWords(url, equals < 0 || equals > end ? at : equals + 1, end, urlWords)
    at = end + 1
  }
}

function countBreaks(url: string, start: number, end: number): number {
  let breaks = 0
  for (let i = start; i < end; i++) {
    const c = url[i]
    if (c === '-' || c === '_' || c === '+' || (c === '%' && url.startsWith('%20', i))) breaks += 1
  }
  return breaks
}

function addWords(url: string, start: number, end: number, urlWords: Set<number>): void {
  const escapeAt = url.indexOf('%', start)
  const hasEscapes = escapeAt >= 0 && escapeAt < end
  const wordScanner = hasEscapes ? new WordScanner(decode(url.slice(start, end))) : new WordScanner(url, start, end)
  while (wordScanner.next()) urlWords.add(wordScanner.hash)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // The escapes are in another charset; the words around them are enough.
    return text
  }
}
