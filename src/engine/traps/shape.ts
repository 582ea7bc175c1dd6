// The shape of a url: what it has in common with others that the same script of a site answers. Folders are names,
// the last segment is a class, parameters are their names:
//
//   N a number or date   W a word   WN a word with a number   S several words   H a random id   ** deeper folders
//
//   /calendar/2026/03      /calendar/N/N           /calendar/**
//   /wiki/Spider           /wiki/W                 /wiki/**
//   /shop?size=4&colour=2  /shop?colour&size       /shop?*
//
// The coarse shape is for sites that never use one fine shape twice: every combination of filters, random folders.

import { pathStart } from '../url/key.ts'

export interface Shapes {
  fine: string
  coarse: string
}

/** All urls of a host. Coarse shapes end in it for a query, in `/**` for folders. */
export const WHOLE_HOST = '/*'

const MAX_FOLDERS = 2
const MAX_PARAMETERS = 8
/** A segment longer than this is no word. */
const MAX_WORD = 24
const MAX_EXTENSION = 5
const SHORTEST_HEX = 8

/** `url` is canonical. */
export function shapesOf(url: string): Shapes {
  const start = pathStart(url)
  const queryAt = url.indexOf('?', start)
  const hasQuery = queryAt >= 0
  const segments = url.slice(start + 1, hasQuery ? queryAt : url.length).split('/')
  const slash = segments.length > 1 && segments.at(-1) === '' ? '/' : ''
  if (slash !== '') segments.pop()
  const last = segments.pop() ?? ''
  const folders = segments.slice(0, MAX_FOLDERS).map((folder) => `/${shapeOfName(folder)}`)
  const deep = segments.length > MAX_FOLDERS ? '/**' : ''
  const path = `${folders.join('')}${deep}/${shapeOfLast(last, hasQuery)}${slash}`
  if (hasQuery) return { fine: `${path}?${shapeOfQuery(url.slice(queryAt + 1))}`, coarse: `${path}?*` }
  return { fine: path, coarse: folders[0] === undefined ? path : `${folders[0]}/**` }
}

/** The last segment. With a query it is the name of a script, which tells more than its class. */
function shapeOfLast(name: string, isScript: boolean): string {
  const dot = name.lastIndexOf('.')
  const hasExtension =
    dot > 0 && /^[a-z][a-z0-9]*$/i.test(name.slice(dot + 1)) && name.length - dot <= MAX_EXTENSION + 1
  const stem = hasExtension ? name.slice(0, dot) : name
  const shape = shapeOfName(stem)
  return `${isScript ? shape : classOf(shape, stem)}${hasExtension ? name.slice(dot) : ''}`
}

function classOf(shape: string, name: string): string {
  if (name === '' || shape === 'N' || shape === 'H' || shape === 'S') return shape
  return shape === name ? 'W' : 'WN'
}

function shapeOfName(name: string): string {
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

function shapeOfQuery(query: string): string {
  const names = new Set<string>()
  for (const parameter of query.split('&')) {
    const equals = parameter.indexOf('=')
    const name = equals < 0 ? parameter : parameter.slice(0, equals)
    if (name !== '') names.add(name.slice(0, MAX_WORD).replace(/\d+/g, 'N'))
  }
  const sorted = [...names].sort()
  if (sorted.length > MAX_PARAMETERS) sorted.splice(MAX_PARAMETERS, Number.POSITIVE_INFINITY, '**')
  return sorted.join('&')
}
