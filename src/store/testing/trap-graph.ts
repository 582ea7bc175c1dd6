// Random graphs of pages that hold each other's links under a few patterns, with dead ends, redirects, endless paths and
// pages that have something new.

import type { SeededRandom } from '../../lib/seeded-random.ts'
import { STALE } from '../../ports/contracts/testing/held-links.ts'
import { foundUrl, type StoreHarness } from '../../ports/contracts/testing/store-harness.ts'
import type { Lease, LeasedUrl } from '../../ports/leases.ts'
import type { VisitReport } from '../../ports/visits.ts'

export interface TrapPage {
  kind: 'plain' | 'holding' | 'gone' | 'redirect'
  pattern: string
  /** Links that are held if the page is `holding` or on trial. */
  links: string[]
  /** Links that are never held if the page is not on trial or `hasFilters`. */
  plainLinks: string[]
  lines: number[]
  isEndless: boolean
  hasFilters: boolean
}

const PATTERNS = ['a.test/p?*', 'a.test/q?*', 'a.test/N', 'a.test/*?sid']
export const ENTRANCES = ['a/0', 'a/1', 'a/2']
const FRUITFUL_SHARES = [0, 0.1, 0.3, 0.6]
const OLD_LINE = 7

export function makeTrapGraph(random: SeededRandom): Map<string, TrapPage> {
  const size = 40 + random.below(160)
  const share = FRUITFUL_SHARES[random.below(FRUITFUL_SHARES.length)] ?? 0
  // Most links lead a few pages further.
  const target = (i: number) =>
    `a/${random.chance(0.7) ? Math.min(size - 1, i + 1 + random.below(4)) : random.below(size)}`
  const pages = Array.from({ length: size }, (_, i): [string, TrapPage] => {
    const links = [...new Set(Array.from({ length: 1 + random.below(5) }, () => target(i)))]
    return [
      `a/${i}`,
      {
        kind: i < ENTRANCES.length ? 'holding' : kindOf(random.below(100)),
        pattern: PATTERNS[random.below(PATTERNS.length)] ?? '',
        links,
        plainLinks: random.chance(0.3) ? [target(i)] : [],
        lines: random.chance(share) ? [i * 10, i * 10 + 1, i * 10 + 2] : [OLD_LINE],
        isEndless: random.chance(0.1),
        hasFilters: random.chance(0.15),
      },
    ]
  })
  return new Map(pages)
}

function kindOf(percentile: number): TrapPage['kind'] {
  if (percentile < 25) return 'plain'
  if (percentile < 85) return 'holding'
  return percentile < 93 ? 'gone' : 'redirect'
}

/** Reports a page as a crawl thread does. */
export function reportTrapPage(
  storeHarness: StoreHarness,
  { lease, url, page }: { lease: Lease; url: LeasedUrl; page: TrapPage },
): VisitReport {
  const { kind, lines, isEndless } = page
  if (kind === 'gone') return storeHarness.endedReport(lease, url, { state: 'not_found', reason: null })
  const without = { ...STALE, lineHashes: [] }
  if (kind === 'redirect') {
    const redirected = storeHarness.endedReport(
      lease,
      url,
      { state: 'redirected', reason: null },
      page.links.slice(0, 1),
    )
    return { ...redirected, traps: without }
  }
  const trial = url.ancestry?.trial ?? null
  const links = [...new Set([...page.links, ...page.plainLinks])]
  if (trial === null && kind === 'plain') return { ...storeHarness.visitedReport(lease, url, links), traps: without }
  const followed = trial === null || page.hasFilters ? page.plainLinks : []
  const held = links.filter((link) => !followed.includes(link))
  const visit = {
    ...storeHarness.visitedReport(lease, url, [...followed, ...held]),
    traps: {
      ...STALE,
      lineHashes: lines,
      hasEndlessPaths: isEndless && trial !== null,
      held: { pattern: trial ?? page.pattern, found: held.map(foundUrl) },
    },
  }
  const heldKeys = new Set(held.map((link) => foundUrl(link).key))
  return storeHarness.withoutKnownLinks(visit, ({ key }) => heldKeys.has(key))
}
