// Announces the address of a process that has archived pages but is not a worker, such as a process that only serves
// the API: documents submitted by external crawlers are in its folder.

import type { Clock } from '../../lib/clock.ts'
import { asAppError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { ApiArchiveNode, Workers } from '../../ports/workers.ts'

const EVERY_MS = 5_000

export interface ArchiveNodeDependencies {
  workers: Pick<Workers, 'announceArchiveNode'>
  clock: Clock
  log: Log
}

/** Returns a function that stops the announcements. */
export function announceArchiveNode(
  archiveNode: ApiArchiveNode,
  { workers, clock, log }: ArchiveNodeDependencies,
): () => void {
  let isOver = false
  let cancel: () => void = () => undefined
  const announce = async (): Promise<void> => {
    try {
      await workers.announceArchiveNode(archiveNode)
    } catch (error) {
      if (!isOver)
        log.warn('archive node not announced', { worker: archiveNode.id, message: asAppError(error).message })
    }
    if (!isOver) cancel = clock.after(EVERY_MS, () => void announce())
  }
  void announce()
  return () => {
    isOver = true
    cancel()
  }
}
