// What a page says only because its url does: "nothing found at /old/page", "results for red shoes", a trail of the
// folders above. None of it is content.

import { pathStart } from '../url/key.ts'
import { Words } from './words.ts'

/** Shorter ones are found in other words. */
const SHORTEST_NAME = 4

/** The words of the parameters' values. */
export function addQueryEcho(url: string, echo: Set<number>): void {
  const queryAt = url.indexOf('?')
  if (queryAt < 0) return
  for (const parameter of url.slice(queryAt + 1).split('&')) addWords(parameter.slice(parameter.indexOf('=') + 1), echo)
}

/** The words of the path, but for a last segment of several: that is a title, and a page may have little more. */
export function addPathEcho(url: string, echo: Set<number>): void {
  const queryAt = url.indexOf('?')
  const path = url.slice(pathStart(url), queryAt < 0 ? url.length : queryAt)
  const nameAt = path.replace(/\/$/, '').lastIndexOf('/')
  const isTitle = (path.slice(nameAt).match(/[-_+]|%20/g)?.length ?? 0) > 1
  addWords(isTitle ? path.slice(0, nameAt) : path, echo)
}

/** The text without the path, and without a last segment that no person would write in a sentence. */
export function withoutPath(text: string, url: string): string {
  const queryAt = url.indexOf('?')
  const path = decode(url.slice(pathStart(url), queryAt < 0 ? url.length : queryAt))
  const name = path.slice(path.lastIndexOf('/') + 1)
  let rest = path.length > 1 && text.includes(path) ? text.replaceAll(path, ' ') : text
  if (name.length >= SHORTEST_NAME && /[^\p{L}]/u.test(name) && rest.includes(name)) rest = rest.replaceAll(name, ' ')
  return rest
}

function addWords(text: string, echo: Set<number>): void {
  const words = new Words(decode(text.replaceAll('+', ' ')))
  while (words.next()) echo.add(words.hash)
}

function decode(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    // Escapes of another character set: the words around them will do.
    return text
  }
}
