// Writes the outcomes of visits: attempts, states of their URLs, links. The URLs found are handled by collect-discoveries.ts
// and discover.ts.

import { mustReadAgain, visitedCounterOf } from '../../../frontier/kind-changes.ts'
import type { RenderReport } from '../../../ports/render-patterns.ts'
import type { UrlKind, VisitFacts, VisitOutcome, VisitReport } from '../../../ports/visits.ts'
import { completenessCode } from '../../encoding/completeness-codes.ts'
import { encodeFoundUrls } from '../../encoding/found-urls.ts'
import { QUEUED, RETRIED, stateCode } from '../../encoding/state-codes.ts'
import { bulkInsert } from '../../postgres/bulk-insert.ts'
import { runPipelined } from '../../postgres/database.ts'
import { type Queryable, toPostgresTextOrNull } from '../../postgres/query.ts'
import { type ClockPair, toStoreTime } from '../../postgres/store-clock.ts'
import { addChange, type CounterChanges } from './crawl-state/counters.ts'
import type { CachedCrawl } from './crawl-state/crawl-cache.ts'
import { countAttempts, type InFlightUrl, isUnchanged, type VisitToRecord } from './discovery/collect-discoveries.ts'
import { mustRenderAgain, type RenderedPatterns } from './discovery/render-patterns.ts'
import type { QueuedHost } from './queues.ts'

export const VISITS = bulkInsert('visits', {
  crawl: 'int',
  host: 'int',
  url_id: 'bigint',
  attempt: 'int',
  state: 'smallint',
  noindex: 'boolean',
  http_status: 'int',
  fetch_ms: 'int',
  content_length: 'bigint',
  visited_at: 'bigint',
  reason: 'text',
  content_hash: 'bytea',
  content_type: 'text',
  ip: 'text',
  title: 'text',
  redirect_to: 'text',
  canonical: 'text',
  cname: 'text',
  proxy: 'text',
  thread: 'text',
  processing_ms: 'int',
  plain_look: 'smallint',
})

const LINKS = bulkInsert(
  'links',
  { crawl: 'int', host: 'int', url_id: 'bigint', targets: 'bytea' },
  'on conflict (crawl, host, url_id) do update set targets = excluded.targets',
)

const BEYOND = bulkInsert(
  'beyond',
  { crawl: 'int', host: 'int', url_id: 'bigint', found: 'text' },
  'on conflict (crawl, host, url_id) do update set found = excluded.found',
)

/** A retry keeps the reason of its URL. */
const FINISH = {
  name: 'urls_finish',
  text: `with outcomes as materialized (
      select $1::int as crawl, o.* from unnest($2::bigint[], $3::int[], $4::smallint[], $5::int[], $6::bigint[], $7::boolean[], $8::text[])
        as o (id, host, state, attempts, due_at, is_retry, reason)
    )
    update urls u set state = o.state, lease = null, attempts = o.attempts, due_at = o.due_at,
      reason = case when o.is_retry then u.reason else o.reason end
    from outcomes o where u.crawl = o.crawl and u.id = o.id and u.host = o.host`,
}

export interface VisitChanges {
  changes: CounterChanges
  hostsWithUrls: QueuedHost[]
}

export interface RecordVisitsContext {
  /** Thread that made the visits. */
  threadId: string
  /** URLs that became another kind in this transaction. */
  newKinds: ReadonlyMap<number, UrlKind>
  renderPatterns: RenderedPatterns
  clockPair: ClockPair
}

export async function recordVisits(
  tx: Queryable,
  crawl: CachedCrawl,
  visitsToRecord: VisitToRecord[],
  context: RecordVisitsContext,
): Promise<VisitChanges> {
  const result: VisitChanges = { changes: {}, hostsWithUrls: [] }
  if (visitsToRecord.length === 0) return result
  const { threadId } = context
  const outcomes = visitsToRecord.map((one) => toRecordedOutcome(one, context))
  for (const recordedOutcome of outcomes) countOutcome(result, recordedOutcome, context.clockPair.store)
  const finish = [
    outcomes.map(({ url }) => url.id),
    outcomes.map(({ url }) => url.host),
    outcomes.map(({ code }) => code),
    outcomes.map(({ attempts }) => attempts),
    outcomes.map(({ dueAt }) => dueAt),
    outcomes.map(({ state }) => state === 'retry'),
    outcomes.map(({ reason }) => reason),
  ]
  const at = (url: InFlightUrl) => ({ crawl: crawl.id, host: url.host, url_id: url.id })
  const ended = visitsToRecord.filter(({ visit }) => visit.outcome.state !== 'retry')
  const links = ended.filter(({ linkKeys }) => linkKeys.length > 0)
  const unchanged = ended.flatMap(({ url, visit }) =>
    isUnchanged(visit) && visit.facts !== null ? [{ url, facts: visit.facts }] : [],
  )
  const withDeferred = ended.filter(({ deferred }) => deferred.length > 0)
  await runPipelined(
    VISITS.run(
      tx,
      visitsToRecord.flatMap((one) => visitRow(crawl.id, threadId, one)),
    ),
    LINKS.run(
      tx,
      links.map(({ url, linkKeys }) => ({ ...at(url), targets: asBuffer(linkKeys) })),
    ),
    BEYOND.run(
      tx,
      withDeferred.map(({ url, deferred }) => ({ ...at(url), found: encodeFoundUrls(deferred) })),
    ),
    tx.query({ ...FINISH, values: [crawl.id, ...finish] }),
    touchUnchanged(tx, { crawl: crawl.id, threadId }, unchanged),
  )
  return result
}

