// Collects the discoveries of the visits of a commit, and the shorter paths to apply later.

import type { PatternTrial } from '../../../../frontier/judge-pattern.ts'
import { toUrlKind } from '../../../../frontier/kind-changes.ts'
import { isBeyondLimits, isDeferred } from '../../../../frontier/limits.ts'
import { OutgoingPaths } from '../../../../frontier/shortest-path.ts'
import type { UrlDiscoveries } from '../../../../frontier/url-discoveries.ts'
import type { CommitBatch } from '../../../../ports/frontier.ts'
import type { FoundUrl, UrlKind, VisitReport } from '../../../../ports/visits.ts'
import { decodeLinkKeys } from '../../../encoding/link-keys.ts'
import { IN_PROGRESS, stateCode } from '../../../encoding/state-codes.ts'
import { decodeTrials } from '../../../encoding/trials.ts'
import type { Row } from '../../../postgres/query.ts'
import type { CachedCrawl } from '../crawl-state/crawl-cache.ts'
import type { ShorterPaths } from './shorter-paths.ts'

const REDIRECTED = stateCode('redirected')

/** A URL in flight, from its locked row. */
export interface InFlightUrl {
  id: number
  host: number
  lease: number
  url: string
  depth: number
  hops: number
  rank: number
  attempts: number
  kind: UrlKind
  leasedDepth: number
  leasedKind: UrlKind
  trials: readonly PatternTrial[]
  countsAsTrial: boolean
}

export interface VisitToRecord {
  url: InFlightUrl
  visit: VisitReport
  linkKeys: Uint8Array
  /** The URLs it leads to are beyond a limit. */
  isBeyondLimits: boolean
  /** URLs that are stored until a shorter path is found. */
  deferred: FoundUrl[]
}

/** A visit that finds nothing changed adds no row: the row of the last visit represents it. */
export function countAttempts({ url, visit }: { url: InFlightUrl; visit: VisitReport }): number {
  return url.attempts + (visit.facts === null || isUnchanged(visit) ? 0 : 1)
}

export function isUnchanged({ freshness }: VisitReport): boolean {
  return freshness?.isUnchanged === true
}

export function toInFlightUrl(row: Row): InFlightUrl {
  return {
    id: Number(row['id']),
    host: Number(row['host']),
    lease: Number(row['lease']),
    url: String(row['url']),
    depth: Number(row['depth']),
    hops: Number(row['hops']),
    rank: Number(row['rank']),
    attempts: Number(row['attempts']),
    kind: toUrlKind(row['kind']),
    leasedDepth: Number(row['leased_depth']),
    leasedKind: toUrlKind(row['leased_kind']),
    trials: decodeTrials(row['trials']),
    countsAsTrial: true,
  }
}

export function collectDiscoveries(
  crawl: CachedCrawl,
  batch: CommitBatch,
  inFlight: ReadonlyMap<number, InFlightUrl>,
  { discoveries, shorterPaths }: { discoveries: UrlDiscoveries; shorterPaths: ShorterPaths },
): VisitToRecord[] {
  for (const found of batch.found) discoveries.add(found, { parent: null, parentHost: 0, depth: 0, hops: 0 })
  let keysAt = 0
  return batch.visits.flatMap((visit) => {
    const linkKeys = batch.linkKeys.subarray(keysAt, keysAt + visit.linkCount * 8)
    keysAt += visit.linkCount * 8
    const url = inFlight.get(visit.urlId)
    if (url === undefined) return []
    const followed = followVisit(crawl, { url, visit, linkKeys }, { discoveries, shorterPaths })
    return [{ url, visit, linkKeys, ...followed }]
  })
}

/**
 * Saves redirects that may close a loop, to be checked after this commit (apply-shorter-paths.ts): another commit may
 * be about to write the rest of the loop, and neither sees the other. A target that was never requested, or is not a
 * redirect, is not part of a loop.
 */
export function noteRedirectLoops(
  visitsToRecord: VisitToRecord[],
  known: ReadonlyMap<bigint, { state: number }>,
  shorterPaths: ShorterPaths,
): void {
  for (const { url, visit, linkKeys, isBeyondLimits } of visitsToRecord) {
    if (visit.outcome.state !== 'redirected') continue
    const states = [...decodeLinkKeys(linkKeys)].map((key) => known.get(key)?.state)
    if (isBeyondLimits || states.includes(REDIRECTED) || states.includes(IN_PROGRESS))
      shorterPaths.addAllLinks(url.id, url.host)
  }
}

function followVisit(
  crawl: CachedCrawl,
  { url, visit, linkKeys }: Pick<VisitToRecord, 'url' | 'visit' | 'linkKeys'>,
  { discoveries, shorterPaths }: { discoveries: UrlDiscoveries; shorterPaths: ShorterPaths },
): Pick<VisitToRecord, 'isBeyondLimits' | 'deferred'> {
  if (visit.outcome.state === 'retry') return { isBeyondLimits: false, deferred: [] }
  const isRedirect = visit.outcome.state === 'redirected'
  const paths = new OutgoingPaths({ parent: url.id, parentHost: url.host }, url, isRedirect)
  const isBeyond = isBeyondLimits(crawl.settings, paths.child)
  const deferred: FoundUrl[] = []
  for (const found of visit.found) {
    if (isBeyond && isDeferred(found, isRedirect)) deferred.push(found)
    else discoveries.add(found, paths.to(found))
  }
  if (isBeyond) return { isBeyondLimits: true, deferred }
  // A shorter path to the URL was found after it was leased. Its thread did not report links again that it had reported at
  // the old depth, so they are lowered here. With a redirect only the hops may be fewer.
  const targetKind = url.leasedKind === 'requisite' ? 'requisite' : 'page'
  if (isRedirect) for (const key of decodeLinkKeys(linkKeys)) discoveries.addKey(key, paths.child, targetKind)
  if (url.depth < url.leasedDepth && (linkKeys.length > 0 || isUnchanged(visit)))
    shorterPaths.addAllLinks(url.id, url.host)
  return { isBeyondLimits: false, deferred }
}
