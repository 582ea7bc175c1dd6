// What stands at each address of a generated site.

import type { Content, Link, Reference, SiteNode, Target } from '../../src/demo/model.ts'
import type { Random } from '../../src/demo/random.ts'
import { spell } from '../../src/demo/spell.ts'

export type Kind = SiteNode['kind']

const ODD_KINDS: readonly Kind[] = [
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
// Redirects and healing pages are where crawlers go wrong; resets cost a backoff each, so they stay rare.
const COMMON_ODD: readonly Kind[] = ['redirect', 'redirect', 'redirect', 'missing', 'flaky', 'slow', 'document', 'gone']

/** Error pages have links too, and nobody may follow them. */
const NEVER: Link = { via: 'a', prefix: 'none', href: '/never/0', target: { kind: 'node', path: '/never/0' } }

/** The root is a page; a site of some size has each kind at least once. */
export function chooseKinds(random: Random, count: number): Kind[] {
  const kinds: Kind[] = []
  for (let i = 0; i < count; i++) kinds.push(random.chance(0.25) ? random.pick(COMMON_ODD) : 'page')
  if (count >= 30) for (const [k, kind] of ODD_KINDS.entries()) kinds[5 + 2 * k] = kind
  kinds[0] = 'page'
  return kinds
}

export interface NodePlan {
  random: Random
  path: string
  kind: Kind
  content: Content
  redirectTo: Target | undefined
}

export function makeNode({ random, path, kind, content, redirectTo }: NodePlan): SiteNode {
  switch (kind) {
    case 'page':
      return { path, kind, content }
    case 'slow':
      return { path, kind, content, delayMs: 20 + random.below(100) }
    case 'flaky': {
      const status = random.pick([500, 502, 503, 504, 429, 408, 425, 421])
      const retryAfter = status === 429 || status === 503 ? random.pick([null, '0', '0', '1']) : null
      return { path, kind, content, status, failures: 1 + random.below(2), retryAfter }
    }
    case 'redirect': {
      const status = random.pick([301, 302, 303, 307, 308] as const)
      return { path, kind, status, to: referTo(random, path, redirectTo ?? { kind: 'node', path: '/' }) }
    }
    case 'document':
      return { path, kind, bytes: 500 + random.below(3000) }
    case 'reset':
      return { path, kind }
    default:
      return { path, kind, content: { title: content.title, base: null, links: [NEVER] } }
  }
}

function referTo(random: Random, from: string, target: Target): Reference {
  if (target.kind === 'node') return spell(random, { base: from, target: target.path, allowBlanks: false })
  return { prefix: 'none', href: target.kind === 'external' ? target.url : '', target }
}
