// Records what the visits of a commit reveal about future visits, in the same transaction. Only for recrawled
// crawls.

import { hostIncrement, priorOf } from '../../../../frontier/host-freshness.ts'
import { mustReadAgain } from '../../../../frontier/kind-changes.ts'
import { addVisit, isObservation, type RevisitHistory } from '../../../../frontier/revisit-history.ts'
import type { UrlKind } from '../../../../ports/visits.ts'
import { extendVersions } from '../../../pages/postgres-write-pages.ts'
import type { PolicyCache } from '../../../policies/postgres.ts'
import type { Queryable, Row } from '../../../postgres/query.ts'
import { isKnownPage, toEndedVisit, toHistory, toSitemapListing } from '../../revisit-row.ts'
import { addChanges, type CounterChanges } from '../crawl-state/counters.ts'
import type { CachedCrawl } from '../crawl-state/crawl-cache.ts'
import { type InFlightUrl, isUnchanged, type VisitToRecord } from '../discovery/collect-discoveries.ts'
import { forgetRevisits } from './change-kinds.ts'
import { addHostGains, findKnownHosts, knownHost, type ObservedGain } from './host-freshness.ts'
import { planRevisits, type UrlToPlan } from './plan-revisits.ts'

/** Rows of `revisits` with columns of `listings` by URL id. `url_id` is null for a URL without a history. */
export type KnownRevisits = ReadonlyMap<number, Row>

/** The history of a URL before and after a visit; null before the first. */
export interface RecordedVisit {
  visitToRecord: VisitToRecord
  before: RevisitHistory | null
  after: RevisitHistory
}

export interface RevisitRecording {
  known: KnownRevisits
  /** URLs that became another kind in this transaction. */
  newKinds: ReadonlyMap<number, UrlKind>
  now: number
  policies: PolicyCache
}

const WANTED =
  'wanted as materialized (select $1::int as crawl, w.* from unnest($2::bigint[], $3::int[]) as w (id, host))'
const FIND = {
  name: 'revisits_find',
  text: `with ${WANTED}
    select r.* from wanted w join revisits r on r.crawl = w.crawl and r.host = w.host and r.url_id = w.id`,
}
const FIND_WITH_LISTINGS = {
  name: 'revisits_find_listed',
  text: `with ${WANTED}
    select w.id, l.lastmod, l.changefreq, l.priority, r.* from wanted w
      left join revisits r on r.crawl = w.crawl and r.host = w.host and r.url_id = w.id
      left join listings l on l.crawl = w.crawl and l.host = w.host and l.url_id = w.id`,
}
const DELETE_LINKS = {
  name: 'revisits_delete_links',
  text: `with these as materialized (select $1::int as crawl, t.* from unnest($2::bigint[], $3::int[]) as t (id, host))
    delete from links l using these t where l.crawl = t.crawl and l.host = t.host and l.url_id = t.id`,
}

/** Rows by URL id. Call with the rows of the URLs locked. */
export async function findRevisitRows(tx: Queryable, crawl: number, urls: Row[]): Promise<Map<number, Row>> {
  if (urls.length === 0) return new Map()
  const values = [crawl, urls.map((url) => url['id']), urls.map((url) => url['host'])]
  const { rows } = await tx.query({ ...FIND, values })
  return new Map(rows.map((row) => [Number(row['url_id']), row]))
}

export async function findRevisits(tx: Queryable, crawl: number, urls: InFlightUrl[]): Promise<KnownRevisits> {
  if (urls.length === 0) return new Map()
  const values = [crawl, urls.map(({ id }) => id), urls.map(({ host }) => host)]
  const { rows } = await tx.query({ ...FIND_WITH_LISTINGS, values })
  return new Map(rows.map((row) => [Number(row['id']), row]))
}

/** Null if the URL was not visited before. */
export function historyOf(known: KnownRevisits, urlId: number): RevisitHistory | null {
  const row = known.get(urlId)
  return row === undefined || row['url_id'] === null ? null : toHistory(row)
}

