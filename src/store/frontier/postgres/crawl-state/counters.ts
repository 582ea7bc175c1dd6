// The ledger of a crawl: one row per crawl thread, so that threads never wait for each other; readers sum the rows. The
// mark of a thread's last commit is a separate row, since ledger rows are merged (merge-counters.ts).

import { TERMINAL_STATES } from '../../../../lib/states.ts'
import type { Queryable } from '../../../postgres/query.ts'

export const COUNTER_COLUMNS = [
  ...TERMINAL_STATES,
  'open',
  'in_progress',
  'open_revisits',
  'known_pages',
  'sitemaps',
  'sitemaps_found',
  'requisites',
  'bytes',
  'late_reports',
] as const

export type Counter = (typeof COUNTER_COLUMNS)[number]

/** The changes of one transaction. */
export type CounterChanges = Partial<Record<Counter, number>>

export function addChange(changes: CounterChanges, counter: Counter, by = 1): void {
  changes[counter] = (changes[counter] ?? 0) + by
}

export function addChanges(changes: CounterChanges, others: CounterChanges): void {
  for (const [name, by] of Object.entries(others)) addChange(changes, name as Counter, by)
}

/** Identifies the commit that makes the changes, for a thread that does not learn its result. */
export interface CommitMark {
  number: number
  /** Negative if the commit was rejected: the number of late reports. */
  added: number
}

const ADD = {
  name: 'counters_add',
  text: `insert into counters (crawl, worker, ${COUNTER_COLUMNS.join(', ')})
    values ($1, $2, ${COUNTER_COLUMNS.map((_, i) => `$${i + 3}`).join(', ')})
    on conflict (crawl, worker) do update set
      ${COUNTER_COLUMNS.map((name) => `${name} = counters.${name} + excluded.${name}`).join(', ')}`,
}
const ADD_MARKED = {
  name: 'counters_add_marked',
  text: `with marked as (
      insert into marks (crawl, worker, last_commit, last_added)
      values ($1, $2, $${COUNTER_COLUMNS.length + 3}, $${COUNTER_COLUMNS.length + 4})
      on conflict (crawl, worker) do update set last_commit = excluded.last_commit, last_added = excluded.last_added
    ) ${ADD.text}`,
}

export async function addToCounters(
  tx: Queryable,
  { crawl, holder }: { crawl: number; holder: string },
  changes: CounterChanges,
  mark: CommitMark | null = null,
): Promise<void> {
  const values = [crawl, holder, ...COUNTER_COLUMNS.map((name) => changes[name] ?? 0)]
  await tx.query(mark === null ? { ...ADD, values } : { ...ADD_MARKED, values: [...values, mark.number, mark.added] })
}

const READ_MARK = {
  name: 'counters_last',
  text: 'select last_added from marks where crawl = $1 and worker = $2 and last_commit >= $3',
}

/** The number of URLs that the commit added, from its mark; null if it did not happen. */
export async function readCommitMark(
  db: Queryable,
  of: { crawl: number; holder: string },
  number: number,
): Promise<number | null> {
  const [row] = (await db.query({ ...READ_MARK, values: [of.crawl, of.holder, number] })).rows
  return row === undefined ? null : Number(row['last_added'])
}
