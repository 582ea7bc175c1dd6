// Adds discovered URLs to the ledger, once each (G1). A shorter path to a known URL is saved for
// apply-shorter-paths.ts; the only other URLs locked here, by id, are those that were excluded with a trap and are
// requeued.

import { toUrlKind } from '../../../../frontier/kind-changes.ts'
import { MAX_SITEMAPS } from '../../../../frontier/limits.ts'
import { isShorterPath } from '../../../../frontier/shortest-path.ts'
import type { UrlDiscoveries, UrlDiscovery } from '../../../../frontier/url-discoveries.ts'
import { isRecrawled } from '../../../../ports/revisits.ts'
import { SIGNAL_KINDS, URL_KINDS, type UrlKind } from '../../../../ports/visits.ts'
import {
  BLOCKED_HOST,
  IN_PROGRESS,
  PAGE_KINDS_SQL,
  QUEUED,
  SITEMAP_KIND,
  stateCode,
  TRAP_REASON,
} from '../../../encoding/state-codes.ts'
import type { PolicyCache } from '../../../policies/postgres.ts'
import { bulkInsert } from '../../../postgres/bulk-insert.ts'
import type { IdBlock } from '../../../postgres/id-blocks.ts'
import type { Queryable } from '../../../postgres/query.ts'
import { addChange, addChanges, type CounterChanges } from '../crawl-state/counters.ts'
import type { CachedCrawl } from '../crawl-state/crawl-cache.ts'
import type { QueuedHost } from '../queues.ts'
import { becomeSitemaps } from '../recrawl/change-kinds.ts'
import type { ListedUrl } from '../recrawl/record-signals.ts'
import { loadPages } from './load-pages.ts'
import { requeueExcluded } from './requeue-excluded.ts'
import { noteScriptUrls } from './script-urls.ts'
import type { ShorterPaths } from './shorter-paths.ts'
import { type RequisiteToTurn, turnIntoPages } from './turn-into-pages.ts'

export interface KnownUrl {
  id: number
  host: number
  state: number
  depth: number
  hops: number
  kind: UrlKind
  /** Excluded with a trap. */
  isExcludedByTrap: boolean
}

export interface DiscoveryInput {
  crawl: Pick<CachedCrawl, 'id' | 'blockedHosts' | 'settings'>
  discoveries: UrlDiscoveries
  /** Whether a URL that was excluded with a trap is requeued: not while only pages of a possible trap link to it. */
  requeues: (key: bigint) => boolean
  /** Set in commits: visited URLs that are on trial. */
  urlsOnTrial?: ReadonlySet<number>
  hostIds: ReadonlyMap<string, number>
  urlIds: Pick<IdBlock, 'next'>
  now: number
  policies: Pick<PolicyCache, 'weightOf'>
}

/** The result, for the rest of the transaction. */
export interface DiscoveryResult {
  added: number
  /** Keys of pages by the URL with the link, for URLs on trial. A meta refresh is no link. */
  addedByTrials: Map<number, bigint[]>
  hostsWithUrls: QueuedHost[]
  changes: CounterChanges
  sitemapsDropped: number
  /** Known URLs that are of another kind now. */
  newKinds: Map<number, UrlKind>
  /** Known URLs in sitemaps and feeds, for a crawl that visits URLs again. */
  listed: ListedUrl[]
}

const VISITED = stateCode('visited')

const KNOWN = {
  name: 'urls_known',
  text: `with wanted as materialized (select $1::int as crawl, unnest($2::bigint[]) as key)
    select u.key::text as key, u.id, u.host, u.state, u.depth, u.hops, u.kind,
      u.state = ${stateCode('excluded')} and u.reason like '${TRAP_REASON}%' as is_excluded_by_trap
    from wanted w join urls u on u.crawl = w.crawl and u.key = w.key`,
}