export async function recordRevisits(
  tx: Queryable,
  crawl: CachedCrawl,
  visitsToRecord: VisitToRecord[],
  { known, newKinds, now, policies }: RevisitRecording,
): Promise<CounterChanges> {
  const ends = visitsToRecord.flatMap((visitToRecord) => {
    const { url, visit } = visitToRecord
    const row = known.get(url.id)
    const end = toEndedVisit(visit, { ...url, kind: url.leasedKind, listing: toSitemapListing(row) })
    if (end === null) return []
    const before = historyOf(known, url.id)
    return [{ visitToRecord, before, row: before === null || row === undefined ? null : row, end }]
  })
  const groups = ends.flatMap(({ visitToRecord: { url }, before, end }) =>
    [before?.rateGroup ?? end.rateGroup, end.rateGroup].map((rateGroup) => ({ host: url.host, rateGroup })),
  )
  const hosts = await findKnownHosts(tx, crawl.id, groups)
  const gains: ObservedGain[] = []
  const recorded: RecordedVisit[] = []
  const toPlan = ends.map(({ visitToRecord, before, row, end }): UrlToPlan => {
    const { url } = visitToRecord
    const { host } = knownHost(hosts, url.host)
    const prior = priorOf(knownHost(hosts, url.host), before?.rateGroup ?? end.rateGroup)
    const after = addVisit(before, end, { settings: crawl.settings, now, prior, signals: host.signals })
    const gain = hostIncrement(before, end, { after, prior, host })
    if (gain !== null) gains.push({ host: url.host, rateGroup: after.rateGroup, gain })
    recorded.push({ visitToRecord, before, after })
    const kind = newKinds.get(url.id) ?? url.kind
    const isQueued = kind !== url.leasedKind && mustReadAgain(after.state, url.leasedKind)
    return { id: url.id, host: url.host, kind, history: after, from: now, row, isQueued }
  })
  const changes = await planRevisits(tx, crawl, toPlan, { hosts, policies })
  // These URLs became pages while they were in flight, and are visited as pages next.
  const turned = new Set(ends.flatMap(({ visitToRecord: { url } }) => (url.leasedKind === 'requisite' ? url.id : [])))
  const forgotten = toPlan.filter(({ id, isQueued }) => isQueued && turned.has(id))
  addChanges(changes, {
    open_revisits: -(await forgetRevisits(tx, crawl.id, forgotten)),
    known_pages: -forgotten.filter(({ history, kind }) => isKnownPage(history, kind)).length,
  })
  await addHostGains(tx, crawl.id, gains)
  await deleteStaleLinks(tx, crawl.id, recorded)
  await extendUnchanged(tx, crawl.id, recorded)
  return changes
}

/** Links of pages that have none any more. */
async function deleteStaleLinks(tx: Queryable, crawl: number, recorded: RecordedVisit[]): Promise<void> {
  const urls = recorded.flatMap(({ visitToRecord: { url, visit, linkKeys }, before, after }) => {
    const isChanged = before !== null && isObservation(after) && !isUnchanged(visit)
    return isChanged && linkKeys.length === 0 ? [url] : []
  })
  if (urls.length === 0) return
  await tx.query({ ...DELETE_LINKS, values: [crawl, urls.map(({ id }) => id), urls.map(({ host }) => host)] })
}

async function extendUnchanged(tx: Queryable, crawl: number, recorded: RecordedVisit[]): Promise<void> {
  const kept = recorded.flatMap(({ visitToRecord: { url, visit }, before, after }) => {
    const isExtended = before !== null && isUnchanged(visit) && after.expiresAt !== before.expiresAt
    return isExtended ? [{ crawl, urlId: url.id, url: url.url, expiresAt: after.expiresAt }] : []
  })
  await extendVersions(tx, kept)
}
