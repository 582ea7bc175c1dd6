// The web of a chaos run: hosts for a crawl with a gap, each of which belongs to one worker at a time, and hosts for a
// crawl with several slots and no gap, which workers share.

import { type ServedSites, serveSites } from '../../src/demo/serve-sites.ts'
import type { ServedSite, Site } from '../../src/demo/site-model.ts'
import { makeSite } from '../sites/generated/make-site.ts'

export interface ChaosWebOptions {
  seed: number
  gapHosts: number
  sharedHosts: number
  /** Pages per host. */
  pages: number
  gapMs: number
  /** Response time of a page on a shared host. */
  slowMs: number
}

export interface ChaosCrawl {
  name: 'gap' | 'shared'
  placed: ServedSite[]
  seeds: string[]
  perHost: number
  gapMs: number
}

export interface ChaosWeb {
  served: ServedSites
  crawls: ChaosCrawl[]
}

export const SHARED_HOST_SLOTS = 3

export async function serveChaosWeb(shape: ChaosWebOptions): Promise<ChaosWeb> {
  const { seed, gapHosts, sharedHosts, pages, gapMs, slowMs } = shape
  const sites = Array.from({ length: gapHosts + sharedHosts }, (_, i) => {
    const site = makeSite(seed + i, { pages })
    return i < gapHosts ? site : slowDown(site, slowMs)
  })
  const served = await serveSites(sites)
  const crawlOf = (name: ChaosCrawl['name'], placed: ServedSite[]) => ({
    name,
    placed,
    seeds: placed.map(({ origin }) => `${origin}/`),
  })
  return {
    served,
    crawls: [
      { ...crawlOf('gap', served.sites.slice(0, gapHosts)), perHost: 1, gapMs },
      { ...crawlOf('shared', served.sites.slice(gapHosts)), perHost: SHARED_HOST_SLOTS, gapMs: 0 },
    ],
  }
}

function slowDown(site: Site, delayMs: number): Site {
  const nodes = new Map(site.nodes)
  for (const [path, node] of nodes) {
    if (node.kind === 'page' || node.kind === 'slow') nodes.set(path, { ...node, kind: 'slow', delayMs })
  }
  return { ...site, nodes }
}
