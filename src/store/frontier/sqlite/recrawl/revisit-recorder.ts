// Writes what a visit says about the next one, in the commit of the visit. Only for crawls with --recrawl.

import type { DatabaseSync } from 'node:sqlite'
import { addVisit, planRevisit, type RevisitHistory } from '../../../../frontier/revisit-plan.ts'
import type { VisitReport } from '../../../../ports/frontier.ts'
import { HISTORY_COLUMNS, historyValues, toHistory, toVisitEnd } from '../../revisit-row.ts'
import type { ActiveCrawl } from '../crawl-state/active-crawls.ts'

export class RevisitRecorder {
  readonly #find
  readonly #save
  readonly #threshold

  constructor(db: DatabaseSync) {
    const columns = ['url_id', 'crawl', 'due_at', ...HISTORY_COLUMNS]
    this.#find = db.prepare('select * from revisits where url_id = ?')
    this.#save = db.prepare(
      `insert into revisits (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})
       on conflict (url_id) do update set ${columns.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    )
    this.#threshold = db.prepare('select threshold from recrawls where crawl = ?')
  }

  /** The outcome is final. Returns the history before; null if the URL had none. */
  record(crawl: ActiveCrawl, urlId: number, visit: VisitReport, now: number): RevisitHistory | null {
    const row = this.#find.get(urlId)
    const before = row === undefined ? null : toHistory(row)
    const end = toVisitEnd(visit)
    // A URL that was never requested, because robots.txt or a pattern excludes it, is not visited again.
    if (end === null || (before === null && visit.facts === null)) return before
    this.plan(crawl, urlId, addVisit(before, end, now), now)
    return before
  }

  /** Saves the history and the time of the next visit, as of a visit at `from`. */
  plan(crawl: ActiveCrawl, urlId: number, history: RevisitHistory, from: number): void {
    const threshold = this.#threshold.get(crawl.rowId)?.['threshold'] ?? null
    const dueAt = planRevisit(history, crawl.settings, threshold === null ? null : Number(threshold), from)
    const planned = { ...history, intervalMs: dueAt - from }
    this.#save.run(urlId, crawl.rowId, dueAt, ...historyValues(planned))
  }
}
