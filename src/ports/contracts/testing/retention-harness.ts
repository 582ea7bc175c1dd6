// Visits with pages, time that passes, and segments that records move to.

import type { Position } from '../../archive.ts'
import type { PageReport, PageVersion } from '../../pages.ts'
import { hashOf } from './page-visits.ts'
import { only, StoreHarness } from './store-harness.ts'

export const DAY_MS = 86_400_000

/** The segments of the cases, and one that no store knows. */
export const SEGMENTS = ['s', 't', 'u', 'v', 'none']

export function positionAt(segment: string, offset: number, length = 10): Position {
  return { segment, offset, length }
}

export class RetentionHarness extends StoreHarness {
  /** Visits a URL in its own crawl. The record contains the payload unless stated otherwise. */
  async visit(url: string, position: Position | null, changes: Partial<PageReport> = {}, keepDays: number | null = 1) {
    await this.start([url], { keepDays })
    const lease = only((await this.lease()).leases)
    const facts = { charset: null, lang: null, description: null, keywords: null, words: null, note: null, data: null }
    const page = { ...facts, digest: hashOf(1), wireBytes: 9, hasPayload: true, fingerprint: null, resembles: null }
    const report = { ...this.visitedReport(lease, only(lease.urls)), page: { ...page, position, ...changes } }
    await this.commit([report], { release: [lease.token] })
  }

  /** Advances the clock and deletes everything that has expired. */
  async advanceAndExpire(days: number): Promise<number> {
    this.store.clock.advance(days * DAY_MS)
    return this.store.retention.expire(this.store.clock.now(), 100)
  }

  /** No report relies on an unused payload any more. */
  sweep(): Promise<number> {
    return this.store.retention.sweep(this.store.clock.now(), 100)
  }

  /** Removes a crawl and everything that belongs to it. */
  async remove(crawlId: string): Promise<void> {
    await this.store.control.remove(crawlId)
    while (await this.store.control.removeNextBatch());
  }

  versions(url: string): Promise<PageVersion[]> {
    return this.store.pages.history(`http://${url.replace('/', '.test/')}`)
  }

  async listCompactable() {
    const compactable = await this.store.retention.listCompactable(SEGMENTS)
    return compactable.map(({ segment, deadBytes, isEmpty }) => `${segment} ${deadBytes}${isEmpty ? ' empty' : ''}`)
  }

  /** Moves all live records of a segment to another one. */
  async moveAll(from: string, to: string): Promise<number> {
    const records = await this.store.retention.liveRecords(from, 100)
    return this.store.retention.moveRecords(records.map((record, i) => ({ record, to: positionAt(to, i * 10) })))
  }
}

export type RetentionCase = (harness: RetentionHarness) => Promise<void>
