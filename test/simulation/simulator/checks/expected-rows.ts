// Computes the expected rows of a crawl from the generated web alone: breadth first, a redirect costs nothing. It must
// not import the engine.

import type { TerminalState } from '../../../../src/lib/states.ts'
import type { UrlKind } from '../../../../src/ports/visits.ts'
import type { GeneratedPage, GeneratedWeb } from '../web/generated-web.ts'

export interface ExpectedRow {
  state: TerminalState
  httpStatus: number | null
  depth: number
  kind: UrlKind
  /** Links of the page that are in the ledger. */
  links: string[]
}

export interface ExpectedRowsOptions {
  maxDepth: number | null
  ignoreRobots: boolean
}

export function expectRows(generatedWeb: GeneratedWeb, plan: ExpectedRowsOptions): Map<string, ExpectedRow> {
  const depths = shortestDepths(generatedWeb, plan)
  const rows = new Map<string, ExpectedRow>()
  for (const [url, depth] of depths) {
    const { state, httpStatus, links } = outcomeOf(generatedWeb, url, plan)
    const kind = isSitemap(generatedWeb, url) ? 'sitemap' : 'page'
    rows.set(url, { state, httpStatus, depth, kind, links: links.filter((link) => depths.has(link)).sort() })
  }
  return rows
}

/** The robots.txt of a host is read, and so its sitemap discovered, as soon as any of its URLs is known. */
function shortestDepths(generatedWeb: GeneratedWeb, plan: ExpectedRowsOptions): Map<string, number> {
  const seeds = new Set(generatedWeb.seeds)
  for (;;) {
    const depths = walk(generatedWeb, [...seeds], plan)
    const before = seeds.size
    if (!plan.ignoreRobots) {
      for (const { name, sitemap } of generatedWeb.hosts.values()) {
        const isKnown = [...depths.keys()].some((url) => url.startsWith(`http://${name}/`))
        if (sitemap !== null && isKnown) seeds.add(sitemap.url)
      }
    }
    if (seeds.size === before) return depths
  }
}

function walk(generatedWeb: GeneratedWeb, seeds: string[], plan: ExpectedRowsOptions): Map<string, number> {
  const depths = new Map<string, number>()
  const limit = plan.maxDepth ?? Number.POSITIVE_INFINITY
  let level = seeds
  for (let depth = 0; level.length > 0 && depth <= limit; depth++) {
    const next: string[] = []
    for (const url of level) {
      if (depths.has(url)) continue
      depths.set(url, depth)
      const { state, links } = outcomeOf(generatedWeb, url, plan)
      if (state === 'visited') next.push(...links)
      if (state === 'redirected') level.push(...links)
    }
    level = next
  }
  return depths
}

interface ExpectedOutcome {
  state: TerminalState
  httpStatus: number | null
  links: string[]
}

function outcomeOf(generatedWeb: GeneratedWeb, url: string, plan: ExpectedRowsOptions): ExpectedOutcome {
  const { host, pathname } = new URL(url)
  const rules = generatedWeb.hosts.get(host)
  if (rules?.sitemap?.url === url) return { state: 'visited', httpStatus: 200, links: rules.sitemap.lists }
  const page = generatedWeb.pages.get(url)
  if (page === undefined) throw new Error(`${url} is not in the generated web`)
  const isDenied = !plan.ignoreRobots && rules !== undefined && rules.disallow !== null
  if (isDenied && pathname.startsWith(rules.disallow ?? '')) return { state: 'excluded', httpStatus: null, links: [] }
  return expectPageOutcome(page)
}

function expectPageOutcome({ kind, links }: GeneratedPage): ExpectedOutcome {
  switch (kind) {
    case 'page':
    case 'flaky':
    case 'dropped':
      return { state: 'visited', httpStatus: 200, links }
    case 'redirect':
      return { state: 'redirected', httpStatus: 302, links }
    case 'missing':
      return { state: 'not_found', httpStatus: 404, links: [] }
    case 'forbidden':
      return { state: 'forbidden', httpStatus: 403, links: [] }
    case 'gone':
      return { state: 'http_error', httpStatus: 410, links: [] }
    case 'broken':
      return { state: 'http_error', httpStatus: 500, links: [] }
  }
}

function isSitemap(generatedWeb: GeneratedWeb, url: string): boolean {
  return generatedWeb.hosts.get(new URL(url).host)?.sitemap?.url === url
}
