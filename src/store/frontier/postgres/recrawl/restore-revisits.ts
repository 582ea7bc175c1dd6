// Returns URLs that are queued for a revisit to their last outcome: when --recrawl is turned off, or the crawl is closed.

import type { TerminalState } from '../../../../lib/states.ts'
import { QUEUED, SITEMAP_KIND, stateFromCode } from '../../../encoding/state-codes.ts'
import type { Queryable } from '../../../postgres/query.ts'
import { addChange, addToCounters, type CounterChanges } from '../crawl-state/counters.ts'

/** Rows per transaction, to keep it short. */
const CHUNK = 5000

const HAS_RECRAWL = { name: 'restore_has_recrawl', text: 'select 1 from recrawls where crawl = $1' }
const RESTORE = {
  name: 'restore_revisits',
  text: `with locked as (
      select u.crawl, u.id, u.host, r.state, r.reason
      from urls u join revisits r on r.crawl = u.crawl and r.host = u.host and r.url_id = u.id
      where u.crawl = $1 and u.state = ${QUEUED} limit ${CHUNK} for update of u skip locked
    )
    update urls u set state = k.state, reason = k.reason, due_at = 0 from locked k
    where u.crawl = k.crawl and u.id = k.id and u.host = k.host returning u.state, u.kind`,
}

/** Returns how many; 0 if none are left that are not in flight. */
export async function restoreRevisits(tx: Queryable, crawl: number, holder: string): Promise<number> {
  if ((await tx.query({ ...HAS_RECRAWL, values: [crawl] })).rows.length === 0) return 0
  const { rows } = await tx.query({ ...RESTORE, values: [crawl] })
  const changes: CounterChanges = {}
  for (const { state, kind } of rows) {
    const outcome = stateFromCode(Number(state)) as TerminalState
    addChange(changes, 'open', -1)
    addChange(changes, outcome)
    if (outcome === 'visited' && kind === SITEMAP_KIND) addChange(changes, 'sitemaps')
  }
  if (rows.length > 0) await addToCounters(tx, { crawl, holder }, changes)
  return rows.length
}