const TOUCH_UNCHANGED = {
  name: 'visits_touch',
  text: `with unchanged as materialized (
      select $1::int as crawl, r.* from unnest($2::bigint[], $3::int[], $4::int[], $5::bigint[], $6::int[], $7::text[],
        $8::int[]) as r (id, host, attempt, visited_at, fetch_ms, ip, processing_ms)
    )
    update visits v set visited_at = r.visited_at, fetch_ms = r.fetch_ms, ip = r.ip,
      processing_ms = r.processing_ms, thread = $9
    from unchanged r where v.crawl = r.crawl and v.host = r.host and v.url_id = r.id and v.attempt = r.attempt`,
}

/** An unchanged page gets no new row: the row of its last visit gets the new time. */
async function touchUnchanged(
  tx: Queryable,
  { crawl, threadId }: { crawl: number; threadId: string },
  unchanged: { url: InFlightUrl; facts: VisitFacts }[],
): Promise<void> {
  if (unchanged.length === 0) return
  const values = [
    unchanged.map(({ url }) => url.id),
    unchanged.map(({ url }) => url.host),
    unchanged.map(({ url }) => url.attempts),
    unchanged.map(({ facts }) => Math.round(facts.visitedAt)),
    unchanged.map(({ facts }) => roundOrNull(facts.fetchMs)),
    unchanged.map(({ facts }) => facts.ip),
    unchanged.map(({ facts }) => roundOrNull(facts.processingMs)),
  ]
  await tx.query({ ...TOUCH_UNCHANGED, values: [crawl, ...values, threadId] })
}

function roundOrNull(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms)
}

interface RecordedOutcome {
  url: InFlightUrl
  kind: UrlKind
  state: VisitReport['outcome']['state']
  code: number
  attempts: number
  dueAt: number
  reason: string | null
  /** The URL was read as another kind, or without rendering, and has to be read again. */
  isReadAgain: boolean
}

function toRecordedOutcome(
  visitToRecord: VisitToRecord,
  { newKinds, renderPatterns, clockPair }: RecordVisitsContext,
): RecordedOutcome {
  const { url, visit, isBeyondLimits } = visitToRecord
  const { outcome } = visit
  const attempts = countAttempts({ url, visit })
  if (outcome.state === 'retry') {
    const dueAt = Math.max(1, toStoreTime(outcome.dueAt, clockPair))
    return { url, kind: url.kind, state: 'retry', code: QUEUED, attempts, dueAt, reason: null, isReadAgain: false }
  }
  const kind = newKinds.get(url.id) ?? url.kind
  const isOtherKind = kind !== url.leasedKind && mustReadAgain(outcome.state, url.leasedKind)
  const isReadAgain = isOtherKind || mustRenderAgain(renderPatterns, visitToRecord)
  const code = isReadAgain ? QUEUED : stateCode(outcome.state)
  const reason =
    isBeyondLimits && outcome.state === 'redirected' ? 'too_many_redirects' : toPostgresTextOrNull(outcome.reason)
  return { url, kind, state: outcome.state, code, attempts, dueAt: 0, reason: isReadAgain ? null : reason, isReadAgain }
}

function countOutcome(
  { changes, hostsWithUrls }: VisitChanges,
  { url, kind, state, dueAt, isReadAgain }: RecordedOutcome,
  now: number,
): void {
  addChange(changes, 'in_progress', -1)
  if (state === 'retry' || isReadAgain) {
    hostsWithUrls.push({
      host: url.host,
      rank: isReadAgain ? 1 : url.rank,
      dueAt: isReadAgain ? now : dueAt,
    })
    return
  }
  addChange(changes, 'open', -1)
  addChange(changes, state)
  const counter = visitedCounterOf(kind)
  if (state === 'visited' && counter !== null) addChange(changes, counter)
}

function visitRow(crawl: number, threadId: string, { url, visit }: VisitToRecord) {
  const { outcome, facts } = visit
  if (facts === null || isUnchanged(visit)) return []
  const place = { crawl, host: url.host, urlId: url.id, attempt: countAttempts({ url, visit }), threadId }
  return [toVisitRow(place, outcome, facts, visit.render)]
}

interface VisitPlace {
  crawl: number
  host: number
  urlId: number
  attempt: number
  threadId: string
}

export function toVisitRow(
  { crawl, host, urlId, attempt, threadId }: VisitPlace,
  { state, reason }: Pick<VisitOutcome, 'state' | 'reason'>,
  facts: VisitFacts,
  render?: RenderReport,
) {
  return {
    crawl,
    host,
    url_id: urlId,
    attempt,
    state: state === 'retry' ? RETRIED : stateCode(state),
    noindex: facts.noindex,
    http_status: facts.httpStatus,
    fetch_ms: roundOrNull(facts.fetchMs),
    content_length: facts.contentLength,
    visited_at: Math.round(facts.visitedAt),
    reason: toPostgresTextOrNull(reason),
    content_hash: facts.contentHash === null ? null : Buffer.from(facts.contentHash, 'hex'),
    content_type: toPostgresTextOrNull(facts.contentType),
    ip: facts.ip,
    title: toPostgresTextOrNull(facts.title),
    redirect_to: toPostgresTextOrNull(facts.redirectTo),
    canonical: toPostgresTextOrNull(facts.canonical),
    cname: toPostgresTextOrNull(facts.cname),
    proxy: facts.proxy,
    thread: threadId,
    processing_ms: roundOrNull(facts.processingMs),
    plain_look: completenessCode(render),
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
