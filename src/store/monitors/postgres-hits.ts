// Hits of monitors, and what monitors have seen.

import { type Finding, HIT_LIMITS, type HitFilter, type HitLimits, type MonitorHits } from '../../ports/monitors.ts'
import { REMOVING } from '../encoding/state-codes.ts'
import type { Database } from '../postgres/database.ts'
import { type Queryable, type Row, type Statement, toPostgresText, toPostgresTextOrNull } from '../postgres/query.ts'
import { HIT_COLUMNS, toHit, toSeenStates } from './monitor-rows.ts'

const FROM = 'from monitor_hits h join crawls c on c.id = h.crawl'

const SEEN = {
  name: 'monitor_seen',
  text: 'select monitor, visited_at, page, state from monitor_states where url = $1 and monitor = any($2::text[])',
}
const FIND = { name: 'monitor_hit', text: `select ${HIT_COLUMNS} ${FROM} where h.id = $1` }
const UNANNOUNCED = {
  name: 'monitor_unannounced',
  text: `select ${HIT_COLUMNS} ${FROM} where not h.is_announced order by h.id limit $1`,
}
const MARK_ANNOUNCED = 'update monitor_hits set is_announced = true where id = any($1::bigint[])'
const ACKNOWLEDGE = `update monitor_hits set acknowledged_at = $1
  where id = any($2::bigint[]) and acknowledged_at is null`
const ACKNOWLEDGE_ALL = `update monitor_hits set acknowledged_at = $1
  where monitor = $2 and id <= $3 and acknowledged_at is null`

/** Locks the monitor and the crawl against their removal. */
const FIND_MONITOR = {
  name: 'monitor_of_finding',
  text: `select m.is_muted or exists (select 1 from monitor_mutes u where u.monitor = m.id and u.url = $2) as is_muted
    from monitors m where m.id = $1 for key share of m`,
}
const FIND_CRAWL = {
  name: 'monitor_crawl',
  text: `select id from crawls where uuid = $1 and closing is distinct from '${REMOVING}' for key share`,
}
const SEEN_AT = {
  name: 'monitor_seen_at',
  text: 'select visited_at from monitor_states where monitor = $1 and url = $2 for update',
}
const SAVE_STATE = {
  name: 'monitor_save_state',
  text: `insert into monitor_states (monitor, url, crawl, page, visited_at, state) values ($1, $2, $3, $4, $5, $6)
    on conflict (monitor, url) do update set crawl = excluded.crawl, page = excluded.page,
      visited_at = excluded.visited_at, state = excluded.state
    where monitor_states.visited_at < excluded.visited_at`,
}
const DELETE_STATE = {
  name: 'monitor_delete_state',
  text: 'delete from monitor_states where monitor = $1 and url = $2 and visited_at < $3',
}
const ADD_HIT = {
  name: 'monitor_add_hit',
  text: `insert into monitor_hits
      (monitor, crawl, page, url, version, title, visited_at, at, evidence, is_muted, is_announced)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10) on conflict (monitor, page) do nothing returning id`,
}
const DELETE_OLDER = `delete from monitor_hits where monitor = $1
  and id <= (select id from monitor_hits where monitor = $1 order by id desc limit 1 offset $2)`
const COUNT_DELETED = `update monitors set deleted_hits = deleted_hits + $2, dropped_hits = dropped_hits + $3
  where id = $1`

