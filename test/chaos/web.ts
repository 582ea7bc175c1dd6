// The web of a chaos run: hosts for a crawl that keeps a gap, so that each belongs to one worker at a time, and hosts for
// a crawl with several slots and no gap, so that workers share them.

import type { PlacedSite, Site } from '../../src/demo/model.ts'
import { type ServedWeb, serveSites } from '../../src/demo/serve.ts'
import { makeSite } from '../sites/graph.ts'

export interface WebShape {
  seed: number
  gapHosts: number
  sharedHosts: number
  /** Of each host. */
  pages: number
  gapMs: number
  /** How long a page of a shared host takes. */
  slowMs: number
}

export interface ChaosCrawl {
  name: 'gap' | 'shared'
  placed: PlacedSite[]
  seeds: string[]
  perHost: number
  gapMs: number
}

export interface ChaosWeb {
  served: ServedWeb
  crawls: ChaosCrawl[]
}

export const SLOTS = 3

export async function serveWeb(shape: WebShape): Promise<ChaosWeb> {
  const { seed, gapHosts, sharedHosts, pages, gapMs, slowMs } = shape
  const sites = Array.from({ length: gapHosts + sharedHosts }, (_, i) => {
    const site = makeSite(seed + i, { pages })
    return i < gapHosts ? site : slowDown(site, slowMs)
  })
  const served = await serveSites(sites)
  const crawlOf = (name: ChaosCrawl['name'], placed: PlacedSite[]) => ({
    name,
    placed,
    seeds: placed.map(({ origin }) => `${origin}/`),
  })
  return {
    served,
    crawls: [
      { ...crawlOf('gap', served.placed.slice(0, gapHosts)), perHost: 1, gapMs },
      { ...crawlOf('shared', served.placed.slice(gapHosts)), perHost: SLOTS, gapMs: 0 },
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
