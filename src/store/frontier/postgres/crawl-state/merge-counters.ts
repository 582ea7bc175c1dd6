// Rows that workers left behind, added up into one: every worker that ever took part in a crawl has its own, and whoever
// asks how the crawl stands adds them all up. The sum is the same at every moment, so it does no harm when a worker that
// was taken for gone comes back: it begins a new row. Rows that a transaction has under its hands are passed over.

import { mergedStateSql, stateStrengthSql } from '../../../../frontier/judge-pattern.ts'
import type { Queryable } from '../../../postgres/query.ts'
import { OWNER_WORKER } from '../discovery/patterns.ts'
import { COUNTER_COLUMNS } from './counters.ts'

/** Processes have numbers from 1; a move writes what it brings under this name too. */
export const MERGED_WORKER = '0/'
/** As many are read without anybody noticing; workers come and go. */
const MAX_WORKERS = 50
const CHUNK = 2000

interface MergedTable {
  table: string
  /** Besides crawl and worker. */
  keys: string[]
  sums: readonly string[]
  /** Columns that are no sums: what several are together, and what the row there and the new one are. */
  others: [column: string, together: string, merged: string][]
}

const STRONGER_STATE = `case when (${stateStrengthSql('excluded.state')}, excluded.changed_at) >=
  (${stateStrengthSql('patterns.state')}, patterns.changed_at) then excluded.state else patterns.state end`

const MERGED_TABLES: MergedTable[] = [
  { table: 'counters', keys: [], sums: COUNTER_COLUMNS, others: [] },
  { table: 'rejections', keys: ['reason'], sums: ['count'], others: [] },
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

/** Running crawls of which more than a few workers have rows. */
function crowdedCrawlsStatement({ table }: MergedTable): string {
  return `select c.id from crawls c where c.status = 'running'
    and (select count(distinct k.worker) from ${table} k where k.crawl = c.id) > ${MAX_WORKERS} order by c.id`
}

/** Of workers that hold nothing and whose process does not beat. */
function mergeStatement({ table, keys, sums, others }: MergedTable): string {
  const match = ['crawl', 'worker', ...keys]
  const columns = [...match, ...sums, ...others.map(([column]) => column)]
  const added = [
    ...['crawl', `'${MERGED_WORKER}'`, ...keys],
    ...sums.map((column) => `sum(${column})::bigint`),
    ...others.map(([, together]) => together),
  ]
  const merged = [
    ...sums.map((column) => `${column} = ${table}.${column} + excluded.${column}`),
    ...others.map(([column, , merging]) => `${column} = ${merging}`),
  ]
  return `with gone as materialized (
      select ${match.map((column) => `k.${column}`).join(', ')} from ${table} k
      where k.crawl = $1 and k.worker not in ('${OWNER_WORKER}', '${MERGED_WORKER}')
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

/** A bounded step for each crawl. */
export async function mergeCounters(db: Queryable): Promise<void> {
  for (const statement of STATEMENTS) {
    for (const { id } of (await db.query(statement.crowded)).rows) await db.query({ ...statement.fold, values: [id] })
  }
}
