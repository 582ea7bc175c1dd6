// What a correct crawl must find, worked out from the site model alone. Nothing here may import the engine:
// two independent answers are worth a comparison, one answer copied is not.

import { isFollowed, PLAIN_STATUS, type PlacedSite, type SiteNode, type Target } from '../../src/demo/model.ts'

export type ExpectedState = 'visited' | 'redirected' | 'forbidden' | 'not_found' | 'http_error' | 'failed'

export interface Expected {
  state: ExpectedState
  httpStatus: number | null
  depth: number
  /** Requests that the server gets for this url, when nothing is killed. */
  attempts: number
}

export interface CrawlPlan {
  seeds: string[]
  /** null: no limit. */
  maxDepth: number | null
  /** Further attempts after the first. */
  retries: number
  followRedirects: boolean
}

interface Place {
  node: SiteNode
  origin: string
}

/** Expects one crawl with scope `host`: the hosts of the seeds and their www twins. */
export function expectCrawl(placed: PlacedSite[], plan: CrawlPlan): Map<string, Expected> {
  const places = locate(placed)
  const hosts = new Set(plan.seeds.map((seed) => twinless(new URL(seed).host)))
  const depths = new Map<string, number>()
  const expected = new Map<string, Expected>()

  const limit = plan.maxDepth ?? Infinity
  let level = plan.seeds.map((seed) => canonical(seed))
  for (let depth = 0; level.length > 0 && depth <= limit; depth++) {
    const next: string[] = []
    // A redirect costs no depth, so its target joins the level that is being walked.
    for (const url of level) {
      if (depths.has(url) || !hosts.has(twinless(new URL(url).host))) continue
      depths.set(url, depth)
      const place = places.get(url) ?? nothingAt(url)
      const outcome = expectNode(place.node, plan.retries)
      expected.set(url, { ...outcome, depth })
      if (outcome.state === 'visited') next.push(...linksOf(place))
      if (place.node.kind === 'redirect' && plan.followRedirects) level.push(...urlsOf(place.node.to.target, place))
    }
    level = next
  }
  return expected
}

function locate(placed: PlacedSite[]): Map<string, Place> {
  const places = new Map<string, Place>()
  for (const { site, origin } of placed) {
    for (const node of site.nodes.values()) places.set(canonical(origin + node.path), { node, origin })
  }
  return places
}

function nothingAt(url: string): Place {
  return {
    node: { path: url, kind: 'missing', content: { title: '', base: null, links: [] } },
    origin: new URL(url).origin,
  }
}

function expectNode(node: SiteNode, retries: number): Omit<Expected, 'depth'> {
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
      return { state: 'not_found', httpStatus: PLAIN_STATUS.missing, attempts: 1 }
    case 'forbidden':
      return { state: 'forbidden', httpStatus: PLAIN_STATUS.forbidden, attempts: 1 }
    case 'gone':
    case 'unauthorised':
      return { state: 'http_error', httpStatus: PLAIN_STATUS[node.kind], attempts: 1 }
    case 'broken':
      return { state: 'http_error', httpStatus: PLAIN_STATUS.broken, attempts: retries + 1 }
    case 'reset':
      return { state: 'failed', httpStatus: null, attempts: retries + 1 }
  }
}

function linksOf(place: Place): string[] {
  const { node } = place
  if (node.kind !== 'page' && node.kind !== 'slow' && node.kind !== 'flaky') return []
  return node.content.links.filter((link) => isFollowed(link.via)).flatMap((link) => urlsOf(link.target, place))
}

function urlsOf(target: Target, { origin }: Place): string[] {
  switch (target.kind) {
    case 'node':
      return [canonical(origin + target.path)]
    case 'external':
      return [canonical(target.url)]
    case 'nothing':
      return []
  }
}

function canonical(url: string): string {
  const parsed = new URL(url)
  parsed.hash = ''
  return parsed.href
}

/** The host without its `www.`, so that the twins compare equal. */
function twinless(host: string): string {
  return host.startsWith('www.') ? host.slice(4) : host
}
