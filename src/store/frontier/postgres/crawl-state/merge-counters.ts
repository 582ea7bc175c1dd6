// Merges the counter rows of threads that no longer exist into one: every thread that took part in a crawl has its own
// row, and reading the state of the crawl sums them all. The sums never change, so a thread that was wrongly considered
// dead may come back: it starts a new row. Locked rows are skipped.

import { mergedStateSql, stateStrengthSql } from '../../../../frontier/judge-pattern.ts'
import { ACTIVE_STATUSES_SQL } from '../../../../lib/states.ts'
import type { Queryable } from '../../../postgres/query.ts'
import { CRAWL_OWNER } from '../discovery/patterns.ts'
import { COUNTER_COLUMNS } from './counters.ts'

/** Process numbers start at 1. A transfer also writes its rows under this name. */
const MERGED_WORKER = '0/'
/** This many rows are cheap to sum. */
const MAX_WORKERS = 50
const CHUNK = 2000

interface MergedTable {
  table: string
  /** Key columns besides crawl and thread (column `worker`). */
  keys: string[]
  sums: readonly string[]
  /** Columns that are not summed: how to aggregate several rows, and how to combine the result with the merged row. */
  others: [column: string, together: string, merged: string][]
}

const STRONGER_STATE = `case when (${stateStrengthSql('excluded.state')}, excluded.changed_at) >=
  (${stateStrengthSql('patterns.state')}, patterns.changed_at) then excluded.state else patterns.state end`

const MERGED_TABLES: MergedTable[] = [
  { table: 'counters', keys: [], sums: COUNTER_COLUMNS, others: [] },
  { table: 'rejections', keys: ['reason'], sums: ['count'], others: [] },
  { table: 'host_requests', keys: ['host'], sums: ['sent', 'rendered'], others: [] },
  {
    table: 'patterns',
    keys: ['pattern'],
    sums: ['visits', 'fruitless'],
    others: [
      ['state', mergedStateSql(), STRONGER_STATE],
      ['changed_at', 'max(changed_at)', 'greatest(patterns.changed_at, excluded.changed_at)'],
    ],
  },
]

/** Running crawls with rows of many threads. */
function crowdedCrawlsStatement({ table }: MergedTable): string {
  return `select c.id from crawls c where c.status in ${ACTIVE_STATUSES_SQL}
    and (select count(distinct k.worker) from ${table} k where k.crawl = c.id) > ${MAX_WORKERS} order by c.id`
}

/** Merges rows of threads without leases whose process has no heartbeat. */
function mergeStatement({ table, keys, sums, others }: MergedTable): string {
  const match = ['crawl', 'worker', ...keys]
  const columns = [...match, ...sums, ...others.map(([column]) => column)]
  const added = [
    'crawl',
    `'${MERGED_WORKER}'`,
    ...keys,
    ...sums.map((column) => `sum(${column})::bigint`),
    ...others.map(([, together]) => together),
  ]
  const merged = [
    ...sums.map((column) => `${column} = ${table}.${column} + excluded.${column}`),
    ...others.map(([column, , merging]) => `${column} = ${merging}`),
  ]
  return `with gone as materialized (
      select ${match.map((column) => `k.${column}`).join(', ')} from ${table} k
      where k.crawl = $1 and k.worker not in ('${CRAWL_OWNER}', '${MERGED_WORKER}')
        and not exists (select 1 from leases l where l.worker = k.worker)
        and not exists (select 1 from workers w where w.state in ('working', 'draining') and starts_with(k.worker, w.process || '/'))
      order by k.worker limit ${CHUNK} for update of k skip locked
    ), taken as (
      delete from ${table} t using gone g where ${match.map((column) => `t.${column} = g.${column}`).join(' and ')}
      returning t.*
    )
    insert into ${table} (${columns.join(', ')})
    select ${added.join(', ')} from taken group by ${['crawl', ...keys].join(', ')} order by ${['crawl', ...keys].join(', ')}
    on conflict (${match.join(', ')}) do update set ${merged.join(', ')}`
}

const STATEMENTS = MERGED_TABLES.map((mergedTable) => ({
  crowded: { name: `fold_crowded_${mergedTable.table}`, text: crowdedCrawlsStatement(mergedTable) },
  fold: { name: `fold_${mergedTable.table}`, text: mergeStatement(mergedTable) },
}))

/** Runs one bounded step per crawl. */
export async function mergeCounters(db: Queryable): Promise<void> {
  for (const statement of STATEMENTS) {
    for (const { id } of (await db.query(statement.crowded)).rows) await db.query({ ...statement.fold, values: [id] })
  }
}
