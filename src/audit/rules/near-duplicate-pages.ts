import { countBits } from '../../lib/count-bits.ts'
import { MAX_LISTED_FINDINGS } from '../../ports/audits.ts'
import { NEAR_BITS } from '../../ports/pages.ts'
import type { Rule } from '../rule.ts'
import { TextGroups } from '../text-groups.ts'

const HALF_BITS = 28n
const QUARTER_BITS = 14
const QUARTER_MASK = (1 << QUARTER_BITS) - 1
/** Pages that a page is compared with, of each quarter of its fingerprint. */
const MAX_COMPARED = 500

interface Leader {
  index: number
  high: number
  low: number
}

export const nearDuplicatePages: Rule = {
  name: 'near-duplicate-pages',
  title: 'Near-duplicate pages',
  severity: 'notice',
  why: 'Pages with almost the same text compete with each other in search results.',
  fix: 'Merge them, tell them apart, or name one as the canonical URL of the others.',
  needs: 'archive',
  start({ urls, add, countOnly }) {
    // Two fingerprints that differ in at most three bits agree in at least one quarter.
    const quarters = [0, 1, 2, 3].map(() => new Map<number, Leader[]>())
    const contents = new TextGroups()
    const pairs: { index: number; leader: number }[] = []
    const texts = new Map<number, string>()
    return {
      version({ fingerprint, contentHash }, index) {
        if (fingerprint === null || !urls.isIndexable(index)) return
        // Equal pages are duplicates, reported by their own rule.
        if (contentHash !== null && contents.count(contents.add(contentHash)) > 1) return
        const page = { index, ...halvesOf(fingerprint) }
        const near = findNear(quarters, page)
        if (near === null) return
        if (pairs.length >= MAX_LISTED_FINDINGS) return countOnly()
        pairs.push({ index, leader: near.index })
        texts.set(index, '').set(near.index, '')
      },
      report({ url }, index) {
        if (texts.has(index)) texts.set(index, url)
      },
      end() {
        for (const { index, leader } of pairs.sort((a, b) => a.leader - b.leader || a.index - b.index)) {
          const other = { otherUrlId: urls.idOf(leader), otherUrl: texts.get(leader) ?? '' }
          add({ urlId: urls.idOf(index), url: texts.get(index) ?? '', ...other, detail: 'Almost the same text' })
        }
      },
    }
  },
}

function halvesOf(fingerprint: string): { high: number; low: number } {
  const bits = BigInt(fingerprint)
  return { high: Number(BigInt.asUintN(28, bits >> HALF_BITS)), low: Number(BigInt.asUintN(28, bits)) }
}

function distance(a: Leader, b: Leader): number {
  return countBits(a.high ^ b.high) + countBits(a.low ^ b.low)
}

/** The first page that is near; if there is none, the page itself is compared with later ones. */
function findNear(quarters: Map<number, Leader[]>[], page: Leader): Leader | null {
  const { high, low } = page
  const keys = [high >>> QUARTER_BITS, high & QUARTER_MASK, low >>> QUARTER_BITS, low & QUARTER_MASK]
  for (const [i, key] of keys.entries()) {
    const near = quarters[i]?.get(key)?.find((leader) => distance(leader, page) <= NEAR_BITS)
    if (near !== undefined) return near
  }
  for (const [i, key] of keys.entries()) {
    const leaders = quarters[i]?.get(key)
    if (leaders === undefined) quarters[i]?.set(key, [page])
    else if (leaders.length < MAX_COMPARED) leaders.push(page)
  }
  return null
}
