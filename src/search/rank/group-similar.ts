// Groups near-duplicates and versions of a document under one of them.

import { NEAR_BITS } from '../../ports/pages.ts'
import type { Candidate } from './arrange-hits.ts'
import { compareVersions, type DocumentVersion, parseDocumentVersion, withoutVersion } from './document-version.ts'
import { hammingDistance, quartersOf } from './fingerprint.ts'

export interface HitGroup<C extends Candidate> {
  /** The best hit, which decides the place of the group. */
  best: C
  /** The hit to show: one with all the words if there is any, the newest version, the most linked, or the shortest URL. */
  shown: C
  /** Number of hits besides the displayed one. */
  similar: number
}

/**
 * Versions of a document may differ in this many bits of their fingerprints. Of 53 pages of real documentation in two
 * major versions, 42 do not differ in more, and 3 of 5,900 pairs of different pages (2026-11).
 */
const VERSION_BITS = 10
/** Share of the best score that another hit of the group needs to be shown: it must be about the query as well. */
const MIN_SHOWN_SCORE = 0.5
/**
 * The same for a near-duplicate that is no version: its text is the same, so if it scores less, its title or the links to
 * it lack words of the query. PEP 333 must not be shown for "PEP 3333". Link ranks alone make a sixth of a score.
 */
const MIN_DUPLICATE_SCORE = 0.75

/** `sorted` is best first. */
export function groupSimilar<C extends Candidate>(sorted: readonly C[]): HitGroup<C>[] {
  const groups = new SimilarGroups<C>()
  for (const candidate of sorted) groups.add(candidate)
  return groups.list
}

class SimilarGroups<C extends Candidate> {
  readonly list: HitGroup<C>[] = []
  readonly #byQuarter = new Map<number, HitGroup<C>[]>()
  readonly #byDocument = new Map<string, { candidate: C; group: HitGroup<C> }[]>()

  add(candidate: C): void {
    const quarters = candidate.fingerprint === null ? [] : quartersOf(candidate.fingerprint)
    const version = parseDocumentVersion(candidate.url)
    const group = this.#findNearDuplicate(candidate, quarters) ?? this.#findVersion(candidate, version)
    const joined = group ?? { best: candidate, shown: candidate, similar: 0 }
    if (group === undefined) {
      this.list.push(joined)
      for (const quarter of quarters) addTo(this.#byQuarter, quarter, joined)
    } else {
      group.similar += 1
      if (isPreferred(candidate, group)) group.shown = candidate
    }
    addTo(this.#byDocument, version.documentUrl, { candidate, group: joined })
  }

  #findNearDuplicate(candidate: C, quarters: number[]): HitGroup<C> | undefined {
    for (const quarter of quarters) {
      const group = this.#byQuarter.get(quarter)?.find(({ best }) => isWithin(best, candidate, NEAR_BITS))
      if (group !== undefined) return group
    }
    return undefined
  }

  #findVersion(candidate: C, { documentUrl }: DocumentVersion): HitGroup<C> | undefined {
    const isVersion = ({ candidate: other }: { candidate: C }) =>
      isWithin(other, candidate, VERSION_BITS) && withoutVersion(other.title) === withoutVersion(candidate.title)
    return this.#byDocument.get(documentUrl)?.find(isVersion)?.group
  }
}

function addTo<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const values = map.get(key)
  if (values === undefined) map.set(key, [value])
  else values.push(value)
}

function isWithin({ fingerprint: a }: Candidate, { fingerprint: b }: Candidate, bits: number): boolean {
  return a !== null && b !== null && hammingDistance(a, b) <= bits
}

/** Copies on other hosts stay behind the best hit. */
function isPreferred(candidate: Candidate, { best, shown }: HitGroup<Candidate>): boolean {
  if (candidate.host !== best.host || candidate.score < best.score * MIN_SHOWN_SCORE) return false
  if (candidate.isPartial !== shown.isPartial) return shown.isPartial
  const [version, shownVersion] = [parseDocumentVersion(candidate.url), parseDocumentVersion(shown.url)]
  const order = version.documentUrl === shownVersion.documentUrl ? compareVersions(version, shownVersion) : 0
  if (order !== 0) return order > 0
  if (candidate.score < best.score * MIN_DUPLICATE_SCORE) return false
  if (isMoreLinked(candidate, shown) || isMoreLinked(shown, candidate)) return isMoreLinked(candidate, shown)
  return compareDuplicates(candidate, shown) < 0
}

/**
 * Minimum ratio of a document's link rank to that of a copy. Copies of a whole tree, as symbolic links make them,
 * differ by less.
 */
const MORE_LINKED = 1.05

function isMoreLinked(a: Candidate, b: Candidate): boolean {
  return a.linkRank > b.linkRank * MORE_LINKED
}

/** Negative if `a` has fewer directories, or as many and more links; of equals, the shorter URL comes first. */
function compareDuplicates(a: Candidate, b: Candidate): number {
  const byDepthAndLinks = directoriesOf(a.url) - directoriesOf(b.url) || b.linkRank - a.linkRank
  return byDepthAndLinks || a.url.length - b.url.length || (a.url < b.url ? -1 : 1)
}

function directoriesOf(url: string): number {
  return url.replace(/[?#].*/, '').split('/').length
}
