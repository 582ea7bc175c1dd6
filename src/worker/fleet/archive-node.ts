// A process that keeps pages and is no worker, such as one that serves the API alone, tells where it can be asked for
// them: documents from outside lie in its folder.

import type { Clock } from '../../lib/clock.ts'
import { asAppError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { ArchiveNode, Workers } from '../../ports/workers.ts'

const EVERY_MS = 5_000

export interface ArchiveNodeDependencies {
  workers: Pick<Workers, 'announceArchiveNode'>
  clock: Clock
  log: Log
}

/** Until the function returned is called. */
export function announceArchiveNode(
  archiveNode: ArchiveNode,
  { workers, clock, log }: ArchiveNodeDependencies,
): () => void {
  let isOver = false
  let cancel: () => void = () => undefined
  const tell = async (): Promise<void> => {
    try {
      await workers.announceArchiveNode(archiveNode)
    } catch (error) {
      if (!isOver) log.warn('not told where pages are', { worker: archiveNode.id, message: asAppError(error).message })
    }
    if (!isOver) cancel = clock.after(EVERY_MS, () => void tell())
  }
  void tell()
  return () => {
    isOver = true
    cancel()
  }
}
