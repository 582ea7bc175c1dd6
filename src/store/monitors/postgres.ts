// Monitors and their protected documents.

import {
  MAX_DOCUMENTS,
  MAX_MONITORS,
  MAX_MUTED_URLS,
  MAX_PROTECTED_WORDS,
  type Monitors,
  type ProtectedDocuments,
} from '../../ports/monitors.ts'
import type { Database } from '../postgres/database.ts'
import { type Queryable, type Row, type Statement, toPostgresText, toPostgresTextOrNull } from '../postgres/query.ts'
import { toDocument, toMonitor, toMonitorColumns, toMonitorCounts } from './monitor-rows.ts'

const TABLES_OF_MONITOR = ['monitor_documents', 'monitor_mutes', 'monitor_states', 'monitor_hits']

/** The row lock also serialises changes of monitors, so that limits hold. */
const REVISE = 'update monitor_revision set revision = revision + 1'
const LIST = { name: 'monitors_list', text: 'select * from monitors order by created_at, id' }
const ADD = `insert into monitors (id, name, rule, crawls, include, exclude, is_muted, created_at)
  select $1, $2, $3, $4, $5, $6, $7, $8::bigint where (select count(*) from monitors) < ${MAX_MONITORS} returning id`
const COUNT_HITS = `select monitor, count(*) as hits, count(*) filter (where acknowledged_at is null) as open,
    max(at) as last from monitor_hits group by monitor`
const COUNT_DOCUMENTS =
  'select monitor, count(*) as documents, sum(words) as words from monitor_documents group by monitor'
const MUTES = 'select monitor, url from monitor_mutes order by monitor, url'
const MUTE = `insert into monitor_mutes (monitor, url)
  select $1, $2 where (select count(*) from monitor_mutes where monitor = $1) < ${MAX_MUTED_URLS}
  on conflict (monitor, url) do update set url = excluded.url returning url`
/** Waits for a removal, or makes it wait. */
const FIND = 'select 1 from monitors where id = $1 for key share'
const REVISION = { name: 'monitors_revision', text: 'select revision from monitor_revision' }

export function makeMonitors(db: Database): Monitors {
  const run = async (statement: Statement): Promise<Row[]> =>
    (await db.withRetries(() => db.pool.query(statement))).rows
  const inOne = <T>(work: (tx: Queryable) => Promise<T>) => db.withRetries(() => db.transaction(work))
  return {
    list: async () => (await run(LIST)).map(toMonitor),
    async counts() {
      const [monitors, hits, documents, mutes] = [
        await run({ text: 'select id, deleted_hits, dropped_hits from monitors' }),
        await run({ text: COUNT_HITS }),
        await run({ text: COUNT_DOCUMENTS }),
        await run({ text: MUTES }),
      ]
      return toMonitorCounts({ monitors, hits, documents, mutes })
    },
    add({ id, name, rule, crawlIds, include, exclude, isMuted, createdAt }) {
      const lists = [rule, crawlIds, include, exclude].map((value) => toPostgresText(JSON.stringify(value)))
      return inOne(async (tx) => {
        await tx.query({ text: REVISE })
        const values = [id, toPostgresText(name), ...lists, isMuted, createdAt]
        return (await tx.query({ text: ADD, values })).rows.length === 1
      })
    },
    change(id, changes) {
      return inOne(async (tx) => {
        await tx.query({ text: REVISE })
        const { rows } = await tx.query({ text: 'select 1 from monitors where id = $1 for update', values: [id] })
        if (rows.length === 0) return false
        for (const { column, value } of toMonitorColumns(changes)) {
          const stored = typeof value === 'string' ? toPostgresText(value) : value
          await tx.query({ text: `update monitors set ${column} = $2 where id = $1`, values: [id, stored] })
        }
        if (changes.rule !== undefined) {
          await tx.query({ text: 'delete from monitor_states where monitor = $1', values: [id] })
        }
        return true
      })
    },
    remove(id) {
      return inOne(async (tx) => {
        await tx.query({ text: REVISE })
        // First, so that it waits for findings that are being recorded.
        const { rowCount } = await tx.query({ text: 'delete from monitors where id = $1', values: [id] })
        for (const table of TABLES_OF_MONITOR) {
          await tx.query({ text: `delete from ${table} where monitor = $1`, values: [id] })
        }
        return rowCount === 1
      })
    },
    muteUrl(id, url, isMuted) {
      return inOne(async (tx) => {
        if ((await tx.query({ text: FIND, values: [id] })).rows.length === 0) return false
        const values = [id, toPostgresText(url)]
        if (isMuted) return (await tx.query({ text: MUTE, values })).rows.length === 1
        await tx.query({ text: 'delete from monitor_mutes where monitor = $1 and url = $2', values })
        return true
      })
    },
    revision: async () => Number((await run(REVISION))[0]?.['revision']),
  }
}

const LIST_DOCUMENTS = `select id, monitor, title, url, words, added_at from monitor_documents
  where monitor = $1 order by added_at, id`
const TOTAL = 'select count(*) as documents, coalesce(sum(words), 0) as words from monitor_documents'
const ADD_DOCUMENT = `insert into monitor_documents (id, monitor, title, url, words, added_at, text)
  values ($1, $2, $3, $4, $5, $6, $7)`

export function makeProtectedDocuments(db: Database): ProtectedDocuments {
  const run = async (statement: Statement): Promise<Row[]> =>
    (await db.withRetries(() => db.pool.query(statement))).rows
  const inOne = <T>(work: (tx: Queryable) => Promise<T>) => db.withRetries(() => db.transaction(work))
  return {
    list: async (monitorId) => (await run({ text: LIST_DOCUMENTS, values: [monitorId] })).map(toDocument),
    add({ id, monitorId, title, url, words, addedAt, text }) {
      return inOne(async (tx) => {
        await tx.query({ text: REVISE })
        if ((await tx.query({ text: FIND, values: [monitorId] })).rows.length === 0) return 'no_monitor'
        const [total] = (await tx.query({ text: TOTAL })).rows
        const isFull =
          Number(total?.['documents']) >= MAX_DOCUMENTS || Number(total?.['words']) + words > MAX_PROTECTED_WORDS
        if (isFull) return 'full'
        const about = [id, monitorId, toPostgresText(title), toPostgresTextOrNull(url), words, addedAt]
        await tx.query({ text: ADD_DOCUMENT, values: [...about, toPostgresText(text)] })
        return 'added'
      })
    },
    remove(monitorId, id) {
      return inOne(async (tx) => {
        await tx.query({ text: REVISE })
        const text = 'delete from monitor_documents where monitor = $1 and id = $2'
        return (await tx.query({ text, values: [monitorId, id] })).rowCount === 1
      })
    },
    async text(id) {
      const [row] = await run({ text: 'select text from monitor_documents where id = $1', values: [id] })
      return row === undefined ? null : String(row['text'])
    },
  }
}
