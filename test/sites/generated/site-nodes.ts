// The server's response for each URL of a generated site.

import { spellReference } from '../../../src/demo/link-spelling.ts'
import type { Content, Link, LinkTarget, Reference, SiteNode } from '../../../src/demo/site-model.ts'
import type { SeededRandom } from '../../../src/lib/seeded-random.ts'

export type NodeKind = SiteNode['kind']

const ODD_KINDS: readonly NodeKind[] = [
  'redirect',
  'missing',
  'forbidden',
  'gone',
  'unauthorised',
  'flaky',
  'broken',
  'slow',
  'document',
  'reset',
]
// Redirects and pages that recover are where crawlers go wrong; resets cost a backoff each, so they are rare.
const COMMON_ODD_KINDS: readonly NodeKind[] = [
  'redirect',
  'redirect',
  'redirect',
  'missing',
  'flaky',
  'slow',
  'document',
  'gone',
]

/** Requests that a flaky page fails before it responds. */
export const MAX_FAILURES = 2

/** Error pages have links too, which must not be followed. */
const UNFOLLOWED_LINK: Link = { via: 'a', prefix: 'none', href: '/never/0', target: { kind: 'node', path: '/never/0' } }

/** The root is a page; a large enough site has each kind at least once. */
export function chooseKinds(seededRandom: SeededRandom, count: number): NodeKind[] {
  const kinds: NodeKind[] = []
  for (let i = 0; i < count; i++) kinds.push(seededRandom.chance(0.25) ? seededRandom.pick(COMMON_ODD_KINDS) : 'page')
  if (count >= 30) for (const [k, kind] of ODD_KINDS.entries()) kinds[5 + 2 * k] = kind
  kinds[0] = 'page'
  return kinds
}

export interface NodeOptions {
  random: SeededRandom
  path: string
  kind: NodeKind
  content: Content
  redirectTo: LinkTarget | undefined
}

export function makeNode({ random, path, kind, content, redirectTo }: NodeOptions): SiteNode {
  switch (kind) {
    case 'page':
      return { path, kind, content }
    case 'slow':
      return { path, kind, content, delayMs: 20 + random.below(100) }
    case 'flaky': {
      const status = random.pick([500, 502, 503, 504, 429, 408, 425, 421])
      const retryAfter = status === 429 || status === 503 ? random.pick([null, '0', '0', '1']) : null
      return { path, kind, content, status, failures: 1 + random.below(MAX_FAILURES), retryAfter }
    }
    case 'redirect': {
      const status = random.pick([301, 302, 303, 307, 308] as const)
      return { path, kind, status, to: toReference(random, path, redirectTo ?? { kind: 'node', path: '/' }) }
    }
    case 'document':
      return { path, kind, bytes: 500 + random.below(3000) }
    case 'reset':
      return { path, kind }
    default:
      return { path, kind, content: { title: content.title, base: null, links: [UNFOLLOWED_LINK] } }
  }
}

function toReference(seededRandom: SeededRandom, from: string, linkTarget: LinkTarget): Reference {
  if (linkTarget.kind === 'node')
    return spellReference(seededRandom, { base: from, target: linkTarget.path, allowBlanks: false })
  return { prefix: 'none', href: linkTarget.kind === 'external' ? linkTarget.url : '', target: linkTarget }
}
