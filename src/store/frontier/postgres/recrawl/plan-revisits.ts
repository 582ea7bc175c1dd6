// Saves the histories of URLs with the times of their next visits.

import { priorOf } from '../../../../frontier/host-freshness.ts'
import type { RevisitHistory } from '../../../../frontier/revisit-history.ts'
import { type PlanContext, planRevisit } from '../../../../frontier/revisit-plan.ts'
import type { CrawlSettings } from '../../../../ports/crawls.ts'
import type { UrlKind } from '../../../../ports/visits.ts'
import type { PolicyCache } from '../../../policies/postgres.ts'
import { bulkInsert } from '../../../postgres/bulk-insert.ts'
import { type Queryable, type Row, toPostgresText, toPostgresTextOrNull } from '../../../postgres/query.ts'
import { HISTORY_COLUMNS, historyValues, isKnownPage, toHistory } from '../../revisit-row.ts'
import { addChange, type CounterChanges } from '../crawl-state/counters.ts'
import type { CachedCrawl } from '../crawl-state/crawl-cache.ts'
import { type KnownHosts, knownHost } from './host-freshness.ts'

/** A URL with its history, visited last at `from`. */
export interface UrlToPlan {
  id: number
  host: number
  kind: UrlKind
  history: RevisitHistory
  from: number
  /** The previous row in `revisits`; null if there is none. */
  row: Row | null
  /** The URL is queued already, to be read as a sitemap. */
  isQueued: boolean
}

const BUDGET = { name: 'revisits_budget', text: 'select threshold, round_ms from recrawls where crawl = $1' }

const COLUMN_TYPES = {
  crawl: 'int',
  host: 'int',
  url_id: 'bigint',
  due_at: 'bigint',
  state: 'smallint',
  reason: 'text',
  visited_at: 'bigint',
  changed_at: 'bigint',
  visits: 'int',
  changes: 'double precision',
  observed_ms: 'double precision',
  interval_ms: 'bigint',
  seen_hash: 'bytea',
  etag: 'text',
  last_modified: 'text',
  expires_at: 'bigint',
  importance: 'double precision',
  rate_group: 'text',
  sitemap_signal: 'bigint',
  feed_signal: 'bigint',
} as const
const REPLACED = ['due_at', ...HISTORY_COLUMNS].map((name) => `${name} = excluded.${name}`).join(', ')
const SAVE = bulkInsert(
  'revisits',
  COLUMN_TYPES,
  `order by host, url_id on conflict (crawl, host, url_id) do update set ${REPLACED}`,
)

/** Inputs of plans besides host and URL. */
export type CrawlBudget = Pick<PlanContext, 'threshold' | 'roundMs'>

export async function readCrawlBudget(db: Queryable, crawl: number): Promise<CrawlBudget> {
  const [row] = (await db.query({ ...BUDGET, values: [crawl] })).rows
  return {
    threshold: row?.['threshold'] == null ? null : Number(row['threshold']),
    roundMs: row?.['round_ms'] == null ? null : Number(row['round_ms']),
  }
}

/** When to revisit a URL that was visited at `from`. */
export function planDueAt(
  settings: CrawlSettings,
  { host, history, from }: Pick<UrlToPlan, 'host' | 'history' | 'from'>,
  { budget, hosts }: { budget: CrawlBudget; hosts: KnownHosts },
): number {
  const known = knownHost(hosts, host)
  const context = { ...budget, prior: priorOf(known, history.rateGroup), signals: known.host.signals }
  return planRevisit(history, settings, context, from)
}

/** Returns how the counters of revisits change. */
export async function planRevisits(
  tx: Queryable,
  crawl: CachedCrawl,
  urls: UrlToPlan[],
  { hosts, policies }: { hosts: KnownHosts; policies: PolicyCache },
): Promise<CounterChanges> {
  const changes: CounterChanges = {}
  if (urls.length === 0) return changes
  const budget = await readCrawlBudget(tx, crawl.id)
  const settingsOf = await policies.readSettings(
    tx,
    crawl.settings,
    urls.map(({ host }) => host),
  )
  const rows = urls.map((url) => {
    const { id, host, kind, history, from, row, isQueued } = url
    const dueAt = planDueAt(settingsOf(host), url, { budget, hosts })
    const wasOpen = row !== null && row['due_at'] === null
    const wasPage = row !== null && isKnownPage(toHistory(row), kind)
    addChange(changes, 'open_revisits', Number(isQueued) - Number(wasOpen))
    addChange(changes, 'known_pages', Number(isKnownPage(history, kind)) - Number(wasPage))
    return { crawl: crawl.id, host, url_id: id, due_at: isQueued ? null : dueAt, ...toColumns(history, dueAt - from) }
  })
  await SAVE.run(tx, rows as Record<keyof typeof COLUMN_TYPES, unknown>[])
  return changes
}

function toColumns(history: RevisitHistory, intervalMs: number): Record<string, unknown> {
  const values = historyValues({
    ...history,
    intervalMs,
    reason: toPostgresTextOrNull(history.reason),
    etag: toPostgresTextOrNull(history.etag),
    lastModified: toPostgresTextOrNull(history.lastModified),
    rateGroup: toPostgresText(history.rateGroup),
  })
  return Object.fromEntries(HISTORY_COLUMNS.map((name, i) => [name, values[i]]))
}
