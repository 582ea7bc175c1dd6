// Records what rendered pages have requested: as requisites that were visited already.

import type { DatabaseSync } from 'node:sqlite'
import { versionExpiresAt } from '../../../frontier/page-versions.ts'
import { rankOf } from '../../../frontier/rank.ts'
import type { TerminalState } from '../../../lib/states.ts'
import type { SubresourceReport } from '../../../ports/visits.ts'
import { REQUISITE_KIND, stateCode, stateFromCode } from '../../encoding/state-codes.ts'
import type { SqliteContents } from '../../pages/sqlite-contents.ts'
import { type ActiveCrawl, countVisitedKind } from './crawl-state/active-crawls.ts'
import type { Hosts } from './hosts.ts'
import { type VisitRowToWrite, VisitWriter } from './visit-writer.ts'

export interface SubresourceRecorderDependencies {
  hosts: Hosts
  contents: SqliteContents
}

type SubresourceVisit = Pick<VisitRowToWrite, 'urlId' | 'attempt' | 'threadId'>

export class SubresourceRecorder {
  readonly #dependencies: SubresourceRecorderDependencies
  readonly #visitWriter: VisitWriter
  readonly #insert
  readonly #find
  readonly #update

  constructor(db: DatabaseSync, dependencies: SubresourceRecorderDependencies) {
    this.#dependencies = dependencies
    this.#visitWriter = new VisitWriter(db)
    this.#insert = db.prepare(
      `insert into urls (crawl, key, host, state, rank, depth, hops, parent, first_seen_at, url, kind, attempts)
       values (?, ?, ?, ?, ?, 0, 1, ?, ?, ?, ${REQUISITE_KIND}, 1) on conflict (crawl, key) do nothing returning id`,
    )
    this.#find = db.prepare(
      `select u.id, u.state, u.attempts, v.content_hash, v.redirect_to from urls u
         join visits v on v.url_id = u.id and v.attempt = u.attempts and v.state = u.state
       where u.crawl = ? and u.key = ? and u.kind = ${REQUISITE_KIND}
         and u.state in (${stateCode('visited')}, ${stateCode('redirected')})`,
    )
    this.#update = db.prepare('update urls set state = ?, attempts = ?, reason = null where id = ?')
  }

  /** True if the URL is new to the crawl. */
  record(crawl: ActiveCrawl, threadId: string, report: SubresourceReport, now: number): boolean {
    const { found, state, parent } = report
    const host = this.#dependencies.hosts.byName(found.host)
    const place = [stateCode(state), rankOf(found, 0, now), parent, now] as const
    const row = this.#insert.get(crawl.rowId, found.key, host.id, ...place, found.url)
    if (row !== undefined) {
      this.#count(crawl, state, 1)
      this.#write(crawl, report, { urlId: Number(row['id']), attempt: 1, threadId })
      return true
    }
    // A URL that is queued, or is a page, is visited separately.
    const known = this.#find.get(crawl.rowId, found.key)
    if (known === undefined || isSameResponse(known, report)) return false
    const [id, attempts] = [Number(known['id']), Number(known['attempts']) + 1]
    this.#count(crawl, stateFromCode(Number(known['state'])) as TerminalState, -1)
    this.#count(crawl, state, 1)
    this.#update.run(stateCode(state), attempts, id)
    this.#write(crawl, report, { urlId: id, attempt: attempts, threadId })
    return false
  }

  #count(crawl: ActiveCrawl, state: TerminalState, by: 1 | -1): void {
    crawl.endedCounts[state] += by
    if (state === 'visited') countVisitedKind(crawl, 'requisite', by)
  }

  #write(crawl: ActiveCrawl, { found, state, facts, page }: SubresourceReport, visit: SubresourceVisit): void {
    const { urlId, attempt } = visit
    this.#visitWriter.write({ ...visit, state, reason: null, facts })
    const expiresAt = versionExpiresAt(crawl.settings, facts.visitedAt)
    this.#dependencies.contents.addVersion({ urlId, url: found.url, attempt, facts, expiresAt }, page, true)
  }
}

function isSameResponse(row: Record<string, unknown>, { state, facts }: SubresourceReport): boolean {
  const content = row['content_hash'] instanceof Uint8Array ? Buffer.from(row['content_hash']).toString('hex') : null
  return (
    Number(row['state']) === stateCode(state) &&
    content === facts.contentHash &&
    row['redirect_to'] === facts.redirectTo
  )
}
