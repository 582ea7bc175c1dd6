// A store for `orbweaver mcp --allow-crawl`, and a process that runs its crawls: the server that has the data directory,
// or a worker that is started here and ends with this process. The crawls of a database are run by its workers.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/schema.ts'
import { AppError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import { connectStore } from '../store/sqlite/share-store.ts'
import type { LocalWorker } from '../worker/fleet/fleet.ts'
import { startChildProcess } from './child-process.ts'
import { openStore, type StoreConnection } from './store.ts'

export interface CrawlingStore extends StoreConnection {
  /** Whether this process started the worker, and the indexer with it. */
  hasOwnWorker: boolean
}

const ROLES = 'worker,maintenance,indexer'
const RETRY_MS = 100

export async function openCrawlingStore(config: Config, log: Log): Promise<CrawlingStore> {
  if (config.store !== null) return { ...(await openStore(config, true)), hasOwnWorker: false }
  const shared = await connectStore(config.data)
  if (shared === null) return startWorker(config, log)
  if (shared.owner.roles.includes('worker')) return { ...shared, hasOwnWorker: false }
  await shared.close()
  throw new AppError(
    'DATA_IN_USE',
    `The data directory ${config.data} is in use by process ${shared.owner.pid}, which runs no other crawls. Wait until it ends, or leave out --allow-crawl.`,
  )
}

async function startWorker(config: Config, log: Log): Promise<CrawlingStore> {
  const worker = startChildProcess(config, ['serve', '--roles', ROLES, '--health-port', '0'], {
    log,
    showsOutput: false,
  })
  const ended = worker.ended.then(() => 'ended' as const)
  for (;;) {
    const shared = await connectStore(config.data)
    if (shared !== null) return { ...shared, hasOwnWorker: true, close: () => stopWorker(worker, shared) }
    if ((await Promise.race([ended, sleep(RETRY_MS)])) === 'ended') {
      throw new AppError('DATA_IN_USE', 'The worker for crawls has ended. Its messages say why.')
    }
  }
}

async function stopWorker(worker: LocalWorker, shared: StoreConnection): Promise<void> {
  await shared.close()
  worker.drain()
  await worker.ended
}
