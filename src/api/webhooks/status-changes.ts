// Detects status changes of crawls by comparing lists of all crawls.

import { type CrawlStatus, isActive } from '../../lib/states.ts'
import type { Crawl, CrawlProgress } from '../../ports/crawls.ts'
import type { CRAWL_EVENTS } from '../contract/system.ts'

export type CrawlEvent = (typeof CRAWL_EVENTS)[number]

export interface StatusChange {
  event: CrawlEvent
  /** The time of the change; the same in all processes. */
  at: number
  progress: CrawlProgress
}

const EVENT_BY_STATUS: Record<CrawlStatus, CrawlEvent> = {
  running: 'crawl.resumed',
  watching: 'crawl.resumed',
  paused: 'crawl.paused',
  completed: 'crawl.completed',
  cancelled: 'crawl.cancelled',
  failed: 'crawl.failed',
}

export class StatusChanges {
  /** The last reported change by crawl id. */
  readonly #lastSeen = new Map<string, Pick<Crawl, 'status' | 'statusAt'>>()

  /** Returns new changes since `since`. If a crawl changes several times between two calls, only the last is seen. */
  collect(all: CrawlProgress[], since: number): StatusChange[] {
    const ids = new Set(all.map(({ crawl }) => crawl.id))
    for (const id of this.#lastSeen.keys()) if (!ids.has(id)) this.#lastSeen.delete(id)
    return all.flatMap((progress) => this.collectOne(progress, since))
  }

  collectOne(progress: CrawlProgress, since: number): StatusChange[] {
    const { id, status, createdAt, statusAt } = progress.crawl
    const last = this.#lastSeen.get(id)
    // The list is older than a change that has already been reported.
    if (last !== undefined && last.statusAt > statusAt) return []
    this.#lastSeen.set(id, { status, statusAt })
    const changes: StatusChange[] = []
    if (last === undefined && createdAt >= since) changes.push({ event: 'crawl.created', at: createdAt, progress })
    const hasChanged = last === undefined || last.status !== status || last.statusAt !== statusAt
    // A crawl that visits its URLs again starts and stops watching all the time.
    const isStillActive = isActive(status) && (last === undefined ? status === 'watching' : isActive(last.status))
    if (hasChanged && !isStillActive && statusAt !== createdAt && statusAt >= since) {
      changes.push({ event: EVENT_BY_STATUS[status], at: statusAt, progress })
    }
    return changes
  }
}
