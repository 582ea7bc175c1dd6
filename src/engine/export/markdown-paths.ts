// The path of a page in a Markdown export: the host, then the path of its URL. Different URLs have different files: if
// the path alone does not distinguish them, a part of the hash of the URL is appended.

import { hash } from 'node:crypto'
import { posix } from 'node:path'

const HASH_LENGTH = 8
/** Bytes in a name, which file systems limit to 255. */
const MAX_NAME_LENGTH = 120
const MAX_PATH_LENGTH = 400
/** Names that some systems reserve, or that mean something in a path. */
const RESERVED = /^(?:\.{0,2}|con|prn|aux|nul|com\d|lpt\d)$/i

export function markdownPath(url: string): string {
  const { host, pathname, search, hash: fragment } = new URL(url)
  const segments = pathname.slice(1).split('/')
  const last = segments.pop() ?? ''
  // The colon before a port is not allowed everywhere.
  const folder = host.replace(':', '_')
  const safe = [folder, ...segments.map(toSafeName)]
  // `/a/` is a/index.md, so `/a/index` needs another name.
  const name = last === '' ? 'index' : toSafeName(last)
  const path = [...safe, name].join('/')
  const plain = [folder, ...segments, last === '' ? 'index' : last].join('/')
  const isExact =
    path === plain && last !== 'index' && search === '' && fragment === '' && path.length <= MAX_PATH_LENGTH
  if (isExact) return `${path}.md`
  return `${path.slice(0, MAX_PATH_LENGTH)}-${hash('sha256', url, 'hex').slice(0, HASH_LENGTH)}.md`
}

/** Path as a URL in Markdown: escaped, and relative to the file with the link. */
export function relativePath(from: string, to: string): string {
  return posix.relative(posix.dirname(from), to).split('/').map(encodeURIComponent).join('/')
}

function toSafeName(segment: string): string {
  const name = segment.replace(/[^\w.~@+=,() -]/g, '_').slice(0, MAX_NAME_LENGTH)
  return RESERVED.test(name) ? `_${name}` : name.replace(/[. ]+$/, '_')
}
