// Different spellings of the same address. A browser resolves all of them to the same URL; tests check each one against
// `new URL`.

import type { SeededRandom } from '../lib/seeded-random.ts'
import type { AddressPrefix, Reference } from './site-model.ts'

interface SpellingRequest {
  /** Base path of relative links: the page's `base href`, or its own path. */
  base: string
  target: string
  /** White space is allowed in attributes, but not in a header or a refresh. */
  allowBlanks: boolean
}

export function spellReference(seededRandom: SeededRandom, { base, target, allowBlanks }: SpellingRequest): Reference {
  const form = chooseForm(seededRandom, base, target)
  let href = form.href
  if (seededRandom.chance(0.2) && !href.includes('#')) href += seededRandom.pick(['#top', '#a/b?c', '#'])
  if (allowBlanks && form.prefix === 'none' && seededRandom.chance(0.1)) href = addBlanks(seededRandom, href)
  return { prefix: form.prefix, href, target: { kind: 'node', path: target } }
}

interface LinkForm {
  prefix: AddressPrefix
  href: string
}

function chooseForm(seededRandom: SeededRandom, base: string, target: string): LinkForm {
  const roll = seededRandom.next()
  if (roll < 0.25) return { prefix: 'none', href: target }
  if (roll < 0.6) return { prefix: 'none', href: relativePath(base, target) }
  if (roll < 0.75) return { prefix: 'none', href: pathWithDotSegments(seededRandom, target) }
  return { prefix: seededRandom.pick(['origin', 'origin', 'loud', 'padded', 'network']), href: target }
}

/** The shortest relative reference: `x`, `../x`, `?q=1` or `#self`. */
function relativePath(base: string, target: string): string {
  if (base === target) return '#self'
  const [basePath] = splitQuery(base)
  const [targetPath, query] = splitQuery(target)
  if (basePath === targetPath && query !== '') return query
  const from = basePath.split('/').slice(1, -1)
  const to = targetPath.split('/').slice(1)
  let shared = 0
  while (shared < from.length && shared < to.length - 1 && from[shared] === to[shared]) shared++
  const down = to.slice(shared).join('/')
  const href = '../'.repeat(from.length - shared) + down
  // An empty reference would inherit the query of the base, and a colon in the first segment would look like a scheme.
  const bare = href === '' || (href === down && (to[shared] ?? '').includes(':'))
  return (bare ? `./${href}` : href) + query
}

/** An absolute path with dot segments that cancel out. */
function pathWithDotSegments(seededRandom: SeededRandom, target: string): string {
  const [path, query] = splitQuery(target)
  switch (seededRandom.below(5)) {
    case 0:
      return `/.${path}${query}`
    case 1:
      return `/nowhere/..${path}${query}`
    case 2:
      return `/nowhere/%2e%2E${path}${query}`
    case 3:
      return `/../..${path}${query}`
    default:
      return path.replaceAll('/', '\\') + query
  }
}

function addBlanks(seededRandom: SeededRandom, href: string): string {
  const middle = seededRandom.below(href.length)
  switch (seededRandom.below(3)) {
    case 0:
      return `  ${href}\n`
    case 1:
      return `${href.slice(0, middle)}\n\t${href.slice(middle)}`
    default:
      return `${href.slice(0, middle)}\r\n${href.slice(middle)} `
  }
}

function splitQuery(path: string): [string, string] {
  const mark = path.indexOf('?')
  return mark < 0 ? [path, ''] : [path.slice(0, mark), path.slice(mark)]
}

/** The complete reference for a site served at `origin`. */
export function writeReference(reference: Reference, origin: string): string {
  return writePrefix(reference.prefix, origin) + reference.href
}

function writePrefix(prefix: AddressPrefix, origin: string): string {
  switch (prefix) {
    case 'none':
      return ''
    case 'origin':
      return origin
    case 'loud':
      return origin.toUpperCase()
    case 'network':
      return origin.slice(origin.indexOf('//'))
    case 'padded': {
      const { protocol, port, hostname } = new URL(origin)
      const writtenPort = port === '' ? (protocol === 'https:' ? '443' : '80') : `0${port}`
      return `${protocol}//${hostname}:${writtenPort}`
    }
  }
}
