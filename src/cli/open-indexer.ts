// Selects the process that updates the index of a data directory: this process, or the server that has the directory.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/schema.ts'
import { AppError } from '../lib/errors.ts'
import { findOwner } from './find-owner.ts'
import type { IndexSession, Openers } from './io.ts'
import { withReadClient } from './read-client/read-client.ts'
import { type WaitForIndexDependencies, waitForIndex } from './wait-for-index.ts'

const POLL_MS = 1000

/** Null if a server with the data directory indexes. */
export async function openIndexer(config: Config, openers: Openers): Promise<IndexSession | null> {
  try {
    return await openers.openIndexSession(config)
  } catch (error) {
    const owner = await findOwner(error, config, openers)
    if (owner.roles.includes('indexer')) return null
    const advice = 'Wait until it ends, or run a server instead, which indexes while it crawls.'
    throw inUseError(config, `${owner.pid}, which does not index. ${advice}`)
  }
}

/** Opens an indexer for a rebuild, which no other process does. */
export async function openRebuilder(config: Config, openers: Openers): Promise<IndexSession> {
  try {
    return await openers.openIndexSession(config)
  } catch (error) {
    const { pid } = await findOwner(error, config, openers)
    throw inUseError(config, `${pid}. Stop it to rebuild the index.`)
  }
}

function inUseError({ data }: Config, byProcess: string): AppError {
  return new AppError('DATA_IN_USE', `The data directory ${data} is in use by process ${byProcess}`)
}

/** Returns how many newer pages wait, or null if it was stopped. */
export function waitForServerIndex(
  config: Config,
  openers: Openers,
  progress: Pick<WaitForIndexDependencies, 'isStopped' | 'show'>,
): Promise<number | null> {
  return waitForIndex({
    ...progress,
    async read() {
      // Reopened each time: the index may not exist yet.
      const index = await withReadClient(config, openers, (client) => client.getIndex({}))
      return { isOn: index.is_on, waiting: index.waiting, lagMs: index.lag_ms }
    },
    now: () => performance.now(),
    sleep: () => sleep(POLL_MS),
  })
}
