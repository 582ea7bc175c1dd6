// Ends a batch in its transaction: writes its documents and anchors, and removes its pages from the queue.

import type { FeedOutcome, FeedPage } from '../../../ports/index-feed.ts'
import type { StoreClock } from '../../../store/postgres/store-clock.ts'
import { recordPace } from '../read/status.ts'
import { findUrlsToReindex, readIndexEra } from './anchors.ts'
import { lockBatchEnd } from './counter-slot.ts'
import type { DocumentSink } from './document-sink.ts'
import { addAgain, deferQueued, deleteQueued, requeueUrls } from './index-queue.ts'
import { findOtherLanguages } from './language-updates.ts'
import type { OpenBatch } from './open-batch.ts'
import { writeOutcome } from './write-outcome.ts'

/** `outcome` has all results of the batch. */
export async function finishBatch(
  batch: OpenBatch,
  outcome: FeedOutcome,
  { time, sink }: { time: StoreClock; sink: DocumentSink | null },
): Promise<void> {
  const { connection, waiting } = batch
  const deferredIds = new Set(findUnreportedPages(batch.pages, outcome))
  const { slot, reindexKeys, changedHosts } = await writeOutcome(connection, outcome, sink)
  const done = waiting.filter(({ id }) => !deferredIds.has(id))
  await deferQueued(
    connection,
    waiting.filter(({ id }) => deferredIds.has(id)),
    time,
  )
  await lockBatchEnd(connection)
  const documents = outcome.pages.flatMap((page) => ('document' in page ? [page.document] : []))
  const indexed = new Set(documents.map(({ pageId }) => pageId))
  const reindexHashes = await findUrlsToReindex(
    connection,
    reindexKeys,
    batch.pages.filter(({ version }) => indexed.has(version.id)),
  )
  reindexHashes.push(...(await findOtherLanguages(connection, changedHosts, documents)))
  // First, because they may be among the finished pages.
  await deleteQueued(connection, done)
  // If the index was cleared in the meantime, the anchors that were read before are gone.
  const isCleared = (await readIndexEra(connection)) !== batch.era
  if (isCleared) {
    await addAgain(
      connection,
      done.filter(({ hasUnreadLinks }) => !hasUnreadLinks),
    )
  }
  await requeueUrls(connection, reindexHashes, 'when idle')
  await recordPace(connection, time, { slot, pages: done.length })
}

/** Pages missing from the outcome: their bytes are unavailable now. */
function findUnreportedPages(pages: FeedPage[], outcome: FeedOutcome): number[] {
  const names = (url: string, version: number) => `${version} ${url}`
  const results = outcome.pages.map((page) => ('document' in page ? page.document : page.leftOut))
  const known = new Set(results.map(({ url, version }) => names(url, version)))
  return pages.flatMap(({ version }) => (known.has(names(version.url, version.version)) ? [] : [version.id]))
}
