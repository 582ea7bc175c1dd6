// Ranks: the priority of a URL as SQL sorts it, 1 being the best. Seeds come first. The rank of another URL depends on its
// depth, on what its sitemap states, and on whether it looks like a document; action URLs come last. Among hosts, the
// weight of their policies counts as well. Which URLs are visited does not depend on ranks (G7).

import type { FoundUrl, SitemapListing } from '../ports/visits.ts'
import { isActionUrl } from './action-urls.ts'

/** The rank of URLs that were added as critical: they go before all others. */
export const CRITICAL_RANK = 0
const SEED_RANK = 1
export const LAST_RANK = 10

/** Probability of taking a rank rather than trying the next one. */
const TAKE_RANK = 0.8

const DAY_MS = 86_400_000
/** A page that changed in this time is fresh. */
const FRESH_MS = 7 * DAY_MS
/** A page that has not changed for this long is stale. */
const STALE_MS = 365 * DAY_MS
/** Priority of a URL in a sitemap that states none (sitemaps.org). */
const DEFAULT_PRIORITY = 0.5
/** Ranks between the least and the most important URL of a sitemap. */
const PRIORITY_RANKS = 4
/** A document takes longer to read and has few links. */
const DOCUMENT_RANKS = 2
const DOCUMENT = /\.(?:pdf|docx?|xlsx?|pptx?|odt|ods|odp|epub|rtf|zip|gz|tgz|7z|rar|mp3|mp4|avi|mov|iso|exe|dmg)$/i

/** URLs closer to the seeds are visited first. */
export function rankAtDepth(depth: number): number {
  return Math.min(LAST_RANK, depth + SEED_RANK)
}

export function rankOf({ url, kind, listing }: Pick<FoundUrl, 'url' | 'kind' | 'listing'>, depth: number, now: number) {
  const base = rankAtDepth(depth)
  // Visited together with its page, but after seeds and sitemaps.
  if (kind === 'requisite') return SEED_RANK + 1
  if (depth === 0 || kind === 'sitemap') return base
  if (isActionUrl(url)) return LAST_RANK
  let rank = base
  if (listing !== null) rank += listingRanks(listing, now)
  if (mayBeDocument(url)) rank += DOCUMENT_RANKS
  return rank === base ? base : Math.max(SEED_RANK + 1, Math.min(LAST_RANK, Math.round(rank)))
}

/** A URL that is only listed comes after the links of pages, unless it is important or fresh. */
function listingRanks({ priority, lastmod }: SitemapListing, now: number): number {
  const ageMs = lastmod === null ? FRESH_MS : now - lastmod
  const byAge = ageMs < FRESH_MS ? -1 : Number(ageMs > STALE_MS)
  return 1 + byAge + (DEFAULT_PRIORITY - (priority ?? DEFAULT_PRIORITY)) * PRIORITY_RANKS
}

/** Checks for a dot near the end, which most URLs lack. This is much cheaper than matching. */
function mayBeDocument(url: string): boolean {
  const dot = url.lastIndexOf('.')
  return dot >= url.length - 5 && DOCUMENT.test(url)
}

/** The rank of a host's best URL among other hosts. The weight multiplies the priority, which is 11 - rank. */
export function weightedRank(rank: number, weight: number): number {
  if (weight === 1 || rank === CRITICAL_RANK) return rank
  const priority = Math.floor((LAST_RANK + 1 - rank) * weight + 0.5)
  return LAST_RANK + 1 - Math.max(1, Math.min(LAST_RANK, priority))
}

/** The arguments are SQL expressions. */
export function weightedRankSql(rank: string, weight: string): string {
  const priority = `floor((${LAST_RANK + 1} - ${rank}) * ${weight} + 0.5)`
  return `case when ${weight} = 1 or ${rank} = ${CRITICAL_RANK} then ${rank}
    else (${LAST_RANK + 1} - greatest(1, least(${LAST_RANK}, ${priority})))::smallint end`
}

/**
 * Prefers better ranks at random, so that no rank starves; critical URLs go first. `ranks` holds the ranks that are present,
 * best first.
 */
export function chooseRank(ranks: readonly number[], random: () => number): number | undefined {
  if (ranks[0] === CRITICAL_RANK) return CRITICAL_RANK
  return ranks.find(() => random() < TAKE_RANK) ?? ranks[0]
}

/** `priority` is what users see: 1 to 10, or 11 if the URL is critical. */
export function rankOfPriority(priority: number): number {
  return LAST_RANK + 1 - priority
}
