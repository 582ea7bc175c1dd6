// Records what a visit has changed, in its commit. Only for recrawled crawls.

import type { DatabaseSync } from 'node:sqlite'
import {
  changedFacts,
  changeKind,
  destinationOf,
  isRepeatedChange,
  type LastSeen,
  mayBeChange,
} from '../../frontier/page-changes.ts'
import { versionExpiresAt } from '../../frontier/page-versions.ts'
import type { RevisitHistory } from '../../frontier/revisit-history.ts'
import type { CrawlSettings } from '../../ports/crawls.ts'
import type { VisitReport } from '../../ports/visits.ts'
import { stateCode } from '../encoding/state-codes.ts'
import { urlHash } from '../encoding/url-hash.ts'
import { toVisitFinding } from '../frontier/revisit-row.ts'
import { IS_OBSERVATION_SQL, toLastSeen } from './change-row.ts'

export interface VisitChange {
  crawl: { rowId: number; settings: CrawlSettings }
  url: { id: number; url: string }
  /** The number of its row in `visits`. */
  attempt: number
  visit: VisitReport
  /** Null if the URL has no history. */
  before: RevisitHistory | null
  /** The version that the visit has added. */
  pageId: number | null
}

export class ChangeRecorder {
  readonly #lastSeen
  readonly #isNew
  readonly #insert

  constructor(db: DatabaseSync) {
    this.#lastSeen = db.prepare(
      `select v.state, v.title, v.http_status, v.redirect_to, v.canonical, v.noindex, (
         select max(p.id) from pages p join visits w on w.url_id = p.url_id and w.attempt = p.attempt
         where p.url_hash = ?3 and p.url_id = ?1 and p.attempt < ?2 and w.state = ${stateCode('visited')}) as last_page
       from visits v where v.url_id = ?1 and v.attempt < ?2 and ${IS_OBSERVATION_SQL} order by v.attempt desc limit 1`,
    )
    this.#isNew = db.prepare(
      `select 1 from recrawls r join urls u on u.id = ? and u.crawl = r.crawl
       where r.crawl = ? and u.first_seen_at >= r.first_round_at`,
    )
    this.#insert = db.prepare(
      `insert into changes (crawl, url_id, url_hash, kind, at, expires_at, page, previous_page, facts, is_repeated, due_at)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`,
    )
  }

  record({ crawl, url, attempt, visit, before, pageId }: VisitChange): void {
    const end = toVisitFinding(visit)
    if (end === null || visit.facts === null || !mayBeChange(before, end)) return
    const hash = urlHash(url.url)
    const last = before === null ? null : this.#findLastSeen(url.id, attempt, hash)
    const isNewUrl = last === null && this.#isNew.get(url.id, crawl.rowId) !== undefined
    const kind = changeKind(last, destinationOf(end), isNewUrl)
    if (kind === null) return
    const { visitedAt } = visit.facts
    const isRepeated = isRepeatedChange(before)
    this.#insert.run(
      crawl.rowId,
      url.id,
      hash,
      kind,
      visitedAt,
      versionExpiresAt(crawl.settings, visitedAt),
      pageId,
      last?.pageId ?? null,
      JSON.stringify(last === null ? {} : changedFacts(last.facts, visit.facts)),
      isRepeated === null ? null : Number(isRepeated),
    )
  }

  #findLastSeen(urlId: number, attempt: number, hash: bigint): LastSeen | null {
    const row = this.#lastSeen.get(urlId, attempt, hash)
    return row === undefined ? null : toLastSeen(row)
  }
}
