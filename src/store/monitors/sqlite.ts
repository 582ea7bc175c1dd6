// Monitors and their protected documents.

import type { DatabaseSync } from 'node:sqlite'
import {
  MAX_DOCUMENTS,
  MAX_MONITORS,
  MAX_MUTED_URLS,
  MAX_PROTECTED_WORDS,
  type Monitors,
  type ProtectedDocuments,
} from '../../ports/monitors.ts'
import type { Transactions } from '../sqlite/transactions.ts'
import { toDocument, toMonitor, toMonitorColumns, toMonitorCounts } from './monitor-rows.ts'

/** The row of a monitor is deleted first. */
const TABLES_OF_MONITOR = ['monitor_documents', 'monitor_mutes', 'monitor_states', 'monitor_hits']

export function makeMonitors(db: DatabaseSync, transactions: Transactions): Monitors {
  const list = db.prepare('select * from monitors order by created_at, id')
  const add = db.prepare(
    `insert into monitors (id, name, rule, crawls, include, exclude, is_muted, created_at)
     select ?, ?, ?, ?, ?, ?, ?, ? where (select count(*) from monitors) < ${MAX_MONITORS}`,
  )
  const counts = {
    monitors: db.prepare('select id, deleted_hits, dropped_hits from monitors'),
    hits: db.prepare(
      `select monitor, count(*) as hits, sum(acknowledged_at is null) as open, max(at) as last
       from monitor_hits group by monitor`,
    ),
    documents: db.prepare(
      'select monitor, count(*) as documents, sum(words) as words from monitor_documents group by monitor',
    ),
    mutes: db.prepare('select monitor, url from monitor_mutes order by monitor, url'),
  }
  const find = db.prepare('select 1 from monitors where id = ?')
  const remove = db.prepare('delete from monitors where id = ?')
  const removeRows = TABLES_OF_MONITOR.map((table) => db.prepare(`delete from ${table} where monitor = ?`))
  const clearStates = db.prepare('delete from monitor_states where monitor = ?')
  const mute = db.prepare(
    `insert into monitor_mutes (monitor, url)
     select :id, :url where (select count(*) from monitor_mutes where monitor = :id) < ${MAX_MUTED_URLS}
     on conflict (monitor, url) do update set url = excluded.url`,
  )
  const unmute = db.prepare('delete from monitor_mutes where monitor = ? and url = ?')
  const revise = db.prepare('update monitor_revision set revision = revision + 1')
  const revision = db.prepare('select revision from monitor_revision')
  return {
    list: async () => list.all().map(toMonitor),
    counts: async () =>
      toMonitorCounts({
        monitors: counts.monitors.all(),
        hits: counts.hits.all(),
        documents: counts.documents.all(),
        mutes: counts.mutes.all(),
      }),
    async add({ id, name, rule, crawlIds, include, exclude, isMuted, createdAt }) {
      const lists = [rule, crawlIds, include, exclude].map((value) => JSON.stringify(value))
      return transactions.run(() => {
        revise.run()
        return add.run(id, name, ...lists, Number(isMuted), createdAt).changes === 1
      })
    },
    async change(id, changes) {
      return transactions.run(() => {
        if (find.get(id) === undefined) return false
        for (const { column, value } of toMonitorColumns(changes)) {
          const stored = typeof value === 'boolean' ? Number(value) : value
          db.prepare(`update monitors set ${column} = ? where id = ?`).run(stored, id)
        }
        if (changes.rule !== undefined) clearStates.run(id)
        revise.run()
        return true
      })
    },
    async remove(id) {
      return transactions.run(() => {
        if (remove.run(id).changes === 0) return false
        for (const statement of removeRows) statement.run(id)
        revise.run()
        return true
      })
    },
    async muteUrl(id, url, isMuted) {
      return transactions.run(() => {
        if (find.get(id) === undefined) return false
        if (isMuted) return mute.run({ id, url }).changes === 1
        unmute.run(id, url)
        return true
      })
    },
    revision: async () => Number(revision.get()?.['revision']),
  }
}

export function makeProtectedDocuments(db: DatabaseSync, transactions: Transactions): ProtectedDocuments {
  const list = db.prepare(
    'select id, monitor, title, url, words, added_at from monitor_documents where monitor = ? order by added_at, id',
  )
  const find = db.prepare('select 1 from monitors where id = ?')
  const total = db.prepare('select count(*) as documents, coalesce(sum(words), 0) as words from monitor_documents')
  const add = db.prepare(
    `insert into monitor_documents (id, monitor, title, url, words, added_at, text) values (?, ?, ?, ?, ?, ?, ?)`,
  )
  const remove = db.prepare('delete from monitor_documents where monitor = ? and id = ?')
  const text = db.prepare('select text from monitor_documents where id = ?')
  const revise = db.prepare('update monitor_revision set revision = revision + 1')
  return {
    list: async (monitorId) => list.all(monitorId).map(toDocument),
    async add(document) {
      return transactions.run(() => {
        if (find.get(document.monitorId) === undefined) return 'no_monitor'
        const { documents, words } = total.get() ?? {}
        const isFull = Number(documents) >= MAX_DOCUMENTS || Number(words) + document.words > MAX_PROTECTED_WORDS
        if (isFull) return 'full'
        const { id, monitorId, title, url, addedAt } = document
        add.run(id, monitorId, title, url, document.words, addedAt, document.text)
        revise.run()
        return 'added'
      })
    },
    async remove(monitorId, id) {
      return transactions.run(() => {
        if (remove.run(monitorId, id).changes === 0) return false
        revise.run()
        return true
      })
    },
    async text(id) {
      const row = text.get(id)
      return row === undefined ? null : String(row['text'])
    },
  }
}