/** Ordered by key, so that two commits with the same URLs do not deadlock. */
const INSERT = {
  name: 'urls_insert',
  text: `insert into urls (crawl, state, first_seen_at, id, key, host, rank, depth, hops, kind, parent, url)
    select $1, ${QUEUED}, $2, n.* from unnest($3::bigint[], $4::bigint[], $5::int[], $6::smallint[], $7::int[],
      $8::smallint[], $9::smallint[], $10::bigint[], $11::text[])
      as n (id, key, host, rank, depth, hops, kind, parent, url) order by key
    on conflict (crawl, key, host) do nothing returning id`,
}

/** New URLs of blocked hosts. */
const EXCLUDE = {
  name: 'urls_exclude_new',
  text: `with new as materialized (select $1::int as crawl, n.* from unnest($2::bigint[], $3::int[]) as n (id, host))
    update urls u set state = ${stateCode('excluded')}, reason = '${BLOCKED_HOST}'
    from new n where u.crawl = n.crawl and u.id = n.id and u.host = n.host`,
}

const SITEMAPS = {
  name: 'urls_sitemaps',
  text: 'select coalesce(sum(sitemaps_found), 0)::bigint as n from counters where crawl = $1',
}

/** Requeues visited pages to be read as sitemaps. */
const BECOME_SITEMAPS = {
  name: 'urls_become_sitemaps',
  text: `with wanted as materialized (select $1::int as crawl, unnest($2::bigint[]) as id), was as (
      select u.crawl, u.id, u.host, u.state from wanted w join urls u on u.crawl = w.crawl and u.id = w.id
      where u.kind in ${PAGE_KINDS_SQL} and u.state in (${QUEUED}, ${IN_PROGRESS}, ${VISITED}) order by u.id for update of u
    )
    update urls u set kind = ${SITEMAP_KIND}, state = case when was.state = ${VISITED} then ${QUEUED} else was.state end
    from was where u.crawl = was.crawl and u.id = was.id and u.host = was.host
    returning u.id, u.host, u.rank, u.attempts, was.state as was`,
}

const LISTINGS = bulkInsert(
  'listings',
  {
    crawl: 'int',
    host: 'int',
    url_id: 'bigint',
    lastmod: 'bigint',
    changefreq: 'text',
    priority: 'double precision',
  },
  `order by url_id on conflict (crawl, host, url_id) do update
     set lastmod = excluded.lastmod, changefreq = excluded.changefreq, priority = excluded.priority`,
)

const LISTED = {
  name: 'urls_listed_before',
  text: `with wanted as materialized (select $1::int as crawl, w.* from unnest($2::bigint[], $3::int[]) as w (id, host))
    select l.url_id, l.lastmod from wanted w join listings l on l.crawl = w.crawl and l.host = w.host and l.url_id = w.id
    where l.lastmod is not null`,
}

export async function findKnownUrls(db: Queryable, crawl: number, keys: bigint[]): Promise<Map<bigint, KnownUrl>> {
  if (keys.length === 0) return new Map()
  const { rows } = await db.query({ ...KNOWN, values: [crawl, `{${keys.join(',')}}`] })
  return new Map(
    rows.map((row) => [
      BigInt(String(row['key'])),
      {
        id: Number(row['id']),
        host: Number(row['host']),
        state: Number(row['state']),
        depth: Number(row['depth']),
        hops: Number(row['hops']),
        kind: toUrlKind(row['kind']),
        isExcludedByTrap: row['is_excluded_by_trap'] === true,
      },
    ]),
  )
}