export function makeMonitorHits(db: Database): MonitorHits {
  const run = async (statement: Statement): Promise<Row[]> =>
    (await db.withRetries(() => db.pool.query(statement))).rows
  const change = async (statement: Statement): Promise<number> =>
    (await db.withRetries(() => db.pool.query(statement))).rowCount ?? 0
  return {
    seen: async (url, monitorIds) => toSeenStates(await run({ ...SEEN, values: [toPostgresText(url), monitorIds] })),
    record(findings, limits = HIT_LIMITS) {
      // Sorted, so that two processes do not wait for each other.
      const ordered = findings.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
      return db.withRetries(() =>
        db.transaction(async (tx) => {
          let hits = 0
          for (const finding of ordered) if (await recordOne(tx, finding, limits)) hits += 1
          return hits
        }),
      )
    },
    async list(filter) {
      const { where, values } = hitConditions(filter)
      const text = `select ${HIT_COLUMNS} ${FROM} ${where} order by h.id desc limit $${values.length + 1}`
      return (await run({ text, values: [...values, filter.limit] })).map(toHit)
    },
    async find(id) {
      const [row] = await run({ ...FIND, values: [id] })
      return row === undefined ? null : toHit(row)
    },
    acknowledge: (which, at) =>
      'ids' in which
        ? change({ text: ACKNOWLEDGE, values: [at, which.ids] })
        : change({ text: ACKNOWLEDGE_ALL, values: [at, which.monitorId, which.upTo] }),
    unannounced: async (limit) => (await run({ ...UNANNOUNCED, values: [limit] })).map(toHit),
    async markAnnounced(ids) {
      await run({ text: MARK_ANNOUNCED, values: [ids] })
    },
  }
}

function keyOf({ monitorId, page }: Finding): string {
  return `${monitorId} ${page.url} ${String(page.visitedAt).padStart(16, '0')}`
}

async function recordOne(
  tx: Queryable,
  { monitorId, page, state, evidence, at }: Finding,
  limits: HitLimits,
): Promise<boolean> {
  const url = toPostgresText(page.url)
  const [monitor] = (await tx.query({ ...FIND_MONITOR, values: [monitorId, url] })).rows
  const [crawl] = (await tx.query({ ...FIND_CRAWL, values: [page.crawlId] })).rows
  if (monitor === undefined || crawl === undefined) return false
  const [before] = (await tx.query({ ...SEEN_AT, values: [monitorId, url] })).rows
  if (before !== undefined && Number(before['visited_at']) >= page.visitedAt) return false
  if (state === null) await tx.query({ ...DELETE_STATE, values: [monitorId, url, page.visitedAt] })
  else {
    const values = [monitorId, url, crawl['id'], page.pageId, page.visitedAt, toPostgresText(state)]
    await tx.query({ ...SAVE_STATE, values })
  }
  if (evidence === null) return false
  const about = [monitorId, crawl['id'], page.pageId, url, page.version, toPostgresTextOrNull(page.title)]
  const values = [...about, page.visitedAt, at, toPostgresText(JSON.stringify(evidence)), monitor['is_muted']]
  const [added] = (await tx.query({ ...ADD_HIT, values })).rows
  if (added === undefined) return false
  if (Number(added['id']) % limits.checkEvery === 0) await prune(tx, monitorId, limits)
  return true
}

async function prune(tx: Queryable, monitorId: string, { kept, most }: HitLimits): Promise<void> {
  const announced = await tx.query({ text: `${DELETE_OLDER} and is_announced`, values: [monitorId, kept] })
  const any = await tx.query({ text: DELETE_OLDER, values: [monitorId, most] })
  const dropped = any.rowCount ?? 0
  const deleted = (announced.rowCount ?? 0) + dropped
  if (deleted > 0) await tx.query({ text: COUNT_DELETED, values: [monitorId, deleted, dropped] })
}

function hitConditions({ monitorId, crawlId, url, isOpen, isMuted, before }: HitFilter): {
  where: string
  values: unknown[]
} {
  const values: unknown[] = []
  const conditions: string[] = []
  const add = (sql: string, value: unknown) => {
    values.push(value)
    conditions.push(`${sql} $${values.length}`)
  }
  if (monitorId !== null) add('h.monitor =', monitorId)
  if (crawlId !== null) add('c.uuid =', crawlId)
  if (url !== null) add('h.url =', toPostgresText(url))
  if (isMuted !== null) add('h.is_muted =', isMuted)
  if (before !== null) add('h.id <', before)
  if (isOpen !== null) conditions.push(`h.acknowledged_at is ${isOpen ? 'null' : 'not null'}`)
  return { where: conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`, values }
}
