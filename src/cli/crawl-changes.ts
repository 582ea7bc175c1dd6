// Changes of crawls and workers without crawling: on the server named by --server, or in the store. Workers pick them up
// within two seconds.

import type { Client } from '../api/client.ts'
import { checkPausable, checkUnfinished } from '../api/requests/check-unfinished.ts'
import { lastWorkerError } from '../api/routes/workers.ts'
import type { Config } from '../config/schema.ts'
import { AppError } from '../lib/errors.ts'
import { isActive, pageCount, type RetriableState } from '../lib/states.ts'
import { COMPLETED_BY_USER } from '../ports/crawls.ts'
import { isLastWorker } from '../ports/workers.ts'
import type { ControlSession, Openers } from './io.ts'
import { callServer, createServerClient, findCrawlId } from './remote-server.ts'
import { withControlSession } from './with-control-session.ts'

export interface CrawlChanges {
  /** Resolves the start of an id. */
  findCrawlId(prefix: string): Promise<string>
  describe(crawlId: string): Promise<{ rootUrl: string; pages: number }>
  pause(crawlId: string): Promise<void>
  cancel(crawlId: string): Promise<void>
  complete(crawlId: string): Promise<void>
  /** Returns how many URLs were queued again. */
  retry(crawlId: string, state: RetriableState): Promise<number>
  /** Returns how many URLs were queued again. */
  releasePattern(crawlId: string, pattern: string): Promise<number>
  remove(crawlId: string): Promise<void>
  /** The last worker is drained only by force. */
  drain(workerId: string, force: boolean): Promise<void>
}

export async function withCrawlChanges<T>(
  config: Config,
  { openControlSession }: Pick<Openers, 'openControlSession'>,
  change: (changes: CrawlChanges) => Promise<T>,
): Promise<T> {
  const client = createServerClient(config)
  if (client !== null) return callServer(client, () => change(serverChanges(client)))
  return withControlSession(openControlSession(config, false), (session) => change(storeChanges(session, config)))
}

function serverChanges(client: Client): CrawlChanges {
  const paramsOf = (crawlId: string) => ({ params: { crawl_id: crawlId } })
  return {
    findCrawlId: (prefix) => findCrawlId(client, prefix),
    async describe(crawlId) {
      const { root_url: rootUrl, pages } = await client.getCrawl(paramsOf(crawlId))
      return { rootUrl, pages }
    },
    pause: async (crawlId) => void (await client.pauseCrawl(paramsOf(crawlId))),
    cancel: async (crawlId) => void (await client.cancelCrawl(paramsOf(crawlId))),
    complete: async (crawlId) => void (await client.completeCrawl(paramsOf(crawlId))),
    retry: async (crawlId, state) => (await client.retryUrls({ ...paramsOf(crawlId), body: { state } })).queued,
    releasePattern: async (crawlId, pattern) =>
      (await client.releaseTrap({ ...paramsOf(crawlId), body: { pattern } })).queued,
    remove: async (crawlId) => void (await client.deleteCrawl(paramsOf(crawlId))),
    drain: async (workerId, force) =>
      void (await client.drainWorker({ params: { worker_id: workerId }, body: { force } })),
  }
}

function storeChanges({ crawls, control, workers, owner }: ControlSession, { store }: Config): CrawlChanges {
  return {
    findCrawlId: async (prefix) => (await crawls.find(prefix)).id,
    async describe(crawlId) {
      const progress = await crawls.progress(crawlId)
      return { rootUrl: progress.crawl.rootUrl, pages: pageCount(progress) }
    },
    async pause(crawlId) {
      checkPausable(await crawls.find(crawlId))
      await crawls.setPaused(crawlId, true)
    },
    async cancel(crawlId) {
      checkUnfinished(await crawls.find(crawlId))
      await crawls.close(crawlId, 'cancelled')
    },
    async complete(crawlId) {
      checkUnfinished(await crawls.find(crawlId))
      await crawls.close(crawlId, COMPLETED_BY_USER)
    },
    retry: (crawlId, state) => crawls.retry(crawlId, state),
    releasePattern: (crawlId, pattern) => crawls.releasePattern(crawlId, pattern),
    async remove(crawlId) {
      // The process that ran it was killed: it is running by its row only.
      const isAbandoned = store === null && owner === null && isActive((await crawls.find(crawlId)).status)
      if (isAbandoned) await crawls.setPaused(crawlId, true)
      await control.remove(crawlId)
      // A server removes the rows in the background, at a pace that leaves room for its crawls.
      if (owner?.roles.includes('api') !== true) while (await control.removeNextBatch());
    },
    async drain(workerId, force) {
      const rows = await workers.list()
      if (!rows.some(({ id }) => id === workerId)) {
        throw new AppError('WORKER_NOT_FOUND', `There is no worker "${workerId}".`)
      }
      if (!force && isLastWorker(rows, workerId)) throw lastWorkerError(workerId)
      await workers.drain(workerId, 'requested by the drain command')
    },
  }
}