/** `known`: the discovered URLs that exist, read in this transaction. */
export async function discover(
  tx: Queryable,
  discoveryInput: DiscoveryInput,
  known: Map<bigint, KnownUrl>,
  shorterPaths: ShorterPaths,
): Promise<DiscoveryResult> {
  const { discoveries } = discoveryInput
  const crawl = discoveryInput.crawl.id
  const result: DiscoveryResult = {
    added: 0,
    addedByTrials: new Map(),
    hostsWithUrls: [],
    changes: {},
    sitemapsDropped: 0,
    newKinds: new Map(),
    listed: [],
  }
  const before = new Set(known.keys())
  const newUrls = [...discoveries.values()].filter(({ key, found }) => found !== null && !known.has(key))
  const admitted = await withinSitemapLimit(tx, crawl, newUrls, result)
  // Another commit may have added the same URL in the meantime; its row is used then.
  const existing = await insertUrls(tx, discoveryInput, admitted, { result, known })
  for (const [key, url] of await findKnownUrls(tx, crawl, existing)) known.set(key, url)
  if (discoveryInput.crawl.settings.scriptUrls)
    await noteScriptUrls(tx, crawl, { discoveries, known, isNew: (key) => !before.has(key) && !existing.includes(key) })
  const pagesToTurn: number[] = []
  const requisitesToTurn: RequisiteToTurn[] = []
  const loadedPages: KnownUrl[] = []
  const excluded: number[] = []
  for (const urlDiscovery of discoveries.values()) {
    const url = known.get(urlDiscovery.key)
    if (url === undefined) continue
    const { kind, path, rank } = urlDiscovery
    if (urlDiscovery.isLoaded && url.kind === 'page') loadedPages.push(url)
    if (kind === 'requisite') continue
    if (url.isExcludedByTrap && urlDiscovery.found !== null && discoveryInput.requeues(urlDiscovery.key))
      excluded.push(url.id)
    if (url.kind === 'requisite') requisitesToTurn.push({ id: url.id, key: urlDiscovery.key, kind, path, rank })
    if (kind === 'sitemap') {
      if (url.kind !== 'sitemap') pagesToTurn.push(url.id)
    } else if (url.kind !== 'requisite' && isShorterPath(path, url)) shorterPaths.add(path, urlDiscovery.key)
  }
  if (requisitesToTurn.length > 0) await turnIntoPages(tx, discoveryInput, requisitesToTurn, { result, shorterPaths })
  await loadPages(tx, discoveryInput, loadedPages, result)
  await requeueExcluded(tx, discoveryInput, excluded, result)
  if (pagesToTurn.length > 0) await turnIntoSitemaps(tx, discoveryInput, pagesToTurn, result)
  if (isRecrawled(discoveryInput.crawl.settings)) result.listed = await findListedUrls(tx, crawl, discoveries, known)
  const listings = [...discoveries.listings.sitemap].flatMap(([key, { lastmod, changefreq, priority }]) => {
    const url = known.get(key)
    return url === undefined ? [] : [{ crawl, host: url.host, url_id: url.id, lastmod, changefreq, priority }]
  })
  await LISTINGS.run(tx, listings)
  return result
}

/** Known URLs with what the sitemap said until now. */
async function findListedUrls(
  tx: Queryable,
  crawl: number,
  { listings }: UrlDiscoveries,
  known: ReadonlyMap<bigint, KnownUrl>,
): Promise<ListedUrl[]> {
  const listed = SIGNAL_KINDS.flatMap((source) =>
    [...listings[source]].flatMap(([key, { lastmod }]) => {
      const url = known.get(key)
      return url === undefined || lastmod === null ? [] : [{ id: url.id, host: url.host, source, lastmod }]
    }),
  )
  if (listed.length === 0) return []
  const values = [crawl, listed.map(({ id }) => id), listed.map(({ host }) => host)]
  const { rows } = await tx.query({ ...LISTED, values })
  const before = new Map(rows.map((row) => [Number(row['url_id']), Number(row['lastmod'])]))
  return listed.map((url) => ({ ...url, before: before.get(url.id) ?? null }))
}

