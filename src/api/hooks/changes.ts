// Which changes of crawls are news, told from a list of all crawls.

import type { CrawlProgress } from '../../ports/crawls.ts'
import type { CrawlStatus } from '../../ports/state.ts'
import type { WEBHOOK_EVENTS } from '../contract/system.ts'

export type HookEvent = (typeof WEBHOOK_EVENTS)[number]

export interface Change {
  event: HookEvent
  /** When it happened, the same for all who see it. */
  at: number
  progress: CrawlProgress
}

const EVENT_OF: Record<CrawlStatus, HookEvent> = {
  running: 'crawl.resumed',
  paused: 'crawl.paused',
  completed: 'crawl.completed',
  cancelled: 'crawl.cancelled',
  failed: 'crawl.failed',
}

export class Changes {
  /** By crawl: the last change that was told. */
  readonly #told = new Map<string, string>()

  /** Those not told before, and not older than `since`. Of changes between two calls only the last is seen. */
  take(all: CrawlProgress[], since: number): Change[] {
    const changes: Change[] = []
    const ids = new Set<string>()
    for (const progress of all) {
      const { id, status, createdAt, statusAt } = progress.crawl
      ids.add(id)
      const told = this.#told.get(id)
      const change = `${status} ${statusAt}`
      if (told === undefined && createdAt >= since) changes.push({ event: 'crawl.created', at: createdAt, progress })
      if (told !== change && statusAt !== createdAt && statusAt >= since) {
        changes.push({ event: EVENT_OF[status], at: statusAt, progress })
      }
      this.#told.set(id, change)
    }
    for (const id of this.#told.keys()) if (!ids.has(id)) this.#told.delete(id)
    return changes
  }
}
