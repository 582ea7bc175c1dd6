// The shape of a URL: what it has in common with others that the same script of a site generates. Folders are names,
// the last segment is a class, and any query is `*`:
//
//   N a number or date   W a word   WN a word with a number   S several words   H a random id   ** deeper folders
//
//   /calendar/2026/03      /calendar/N/N
//   /wiki/Spider           /wiki/W
//   /shop?size=4&colour=2  /shop?*

import { pathStart } from '../url/url-key.ts'

const MAX_FOLDERS = 2
/** A segment longer than this is no word. */
const MAX_WORD = 24
const MAX_EXTENSION = 5
const SHORTEST_HEX = 8

/** `url` is canonical. */
export function toPathPattern(url: string): string {
  const start = pathStart(url)
  const queryAt = url.indexOf('?', start)
  const hasQuery = queryAt >= 0
  const segments = url.slice(start + 1, hasQuery ? queryAt : url.length).split('/')
  const slash = segments.length > 1 && segments.at(-1) === '' ? '/' : ''
  if (slash !== '') segments.pop()
  const last = segments.pop() ?? ''
  const folders = segments.slice(0, MAX_FOLDERS).map((folder) => `/${toSegmentPattern(folder)}`)
  const deep = segments.length > MAX_FOLDERS ? '/**' : ''
  return `${folders.join('')}${deep}/${toLastSegmentPattern(last, hasQuery)}${slash}${hasQuery ? '?*' : ''}`
}

/** The last segment. With a query it is the name of a script, which tells more than its class. */
function toLastSegmentPattern(name: string, isScript: boolean): string {
  const dot = name.lastIndexOf('.')
  const hasExtension =
    dot > 0 && /^[a-z][a-z0-9]*$/i.test(name.slice(dot + 1)) && name.length - dot <= MAX_EXTENSION + 1
  const stem = hasExtension ? name.slice(0, dot) : name
  const shape = toSegmentPattern(stem)
  return `${isScript ? shape : toSegmentClass(shape, stem)}${hasExtension ? name.slice(dot) : ''}`
}

function toSegmentClass(shape: string, name: string): string {
  if (name === '' || shape === 'N' || shape === 'H' || shape === 'S') return shape
  return shape === name ? 'W' : 'WN'
}

function toSegmentPattern(name: string): string {
  let letters = 0
  let hexLetters = 0
  let digits = 0
  let breaks = 0
  let changes = 0
  let before = 0
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i)
    const letter = code | 32
    const kind = code >= 48 && code <= 57 ? 1 : letter >= 97 && letter <= 122 ? 2 : 0
    if (kind === 1) digits += 1
    else if (kind === 0) breaks += 1
    else if (letter <= 102) hexLetters += 1
    else letters += 1
    if (before !== 0 && kind !== 0 && kind !== before) changes += 1
    before = kind
  }
  if (digits > 0 && letters + hexLetters === 0) return 'N'
  if (digits > 0 && letters === 0 && digits + hexLetters >= SHORTEST_HEX) return 'H'
  if (name.length > MAX_WORD || breaks > 1) return 'S'
  if (changes > 1) return 'H'
  return digits > 0 ? name.replace(/\d+/g, 'N') : name
}
