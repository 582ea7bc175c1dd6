// Sitemaps and feeds that list known URLs: a later time of change may make a URL due sooner. Only for recrawled crawls.

import { announcesChange } from '../../../../frontier/recrawl/signals.ts'
import { addSignal, isObservation, type RevisitHistory } from '../../../../frontier/revisit-history.ts'
import { SIGNAL_KINDS, type SignalKind } from '../../../../ports/visits.ts'
import type { PolicyCache } from '../../../policies/postgres.ts'
import type { Queryable, Row } from '../../../postgres/query.ts'
import { toHistory } from '../../revisit-row.ts'
import type { CachedCrawl } from '../crawl-state/crawl-cache.ts'
import { findKnownHosts } from './host-freshness.ts'
import { planDueAt, readCrawlBudget } from './plan-revisits.ts'

/** A URL in a sitemap or a feed. `before` is the time that the sitemap gave until now. */
export interface ListedUrl {
  id: number
  host: number
  source: SignalKind
  lastmod: number
  before: number | null
}

interface SignalledUrl {
  row: Row
  isChange: boolean
  after: RevisitHistory
}

const DAY_MS = 86_400_000

/**
 * Rows that others have locked are being visited or queued right now, and are skipped: to wait for them could end in a
 * deadlock.
 */
const LOCK = {
  name: 'signals_lock',
  text: `with listed as materialized (
      select $1::int as crawl, l.* from unnest($2::bigint[], $3::int[], $4::int[], $5::bigint[], $6::bigint[])
        as l (id, host, source, lastmod, before)
    )
    select r.*, l.source, l.lastmod, l.before
    from listed l join revisits r on r.crawl = l.crawl and r.host = l.host and r.url_id = l.id
    where l.lastmod + ${DAY_MS} > r.visited_at or (l.source = 0 and r.sitemap_signal is null)
    order by r.host, r.url_id, l.source for update of r skip locked`,
}
const SAVE = {
  name: 'signals_save',
  text: `with signalled as materialized (
      select $1::int as crawl, s.* from unnest($2::bigint[], $3::int[], $4::bigint[], $5::bigint[], $6::bigint[])
        as s (id, host, sitemap_signal, feed_signal, due_at)
    )
    update revisits r set sitemap_signal = s.sitemap_signal, feed_signal = s.feed_signal,
      due_at = case when r.due_at is null then null else least(r.due_at, s.due_at) end
    from signalled s where r.crawl = s.crawl and r.host = s.host and r.url_id = s.id`,
}

export async function recordSignals(
  tx: Queryable,
  crawl: CachedCrawl,
  listed: ListedUrl[],
  { now, policies }: { now: number; policies: PolicyCache },
): Promise<void> {
  if (listed.length === 0) return
  const lists = [
    listed.map(({ id }) => id),
    listed.map(({ host }) => host),
    listed.map(({ source }) => SIGNAL_KINDS.indexOf(source)),
    listed.map(({ lastmod }) => lastmod),
    listed.map(({ before }) => before),
  ]
  const { rows } = await tx.query({ ...LOCK, values: [crawl.id, ...lists] })
  const signalled = collectSignals(rows, now)
  if (signalled.length === 0) return
  const hosts = await findKnownHosts(
    tx,
    crawl.id,
    signalled.map(({ row, after }) => ({ host: Number(row['host']), rateGroup: after.rateGroup })),
  )
  const budget = await readCrawlBudget(tx, crawl.id)
  const hostIds = signalled.map(({ row }) => Number(row['host']))
  const settingsOf = await policies.readSettings(tx, crawl.settings, hostIds)
  const saved = signalled.map(({ row, isChange, after }) => {
    const url = { host: Number(row['host']), history: after, from: after.visitedAt }
    // After a failed visit, the next one is planned from that.
    const dueAt = isChange && isObservation(after) ? planDueAt(settingsOf(url.host), url, { budget, hosts }) : null
    return { id: row['url_id'], host: row['host'], ...after.signals, dueAt }
  })
  const values = [
    saved.map(({ id }) => id),
    saved.map(({ host }) => host),
    saved.map(({ sitemap }) => sitemap),
    saved.map(({ feed }) => feed),
    saved.map(({ dueAt }) => dueAt),
  ]
  await tx.query({ ...SAVE, values: [crawl.id, ...values] })
}

/** A URL may be in a sitemap and in a feed. */
function collectSignals(rows: Row[], now: number): SignalledUrl[] {
  const byId = new Map<number, SignalledUrl>()
  for (const row of rows) {
    const id = Number(row['url_id'])
    const known = byId.get(id) ?? { row, isChange: false, after: toHistory(row) }
    const lastmod = Number(row['lastmod'])
    const before = row['before'] === null ? null : Number(row['before'])
    const isChange = announcesChange(lastmod, { before, visitedAt: known.after.visitedAt, now })
    const after = addSignal(known.after, SIGNAL_KINDS[Number(row['source'])] ?? 'sitemap', { isChange, now })
    if (after !== known.after) byId.set(id, { row, isChange: known.isChange || isChange, after })
  }
  return [...byId.values()]
}
