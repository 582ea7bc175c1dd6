// Generates a whole site from one seed: a spanning structure of chains and trees, so that nearly everything can be
// reached, then cycles, dense pages, duplicates and noise on top.

import { spellReference } from '../../../src/demo/link-spelling.ts'
import {
  type Content,
  IGNORED_SOURCES,
  type Link,
  type LinkSource,
  type LinkTarget,
  type Site,
  type SiteNode,
} from '../../../src/demo/site-model.ts'
import { type SeededRandom, seededRandom } from '../../../src/lib/seeded-random.ts'
import { chooseKinds, makeNode, type NodeKind } from './site-nodes.ts'
import { makePaths } from './site-paths.ts'

const UNFOLLOWED_PATHS = [
  '/never/0',
  '/never/1',
  '/never/2',
  '/never/base/',
  '/never/data',
  '/never/inside-a-frame',
  '/never/in-a-document',
]

/** Values of `base href`; none of them exists. */
export const BASE_HREFS = ['/news/', '/a/b/c.html', '/?base=1']

export interface GeneratedSiteOptions {
  /** Number of URLs of the site, of every kind, except those that must never be followed. */
  pages: number
}

interface Draft {
  random: SeededRandom
  paths: string[]
  kinds: NodeKind[]
  contents: Map<string, Content>
}

export function makeSite(seed: number, { pages }: GeneratedSiteOptions): Site {
  const random = seededRandom(seed)
  const paths = makePaths(random, pages)
  const kinds = chooseKinds(random, pages)
  const contents = new Map<string, Content>()
  for (const [i, path] of paths.entries()) {
    const base = random.chance(0.1) ? random.pick(BASE_HREFS) : null
    contents.set(path, { title: `Page ${i} of site ${seed}`, base, links: [] })
  }
  const draft = { random, paths, kinds, contents }
  const redirects = linkSpanningTree(draft)
  linkRings(draft)
  linkDensely(draft)
  addNoise(draft)

  const nodes = new Map<string, SiteNode>()
  for (const [i, path] of paths.entries()) {
    const kind = kinds[i] ?? 'page'
    nodes.set(path, makeNode({ random, path, kind, content: contentOf(draft, path), redirectTo: redirects.get(i) }))
  }
  for (const path of UNFOLLOWED_PATHS) {
    nodes.set(path, { path, kind: 'page', content: { title: 'Nobody links here', base: null, links: [] } })
  }
  return { seed, nodes }
}

/** Gives every URL one way in: a link from an earlier page, or a redirect from the previous URL. */
function linkSpanningTree(draft: Draft): Map<number, LinkTarget> {
  const { random, paths, kinds } = draft
  const redirects = new Map<number, LinkTarget>()
  const sources: string[] = []
  let chain = 0
  for (const [i, path] of paths.entries()) {
    const kind = kinds[i] ?? 'page'
    const before = redirects.get(i - 1)
    const isReached = before?.kind === 'node' && before.path === path
    if (i > 0 && (!isReached || random.chance(0.3))) {
      const inLongChain = i > chainStart(paths) && i < paths.length * 0.85
      const latest = sources.at(-1) ?? '/'
      addLink(draft, inLongChain || random.chance(0.4) ? latest : random.pick(sources), path)
    }
    if (kind === 'redirect') {
      // Keeps redirect chains below the limit of any crawler.
      chain = isReached ? chain + 1 : 0
      redirects.set(i, chooseRedirect(draft, i, chain < 3))
    } else if (canLink(kind)) sources.push(path)
  }
  return redirects
}

function chooseRedirect({ random, paths }: Draft, i: number, mayExtend: boolean): LinkTarget {
  const roll = random.next()
  const following = paths[i + 1]
  if (mayExtend && following !== undefined && roll < 0.5) return { kind: 'node', path: following }
  if (roll < 0.65) return { kind: 'external', url: 'http://elsewhere.invalid/landing' }
  if (roll < 0.75) return { kind: 'node', path: paths[i] ?? '/' }
  // The previous URL: often the redirect that led here, which makes a loop of two.
  if (roll < 0.85) return { kind: 'node', path: paths[i - 1] ?? '/' }
  return { kind: 'node', path: paths[random.below(Math.min(3, paths.length))] ?? '/' }
}

