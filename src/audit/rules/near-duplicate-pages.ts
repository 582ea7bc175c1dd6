import { countBits } from '../../lib/count-bits.ts'
import { MAX_LISTED_FINDINGS } from '../../ports/audits.ts'
import { NEAR_BITS } from '../../ports/pages.ts'
import type { Rule } from '../rule.ts'
import { TextGroups } from '../text-groups.ts'
import { similarity, sketchText, type TextSketch } from '../text-sketch.ts'

const HALF_BITS = 28n
const QUARTER_BITS = 14
const QUARTER_MASK = (1 << QUARTER_BITS) - 1
/** Shorter pages may have little more in common than the navigation around them. */
const MIN_WORDS = 200
const MIN_SIMILARITY = 0.85
/** Pages that a page is compared with, of each quarter of its fingerprint. */
const MAX_COMPARED = 500

interface Fingerprint {
  index: number
  high: number
  low: number
}

/** Fingerprints find candidates among all pages; sketches of their texts decide. */
export const nearDuplicatePages: Rule = {
  name: 'near-duplicate-pages',
  title: 'Near-duplicate pages',
  severity: 'notice',
  why: 'Pages with almost the same text compete with each other in search results.',
  fix: 'Merge them, make them more distinct, or name one as the canonical URL of the others.',
  needs: 'archive',
  start({ urls, add }) {
    // Two fingerprints that differ in at most three bits agree in at least one quarter.
    const quarters = [0, 1, 2, 3].map(() => new Map<number, Fingerprint[]>())
    const contents = new TextGroups()
    const pairs: { index: number; leader: number }[] = []
    const sketches = new Map<number, TextSketch | null>()
    const texts = new Map<number, string>()
    return {
      version({ fingerprint, contentHash, words }, index) {
        if (fingerprint === null || (words ?? 0) < MIN_WORDS || !urls.isIndexable(index)) return
        // Equal pages are duplicates, reported by their own rule.
        if (contentHash !== null && contents.count(contents.add(contentHash)) > 1) return
        const near = findNearest(quarters, { index, ...halvesOf(fingerprint) })
        if (near === null || pairs.length >= MAX_LISTED_FINDINGS) return
        pairs.push({ index, leader: near.index })
        sketches.set(index, null).set(near.index, null)
      },
      page({ index, facts }) {
        if (sketches.has(index)) sketches.set(index, sketchText(facts.text()))
      },
      report({ url }, index) {
        if (sketches.has(index)) texts.set(index, url)
      },
      end() {
        for (const { index, leader } of pairs.sort((a, b) => a.leader - b.leader || a.index - b.index)) {
          const [one, other] = [sketches.get(index) ?? null, sketches.get(leader) ?? null]
          const share = one === null || other === null ? 0 : similarity(one, other)
          if (share < MIN_SIMILARITY) continue
          const page = { urlId: urls.idOf(index), url: texts.get(index) ?? '' }
          const otherPage = { otherUrlId: urls.idOf(leader), otherUrl: texts.get(leader) ?? '' }
          add({ ...page, ...otherPage, detail: `About ${Math.round(share * 100)}% of the text is the same` })
        }
      },
    }
  },
}

function halvesOf(fingerprint: string): { high: number; low: number } {
  const bits = BigInt(fingerprint)
  return { high: Number(BigInt.asUintN(28, bits >> HALF_BITS)), low: Number(BigInt.asUintN(28, bits)) }
}

function distance(a: Fingerprint, b: Fingerprint): number {
  return countBits(a.high ^ b.high) + countBits(a.low ^ b.low)
}

/** If no earlier page is near, the page itself is compared with later ones. */
function findNearest(quarters: Map<number, Fingerprint[]>[], page: Fingerprint): Fingerprint | null {
  const { high, low } = page
  const keys = [high >>> QUARTER_BITS, high & QUARTER_MASK, low >>> QUARTER_BITS, low & QUARTER_MASK]
  let [nearest, bits]: [Fingerprint | null, number] = [null, NEAR_BITS + 1]
  for (const [i, key] of keys.entries()) {
    for (const leader of quarters[i]?.get(key) ?? []) {
      const away = distance(leader, page)
      if (away < bits) [nearest, bits] = [leader, away]
    }
  }
  if (nearest !== null) return nearest
  for (const [i, key] of keys.entries()) {
    const leaders = quarters[i]?.get(key)
    if (leaders === undefined) quarters[i]?.set(key, [page])
    else if (leaders.length < MAX_COMPARED) leaders.push(page)
  }
  return null
}
