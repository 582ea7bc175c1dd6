// Examines archived versions with one monitor, which otherwise sees only versions visited after its creation. A call
// takes a bounded time and returns where the next one continues, so a scan can stop at any time and be resumed.

import type { ArchivedPage } from '../engine/pages/read-archived-page.ts'
import type { Clock } from '../lib/clock.ts'
import { asAppError, type ErrorCode } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import type { Finding, MonitorHits, MonitorRow, ProtectedDocuments } from '../ports/monitors.ts'
import type { Pages, PageVersion } from '../ports/pages.ts'
import { compileMonitor } from './compile-monitor.ts'
import { MonitorExaminer } from './monitor-examiner.ts'

export interface ScanDependencies {
  pages: Pick<Pages, 'listAfter' | 'newestId'>
  readPage(version: PageVersion): Promise<ArchivedPage>
  documents: ProtectedDocuments
  hits: Pick<MonitorHits, 'seen' | 'record'>
  clock: Clock
  log: Log
}

export interface ScanProgress {
  /** Versions that the monitor watches and that were read. */
  examined: number
  /** Versions that could not be read. */
  unread: number
  newHits: number
  /** The version to go on after; null if there is no other. */
  next: number | null
  newest: number
}

/** Maximum time of a call, unless a single page takes longer. */
const MAX_MS = 1000
const BATCH = 100

const UNREADABLE: ReadonlySet<ErrorCode> = new Set([
  'PAGE_NOT_FOUND',
  'PAGE_NOT_KEPT',
  'ARCHIVE_BROKEN',
  'ARCHIVE_AWAY',
])

/**
 * Examines versions with ids above `after`, in order. URLs of which the monitor has seen a later version are skipped.
 */
export async function scanArchive(
  monitor: MonitorRow,
  after: number,
  { pages, readPage, documents, hits, clock, log }: ScanDependencies,
): Promise<ScanProgress> {
  const progress: ScanProgress = { examined: 0, unread: 0, newHits: 0, next: after, newest: await pages.newestId() }
  const record = async (findings: Finding[]) => {
    const added = await hits.record(findings)
    progress.newHits += added
    return added
  }
  const unlimited = { ...monitor, createdAt: 0 }
  const { watches } = compileMonitor(unlimited, () => null)
  const examiner = new MonitorExaminer({
    monitors: { list: async () => [unlimited], revision: async () => 0 },
    documents,
    hits: { seen: (url, monitorIds) => hits.seen(url, monitorIds), record },
    clock,
    log,
  })
  const endAt = clock.now() + MAX_MS
  while (progress.next !== null && clock.now() < endAt) {
    const batch = await pages.listAfter(progress.next, BATCH)
    for (const { version } of batch) {
      if (version.isArchived && watches(version)) {
        const page = await readPage(version).catch(nullIfUnreadable)
        if (page === null) progress.unread += 1
        else {
          await examiner.examine(version, { html: page.html, text: () => page.text })
          progress.examined += 1
        }
      }
      progress.next = version.id
      if (clock.now() >= endAt) return progress
    }
    if (batch.length < BATCH) progress.next = null
  }
  return progress
}

function nullIfUnreadable(error: unknown): null {
  if (UNREADABLE.has(asAppError(error).code)) return null
  throw error
}