async function withinSitemapLimit(
  tx: Queryable,
  crawl: number,
  newUrls: UrlDiscovery[],
  result: DiscoveryResult,
): Promise<UrlDiscovery[]> {
  if (!newUrls.some(({ kind }) => kind === 'sitemap')) return newUrls
  const [row] = (await tx.query({ ...SITEMAPS, values: [crawl] })).rows
  let room = MAX_SITEMAPS - Number(row?.['n'])
  return newUrls.filter(({ kind }) => {
    if (kind !== 'sitemap') return true
    room -= 1
    if (room < 0) result.sitemapsDropped += 1
    return room >= 0
  })
}

/** Returns the keys that existed already. New URLs are added to `known`, so that their listings can be saved. */
async function insertUrls(
  tx: Queryable,
  { crawl, hostIds, urlIds, now, policies, urlsOnTrial }: DiscoveryInput,
  newUrls: UrlDiscovery[],
  { result, known }: { result: DiscoveryResult; known: Map<bigint, KnownUrl> },
): Promise<bigint[]> {
  if (newUrls.length === 0) return []
  const urls = newUrls.flatMap(({ found, kind, path, rank }) => {
    const host = found === null ? undefined : hostIds.get(found.host)
    return found === null || host === undefined ? [] : [{ id: urlIds.next(), host, found, kind, path, rank }]
  })
  const values = [
    `{${urls.map(({ id }) => id).join(',')}}`,
    `{${urls.map(({ found }) => found.key).join(',')}}`,
    `{${urls.map(({ host }) => host).join(',')}}`,
    `{${urls.map(({ rank }) => rank).join(',')}}`,
    `{${urls.map(({ path }) => path.depth).join(',')}}`,
    `{${urls.map(({ path }) => path.hops).join(',')}}`,
    `{${urls.map(({ kind }) => URL_KINDS.indexOf(kind)).join(',')}}`,
    `{${urls.map(({ path }) => path.parent ?? 'null').join(',')}}`,
    urls.map(({ found }) => found.url),
  ]
  const { rows } = await tx.query({ ...INSERT, values: [crawl.id, now, ...values] })
  const inserted = new Set(rows.map((row) => Number(row['id'])))
  const existing: bigint[] = []
  const blocked: { id: number; host: number }[] = []
  for (const { id, host, found, kind, path, rank } of urls) {
    if (!inserted.has(id)) {
      existing.push(found.key)
      continue
    }
    if (crawl.blockedHosts.has(host)) blocked.push({ id, host })
    else result.hostsWithUrls.push({ host, rank, dueAt: now, weight: policies.weightOf(found.host) })
    if (kind === 'sitemap') addChange(result.changes, 'sitemaps_found')
    if (path.parent !== null && urlsOnTrial?.has(path.parent) && kind !== 'requisite' && !found.isRefresh)
      result.addedByTrials.set(path.parent, [...(result.addedByTrials.get(path.parent) ?? []), found.key])
    known.set(found.key, { id, host, state: QUEUED, depth: path.depth, hops: path.hops, kind, isExcludedByTrap: false })
  }
  result.added += inserted.size
  addChange(result.changes, 'open', inserted.size - blocked.length)
  if (blocked.length > 0) {
    addChange(result.changes, 'excluded', blocked.length)
    await tx.query({ ...EXCLUDE, values: [crawl.id, blocked.map(({ id }) => id), blocked.map(({ host }) => host)] })
  }
  return existing
}

async function turnIntoSitemaps(
  tx: Queryable,
  { crawl, now }: DiscoveryInput,
  ids: number[],
  result: DiscoveryResult,
): Promise<void> {
  const { rows } = await tx.query({ ...BECOME_SITEMAPS, values: [crawl.id, ids] })
  for (const row of rows) {
    result.newKinds.set(Number(row['id']), 'sitemap')
    addChange(result.changes, 'sitemaps_found')
    if (row['was'] !== VISITED) continue
    addChange(result.changes, 'visited', -1)
    addChange(result.changes, 'open')
    result.hostsWithUrls.push({ host: Number(row['host']), rank: Number(row['rank']), dueAt: now })
  }
  addChanges(result.changes, await becomeSitemaps(tx, crawl, rows))
}
