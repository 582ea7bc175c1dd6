// Writes the rows of visits.

import type { DatabaseSync } from 'node:sqlite'
import type { RenderReport } from '../../../ports/render-patterns.ts'
import type { VisitFacts, VisitOutcome } from '../../../ports/visits.ts'
import { completenessCode } from '../../encoding/completeness-codes.ts'
import { RETRIED, stateCode } from '../../encoding/state-codes.ts'

export interface VisitRowToWrite extends Pick<VisitOutcome, 'state' | 'reason'> {
  urlId: number
  attempt: number
  /** Thread that made the visit. */
  threadId: string
  facts: VisitFacts
  render?: RenderReport | undefined
}

export class VisitWriter {
  readonly #insert

  constructor(db: DatabaseSync) {
    this.#insert = db.prepare(
      `insert into visits (url_id, attempt, state, reason, http_status, content_length, fetch_ms, visited_at,
         content_hash, content_type, ip, title, redirect_to, canonical, noindex, cname, proxy, thread, processing_ms, plain_look)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
  }

  write({ urlId, attempt, threadId, state, reason, facts, render }: VisitRowToWrite): void {
    this.#insert.run(
      urlId,
      attempt,
      state === 'retry' ? RETRIED : stateCode(state),
      reason,
      facts.httpStatus,
      facts.contentLength,
      facts.fetchMs,
      facts.visitedAt,
      facts.contentHash === null ? null : Buffer.from(facts.contentHash, 'hex'),
      facts.contentType,
      facts.ip,
      facts.title,
      facts.redirectTo,
      facts.canonical,
      facts.noindex ? 1 : 0,
      facts.cname,
      facts.proxy,
      threadId,
      facts.processingMs,
      completenessCode(render),
    )
  }
}