function linkRings(draft: Draft): void {
  const hubs = listLinkingPaths(draft)
  for (let i = 0; i + 6 < hubs.length; i += 7) {
    for (let k = 0; k < 7; k++) addLink(draft, hubs[i + k] ?? '/', hubs[i + ((k + 1) % 7)] ?? '/')
  }
}

/** Adds random links back or a little forward; otherwise every URL would be near the root. */
function linkDensely(draft: Draft): void {
  const { random, paths } = draft
  const hubs = listLinkingPaths(draft)
  for (const hub of hubs) {
    const reach = paths.indexOf(hub) + 4
    for (let k = random.below(5); k > 0; k--) addLink(draft, hub, paths[random.below(reach)] ?? '/')
  }
  const dense = hubs.at(-2) ?? '/'
  // Links do not lead into the long chain, which they would shorten.
  for (const path of paths.slice(0, chainStart(paths)).slice(-80)) addLink(draft, dense, path)
}

function addNoise(draft: Draft): void {
  const { random, paths } = draft
  for (const path of paths) {
    const { base, links } = contentOf(draft, path)
    const duplicate = links[0]
    if (duplicate !== undefined && random.chance(0.3)) links.push({ ...duplicate, via: 'a' })
    if (random.chance(0.3)) links.push(makeLink('a', random.pick(EXTERNAL_HREFS), 'external'))
    if (random.chance(0.2)) links.push(makeLink('a', random.pick(UNCRAWLABLE_HREFS), 'nothing'))
    if (random.chance(0.4)) links.push(makeLink(random.pick(IGNORED_SOURCES), random.pick(UNFOLLOWED_PATHS), 'node'))
    // On a page with a base, fragments and empty hrefs lead to another page.
    if (base !== null) links.push({ ...makeLink('a', base, 'node'), href: random.pick(['', '#top']) })
  }
}

const EXTERNAL_HREFS = [
  'http://elsewhere.invalid/',
  '//cdn.elsewhere.invalid/x.html',
  'https://example.invalid:8443/a?b#c',
]
const UNCRAWLABLE_HREFS = [
  'mailto:a@example.invalid',
  'javascript:void(0)',
  'tel:+100200300',
  'data:text/html,hi',
  'http://[',
]

function makeLink(linkSource: LinkSource, href: string, kind: LinkTarget['kind']): Link {
  if (kind === 'node') return { via: linkSource, prefix: 'none', href, target: { kind, path: href } }
  if (kind === 'external')
    return { via: linkSource, prefix: 'none', href, target: { kind, url: new URL(href, 'http://any').href } }
  return { via: linkSource, prefix: 'none', href, target: { kind } }
}

function addLink(draft: Draft, from: string, to: string): void {
  const { random } = draft
  const { base, links } = contentOf(draft, from)
  const linkSource = chooseVia(random, links)
  links.push({
    via: linkSource,
    ...spellReference(random, { base: base ?? from, target: to, allowBlanks: linkSource === 'a' }),
  })
}

function chooseVia(seededRandom: SeededRandom, links: Link[]): LinkSource {
  const via = seededRandom.chance(0.75)
    ? 'a'
    : seededRandom.pick(['area', 'iframe', 'canonical', 'next', 'refresh'] as const)
  const isSingle = via === 'canonical' || via === 'next' || via === 'refresh'
  return isSingle && links.some((link) => link.via === via) ? 'a' : via
}

function chainStart(paths: string[]): number {
  return Math.ceil(paths.length * 0.6)
}

function listLinkingPaths({ paths, kinds }: Draft): string[] {
  return paths.filter((_, i) => canLink(kinds[i] ?? 'page'))
}

function canLink(kind: NodeKind): boolean {
  return kind === 'page' || kind === 'slow' || kind === 'flaky'
}

function contentOf(draft: Draft, path: string): Content {
  const content = draft.contents.get(path)
  if (content === undefined) throw new Error(`${path} has no content.`)
  return content
}
