// The workers of a store.

import { withCrawlChanges } from '../cli/crawl-changes.ts'
import { withAdvice } from '../cli/with-advice.ts'
import type { Config } from '../config/schema.ts'
import type { WorkerFigures, WorkerRow, WorkerState } from '../ports/workers.ts'
import { openers } from '../setup/openers.ts'
import { dateOrNull } from './date-or-null.ts'

/** A process that crawls. Facts are as of when it was read. */
export interface CrawlWorker extends Omit<WorkerFigures, 'lastAnswerAt' | 'crawls'> {
  workerId: string
  /** Machine and process. */
  name: string
  version: string
  state: WorkerState
  /** Why it was drained, or how it was lost. */
  note: string | null
  startedAt: Date
  /** Time of the last heartbeat. */
  seenAt: Date
  /** The last response to a request. */
  lastResponseAt: Date | null
  /** The crawls that it works on. */
  crawlIds: string[]
  /** Lets it finish its requests in flight and leave. The last worker is drained only by force. */
  drain(options?: { force?: boolean }): Promise<void>
}

export function toCrawlWorker({ id, figures, ...row }: WorkerRow, config: Config): CrawlWorker {
  const { crawls, lastAnswerAt, ...rest } = figures
  const { name, version, state, note } = row
  return {
    workerId: id,
    name,
    version,
    state,
    note,
    startedAt: new Date(row.startedAt),
    seenAt: new Date(row.seenAt),
    ...rest,
    lastResponseAt: dateOrNull(lastAnswerAt),
    crawlIds: crawls.map(({ crawlId }) => crawlId),
    drain: ({ force = false } = {}) =>
      withAdvice('LAST_WORKER', 'To drain it anyway, call drain({ force: true }).', () =>
        withCrawlChanges(config, openers, (changes) => changes.drain(id, force)),
      ),
  }
}
