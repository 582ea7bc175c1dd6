// Returns URLs that are queued for a revisit to their last outcome: when --recrawl is turned off, the crawl is closed, or
// they are beyond a new limit.

import { toUrlKind, visitedCounterOf } from '../../../../frontier/kind-changes.ts'
import type { TerminalState } from '../../../../lib/states.ts'
import { QUEUED, stateFromCode } from '../../../encoding/state-codes.ts'
import type { Queryable, Row } from '../../../postgres/query.ts'
import { addChange, addToCounters, type CounterChanges } from '../crawl-state/counters.ts'

/** Rows per transaction, to keep it short. */
const CHUNK = 5000

const HAS_RECRAWL = { name: 'restore_has_recrawl', text: 'select 1 from recrawls where crawl = $1' }

/** `locked` selects URLs with their rows of `revisits`. They are due again after their intervals. */
const restoreStatement = (name: string, locked: string) => ({
  name,
  text: `with locked as materialized (${locked}
    ), planned as (
      update revisits r set due_at = r.visited_at + r.interval_ms from locked k
      where r.crawl = k.crawl and r.host = k.host and r.url_id = k.id and r.due_at is null returning r.url_id
    )
    update urls u set state = k.state, reason = k.reason, due_at = 0, lease = null from locked k
    where u.crawl = k.crawl and u.id = k.id and u.host = k.host
    returning u.state, u.kind, u.id in (select url_id from planned) as is_planned`,
})
const COLUMNS = 'u.crawl, u.id, u.host, r.state, r.reason'
const WITH_REVISITS = 'join revisits r on r.crawl = u.crawl and r.host = u.host and r.url_id = u.id'

const RESTORE = restoreStatement(
  'restore_revisits',
  `select ${COLUMNS} from urls u ${WITH_REVISITS}
    where u.crawl = $1 and u.state = ${QUEUED} limit ${CHUNK} for update of u skip locked`,
)
const RESTORE_BLOCKED = restoreStatement(
  'restore_blocked',
  `select ${COLUMNS} from blocked_hosts b join urls u on u.crawl = b.crawl and u.host = b.host and u.state = ${QUEUED}
      ${WITH_REVISITS} where b.crawl = $1 limit ${CHUNK} for update of u skip locked`,
)
/** The rows are locked already. */
const RESTORE_THESE = restoreStatement(
  'restore_these',
  `select ${COLUMNS} from unnest($2::bigint[], $3::int[]) as t (id, host)
      join urls u on u.crawl = $1 and u.id = t.id and u.host = t.host ${WITH_REVISITS}`,
)

/** Returns how many; 0 if none are left that are not in flight. */
export async function restoreRevisits(tx: Queryable, crawl: number, holder: string): Promise<number> {
  if ((await tx.query({ ...HAS_RECRAWL, values: [crawl] })).rows.length === 0) return 0
  const { rows } = await tx.query({ ...RESTORE, values: [crawl] })
  if (rows.length > 0) await addToCounters(tx, { crawl, holder }, countRestored(rows))
  return rows.length
}

/** URLs of blocked hosts. */
export async function restoreBlocked(
  tx: Queryable,
  crawl: number,
): Promise<{ restored: number; changes: CounterChanges }> {
  const { rows } = await tx.query({ ...RESTORE_BLOCKED, values: [crawl] })
  return { restored: rows.length, changes: countRestored(rows) }
}

/** Restores the URLs that have a history. */
export async function restoreUrls(
  tx: Queryable,
  crawl: number,
  urls: Row[],
): Promise<{ restored: number; changes: CounterChanges }> {
  const values = [crawl, urls.map((row) => row['id']), urls.map((row) => row['host'])]
  const { rows } = await tx.query({ ...RESTORE_THESE, values })
  return { restored: rows.length, changes: countRestored(rows) }
}

function countRestored(rows: Row[]): CounterChanges {
  const changes: CounterChanges = {}
  for (const { state, kind, is_planned: isPlanned } of rows) {
    const outcome = stateFromCode(Number(state)) as TerminalState
    addChange(changes, 'open', -1)
    addChange(changes, outcome)
    if (isPlanned === true) addChange(changes, 'open_revisits', -1)
    const counter = visitedCounterOf(toUrlKind(kind))
    if (outcome === 'visited' && counter !== null) addChange(changes, counter)
  }
  return changes
}
