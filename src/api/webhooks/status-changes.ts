// Which changes of crawls are news, told from a list of all crawls.

import type { Crawl, CrawlProgress } from '../../ports/crawls.ts'
import type { CrawlStatus } from '../../ports/state.ts'
import type { WEBHOOK_EVENTS } from '../contract/system.ts'

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

export interface StatusChange {
  event: WebhookEvent
  /** When it happened, the same for all who see it. */
  at: number
  progress: CrawlProgress
}

const EVENT_OF: Record<CrawlStatus, WebhookEvent> = {
  running: 'crawl.resumed',
  paused: 'crawl.paused',
  completed: 'crawl.completed',
  cancelled: 'crawl.cancelled',
  failed: 'crawl.failed',
}

export class StatusChanges {
  /** By crawl: the last change that was told. */
  readonly #lastSeen = new Map<string, Pick<Crawl, 'status' | 'statusAt'>>()

  /** Those not told before, and not older than `since`. Of changes between two calls only the last is seen. */
  collect(all: CrawlProgress[], since: number): StatusChange[] {
    const ids = new Set(all.map(({ crawl }) => crawl.id))
    for (const id of this.#lastSeen.keys()) if (!ids.has(id)) this.#lastSeen.delete(id)
    return all.flatMap((progress) => this.collectOne(progress, since))
  }

  /** Of a single crawl. */
  collectOne(progress: CrawlProgress, since: number): StatusChange[] {
    const { id, status, createdAt, statusAt } = progress.crawl
    const told = this.#lastSeen.get(id)
    // The list was read before a change that has been told since.
    if (told !== undefined && told.statusAt > statusAt) return []
    this.#lastSeen.set(id, { status, statusAt })
    const changes: StatusChange[] = []
    if (told === undefined && createdAt >= since) changes.push({ event: 'crawl.created', at: createdAt, progress })
    const hasChanged = told === undefined || told.status !== status || told.statusAt !== statusAt
    if (hasChanged && statusAt !== createdAt && statusAt >= since) {
      changes.push({ event: EVENT_OF[status], at: statusAt, progress })
    }
    return changes
  }
}
