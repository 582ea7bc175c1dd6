// Builds what a data directory needs besides the transferred rows.

import type { DatabaseSync } from 'node:sqlite'
import type { TransferRow } from '../../ports/transfer.ts'
import { applyShorterPaths } from './sqlite-shorter-paths.ts'

/** Only SQLite counts the uses of a payload; elsewhere `unused_since` may be out of date. */
const COUNT_USES = `
  update contents set uses = 0;
  update contents set uses = counted.uses from
    (select content, count(*) as uses from pages where content is not null group by content) as counted
    where counted.content = contents.id;`

const UNUSED_SINCE = 'update contents set unused_since = case when uses = 0 then coalesce(unused_since, ?) end'

/** Inside a transaction. */
export function finishTarget(db: DatabaseSync, detours: TransferRow[], now: number): void {
  db.exec(COUNT_USES)
  db.prepare(UNUSED_SINCE).run(now)
  applyShorterPaths(db, detours, now)
}
