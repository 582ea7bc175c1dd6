// Hits of monitors, and what monitors have seen.

import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { type Finding, HIT_LIMITS, type HitFilter, type HitLimits, type MonitorHits } from '../../ports/monitors.ts'
import { REMOVING } from '../encoding/state-codes.ts'
import type { Transactions } from '../sqlite/transactions.ts'
import { HIT_COLUMNS, toHit, toSeenStates } from './monitor-rows.ts'

const FROM = 'from monitor_hits h join crawls c on c.id = h.crawl'

export function makeMonitorHits(db: DatabaseSync, transactions: Transactions): MonitorHits {
  const seen = db.prepare(
    `select monitor, visited_at, page, state from monitor_states
     where url = ? and monitor in (select value from json_each(?))`,
  )
  const find = db.prepare(`select ${HIT_COLUMNS} ${FROM} where h.id = ?`)
  const unannounced = db.prepare(`select ${HIT_COLUMNS} ${FROM} where h.is_announced = 0 order by h.id limit ?`)
  const markAnnounced = db.prepare(
    'update monitor_hits set is_announced = 1 where id in (select value from json_each(?))',
  )
  const acknowledge = db.prepare(
    `update monitor_hits set acknowledged_at = ?
     where id in (select value from json_each(?)) and acknowledged_at is null`,
  )
  const acknowledgeAll = db.prepare(
    'update monitor_hits set acknowledged_at = ? where monitor = ? and id <= ? and acknowledged_at is null',
  )
  const record = makeRecord(db)
  return {
    seen: async (url, monitorIds) => toSeenStates(seen.all(url, JSON.stringify(monitorIds))),
    async record(findings, limits = HIT_LIMITS) {
      return transactions.run(() => findings.filter((finding) => record(finding, limits)).length)
    },
    async list(filter) {
      const { where, values } = hitConditions(filter)
      return db
        .prepare(`select ${HIT_COLUMNS} ${FROM} ${where} order by h.id desc limit ?`)
        .all(...values, filter.limit)
        .map(toHit)
    },
    async find(id) {
      const row = find.get(id)
      return row === undefined ? null : toHit(row)
    },
    async acknowledge(which, at) {
      return transactions.run(() => {
        const done =
          'ids' in which
            ? acknowledge.run(at, JSON.stringify(which.ids))
            : acknowledgeAll.run(at, which.monitorId, which.upTo)
        return Number(done.changes)
      })
    },
    unannounced: async (limit) => unannounced.all(limit).map(toHit),
    async markAnnounced(ids) {
      transactions.run(() => markAnnounced.run(JSON.stringify(ids)))
    },
  }
}

/** Returns whether there is a new hit. */
function makeRecord(db: DatabaseSync): (finding: Finding, limits: HitLimits) => boolean {
  const findMonitor = db.prepare(
    `select m.is_muted or exists (select 1 from monitor_mutes u where u.monitor = m.id and u.url = ?) as is_muted
     from monitors m where m.id = ?`,
  )
  const findCrawl = db.prepare(`select id from crawls where uuid = ? and closing is not '${REMOVING}'`)
  const seenAt = db.prepare('select visited_at from monitor_states where monitor = ? and url = ?')
  const saveState = db.prepare(
    `insert into monitor_states (monitor, url, crawl, page, visited_at, state) values (?, ?, ?, ?, ?, ?)
     on conflict (monitor, url) do update set crawl = excluded.crawl, page = excluded.page,
       visited_at = excluded.visited_at, state = excluded.state`,
  )
  const deleteState = db.prepare('delete from monitor_states where monitor = ? and url = ?')
  const addHit = db.prepare(
    `insert into monitor_hits (monitor, crawl, page, url, version, title, visited_at, at, evidence, is_muted, is_announced)
     values (:monitor, :crawl, :page, :url, :version, :title, :visitedAt, :at, :evidence, :isMuted, :isMuted)
     on conflict (monitor, page) do nothing returning id`,
  )
  const prune = makePrune(db)
  return ({ monitorId, page, state, evidence, at }, limits) => {
    const monitor = findMonitor.get(page.url, monitorId)
    const crawl = findCrawl.get(page.crawlId)
    if (monitor === undefined || crawl === undefined) return false
    const before = seenAt.get(monitorId, page.url)
    if (before !== undefined && Number(before['visited_at']) >= page.visitedAt) return false
    const crawlRow = Number(crawl['id'])
    if (state === null) deleteState.run(monitorId, page.url)
    else saveState.run(monitorId, page.url, crawlRow, page.pageId, page.visitedAt, state)
    if (evidence === null) return false
    const added = addHit.get({
      monitor: monitorId,
      crawl: crawlRow,
      page: page.pageId,
      url: page.url,
      version: page.version,
      title: page.title,
      visitedAt: page.visitedAt,
      at,
      evidence: JSON.stringify(evidence),
      isMuted: Number(monitor['is_muted']),
    })
    if (added !== undefined && Number(added['id']) % limits.checkEvery === 0) prune(monitorId, limits)
    return added !== undefined
  }
}

function makePrune(db: DatabaseSync): (monitor: string, limits: HitLimits) => void {
  const olderThan = `delete from monitor_hits where monitor = :monitor
    and id <= (select id from monitor_hits where monitor = :monitor order by id desc limit 1 offset :offset)`
  const deleteAnnounced = db.prepare(`${olderThan} and is_announced = 1`)
  const deleteAny = db.prepare(olderThan)
  const count = db.prepare(
    'update monitors set deleted_hits = deleted_hits + ?, dropped_hits = dropped_hits + ? where id = ?',
  )
  return (monitor, { kept, most }) => {
    const announced = Number(deleteAnnounced.run({ monitor, offset: kept }).changes)
    const dropped = Number(deleteAny.run({ monitor, offset: most }).changes)
    if (announced + dropped > 0) count.run(announced + dropped, dropped, monitor)
  }
}

function hitConditions({ monitorId, crawlId, url, isOpen, isMuted, before }: HitFilter): {
  where: string
  values: SQLInputValue[]
} {
  const conditions: { sql: string; values: SQLInputValue[] }[] = []
  if (monitorId !== null) conditions.push({ sql: 'h.monitor = ?', values: [monitorId] })
  if (crawlId !== null) conditions.push({ sql: 'c.uuid = ?', values: [crawlId] })
  if (url !== null) conditions.push({ sql: 'h.url = ?', values: [url] })
  if (isOpen !== null) conditions.push({ sql: `h.acknowledged_at is ${isOpen ? 'null' : 'not null'}`, values: [] })
  if (isMuted !== null) conditions.push({ sql: 'h.is_muted = ?', values: [Number(isMuted)] })
  if (before !== null) conditions.push({ sql: 'h.id < ?', values: [before] })
  const where = conditions.length === 0 ? '' : `where ${conditions.map(({ sql }) => sql).join(' and ')}`
  return { where, values: conditions.flatMap(({ values }) => values) }
}
