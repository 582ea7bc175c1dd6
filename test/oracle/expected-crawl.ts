// Computes the result of a correct crawl from the site model alone. It must not import the engine, or both could share
// a mistake.

import { ERROR_STATUS, isFollowed, type LinkTarget, type ServedSite, type SiteNode } from '../../src/demo/site-model.ts'

export type ExpectedState = 'visited' | 'redirected' | 'forbidden' | 'not_found' | 'http_error' | 'failed'

export interface ExpectedUrl {
  state: ExpectedState
  httpStatus: number | null
  depth: number
  /** Requests that the server gets for this URL if nothing is killed. */
  attempts: number
}

export interface ExpectedCrawlOptions {
  seeds: string[]
  /** Null for no limit. */
  maxDepth: number | null
  /** Attempts after the first. */
  retries: number
  followRedirects: boolean
}

interface LocatedNode {
  node: SiteNode
  origin: string
}

/** The expected crawl with scope `host`: the hosts of the seeds and their www variants. */
export function expectCrawl(servedSites: ServedSite[], plan: ExpectedCrawlOptions): Map<string, ExpectedUrl> {
  const nodes = locateNodes(servedSites)
  const hosts = new Set(plan.seeds.map((seed) => withoutWww(new URL(seed).host)))
  const depths = new Map<string, number>()
  const expected = new Map<string, ExpectedUrl>()

  const limit = plan.maxDepth ?? Infinity
  let level = plan.seeds.map((seed) => withoutFragment(seed))
  for (let depth = 0; level.length > 0 && depth <= limit; depth++) {
    const next: string[] = []
    // A redirect costs no depth, so its target is added to the current level.
    for (const url of level) {
      if (depths.has(url) || !hosts.has(withoutWww(new URL(url).host))) continue
      depths.set(url, depth)
      const locatedNode = nodes.get(url) ?? missingNode(url)
      const outcome = expectNode(locatedNode.node, plan.retries)
      expected.set(url, { ...outcome, depth })
      if (outcome.state === 'visited') next.push(...linksOf(locatedNode))
      if (locatedNode.node.kind === 'redirect' && plan.followRedirects)
        level.push(...urlsOf(locatedNode.node.to.target, locatedNode))
    }
    level = next
  }
  return expected
}

function locateNodes(servedSites: ServedSite[]): Map<string, LocatedNode> {
  const nodes = new Map<string, LocatedNode>()
  for (const { site, origin } of servedSites) {
    for (const node of site.nodes.values()) nodes.set(withoutFragment(origin + node.path), { node, origin })
  }
  return nodes
}

function missingNode(url: string): LocatedNode {
  return {
    node: { path: url, kind: 'missing', content: { title: '', base: null, links: [] } },
    origin: new URL(url).origin,
  }
}

function expectNode(node: SiteNode, retries: number): Omit<ExpectedUrl, 'depth'> {
  switch (node.kind) {
    case 'page':
    case 'slow':
    case 'document':
      return { state: 'visited', httpStatus: 200, attempts: 1 }
    case 'flaky':
      return node.failures <= retries
        ? { state: 'visited', httpStatus: 200, attempts: node.failures + 1 }
        : { state: 'http_error', httpStatus: node.status, attempts: retries + 1 }
    case 'redirect':
      return { state: 'redirected', httpStatus: node.status, attempts: 1 }
    case 'missing':
      return { state: 'not_found', httpStatus: ERROR_STATUS.missing, attempts: 1 }
    case 'forbidden':
      return { state: 'forbidden', httpStatus: ERROR_STATUS.forbidden, attempts: 1 }
    case 'gone':
    case 'unauthorised':
      return { state: 'http_error', httpStatus: ERROR_STATUS[node.kind], attempts: 1 }
    case 'broken':
      return { state: 'http_error', httpStatus: ERROR_STATUS.broken, attempts: retries + 1 }
    case 'reset':
      return { state: 'failed', httpStatus: null, attempts: retries + 1 }
  }
}

function linksOf(locatedNode: LocatedNode): string[] {
  const { node } = locatedNode
  if (node.kind !== 'page' && node.kind !== 'slow' && node.kind !== 'flaky') return []
  return node.content.links.filter((link) => isFollowed(link.via)).flatMap((link) => urlsOf(link.target, locatedNode))
}

function urlsOf(linkTarget: LinkTarget, { origin }: LocatedNode): string[] {
  switch (linkTarget.kind) {
    case 'node':
      return [withoutFragment(origin + linkTarget.path)]
    case 'external':
      return [withoutFragment(linkTarget.url)]
    case 'nothing':
      return []
  }
}

function withoutFragment(url: string): string {
  const parsed = new URL(url)
  parsed.hash = ''
  return parsed.href
}

/** The host without `www.`, so that the twins are equal. */
function withoutWww(host: string): string {
  return host.startsWith('www.') ? host.slice(4) : host
}
