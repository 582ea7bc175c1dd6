import type { FuzzTarget } from '../fuzz-target.ts'
import { dnsTarget } from './dns.ts'
import { headersTarget } from './headers.ts'
import { htmlTarget } from './html.ts'
import { treeTarget } from './html-tree.ts'
import { httpTarget } from './http.ts'
import { robotsTarget } from './robots.ts'
import { sitemapTarget } from './sitemap.ts'
import { urlTarget } from './url.ts'

export const TARGETS: readonly FuzzTarget[] = [
  urlTarget,
  htmlTarget,
  treeTarget,
  robotsTarget,
  sitemapTarget,
  headersTarget,
  dnsTarget,
  httpTarget,
]

export function findTarget(name: string): FuzzTarget {
  const target = TARGETS.find((one) => one.name === name)
  if (target === undefined)
    throw new Error(`Unknown target "${name}". Choose one of ${TARGETS.map((one) => one.name).join(', ')}`)
  return target
}
