import type { Target } from '../target.ts'
import { dnsTarget } from './dns.ts'
import { headersTarget } from './headers.ts'
import { htmlTarget } from './html.ts'
import { httpTarget } from './http.ts'
import { robotsTarget } from './robots.ts'
import { sitemapTarget } from './sitemap.ts'
import { treeTarget } from './tree.ts'
import { urlTarget } from './url.ts'

export const TARGETS: readonly Target[] = [
  urlTarget,
  htmlTarget,
  treeTarget,
  robotsTarget,
  sitemapTarget,
  headersTarget,
  dnsTarget,
  httpTarget,
]

export function findTarget(name: string): Target {
  const target = TARGETS.find((one) => one.name === name)
  if (target === undefined)
    throw new Error(`no target ${name}: it is one of ${TARGETS.map((one) => one.name).join(', ')}`)
  return target
}
