// Words that a page contains only because its URL or its links do: "nothing found at /old/page", "results for red
// shoes", a breadcrumb trail.

import { pathStart } from '../url/url-key.ts'
import { WordScanner } from './word-scanner.ts'

/** Adds the words in the values of the query. */
export function addQueryWords(url: string, urlWords: Set<number>): void {
  const queryAt = url.indexOf('?')
  if (queryAt < 0) return
  for (const parameter of url.slice(queryAt + 1).split('&'))
    addWords(parameter.slice(parameter.indexOf('=') + 1), urlWords)
}

/** Adds the words of the path. A last segment of several words is left out: it is the title, often all a page has. */
export function addPathWords(url: string, urlWords: Set<number>): void {
  const queryAt = url.indexOf('?')
  const path = url.slice(pathStart(url), queryAt < 0 ? url.length : queryAt)
  const nameAt = path.replace(/\/$/, '').lastIndexOf('/')
  const isTitle = (path.slice(nameAt).match(/[-_+]|%20/g)?.length ?? 0) > 1
  addWords(isTitle ? path.slice(0, nameAt) : path, urlWords)
}

function addWords(text: string, urlWords: Set<number>): void {
  const wordScanner = new WordScanner(decode(text.replaceAll('+', ' ')))
  while (wordScanner.next()) urlWords.add(wordScanner.hash)
}

function decode(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    // The escapes are in another charset; the words around them are enough.
    return text
  }
}
