// Opens a store and its archive for reading.

import { openArchiveReader } from '../archive/archive-reader.ts'
import { openClusterReader } from '../archive/cluster-reader.ts'
import { openObjectReader } from '../archive/objects/object-reader.ts'
import { withDamageReports } from '../archive/report-damage.ts'
import type { ReadAt } from '../archive/segment-files.ts'
import { verifySegments } from '../archive/verify-segments.ts'
import type { ReadSession } from '../cli/io.ts'
import type { Config } from '../config/schema.ts'
import { systemClock } from '../lib/clock.ts'
import type { DocumentPool } from '../worker/documents/document-pool.ts'
import { readHoldFile } from '../worker/holds/hold-file.ts'
import { findArchiveNodes } from './archive-nodes.ts'
import { archiveFolder, openArchiveObjects } from './open-archive-writer.ts'
import { markDamaged, openStoreReader } from './store.ts'

/** `readAt` reads from the files of the archive. */
export async function openReadSession(config: Config, readAt?: ReadAt): Promise<ReadSession> {
  const store = await openStoreReader(config)
  const folder = openArchiveReader(archiveFolder(config), readAt)
  const objects = openArchiveObjects(config)
  const local = objects === null ? folder : openObjectReader({ local: folder, objects, clock: systemClock })
  const listNodes = () => findArchiveNodes(store.workers)
  const openCluster = () => openClusterReader({ local, listNodes, secret: config.healthSecret, clock: systemClock })
  const reader = config.store === null ? local : openCluster()
  const archive = withDamageReports(reader, (position) => markDamaged(config, position))
  let documents: Promise<DocumentPool> | null = null
  return {
    ...store,
    archive,
    async writeTables(...input) {
      const { writeTables } = await import('../store/sqlite/write-tables.ts')
      return writeTables(...input)
    },
    async readDocument(request) {
      documents ??= openDocumentPool()
      return (await documents).read(request)
    },
    async stopDocuments() {
      await (await documents)?.close()
    },
    async holdReason(crawlId) {
      if (config.store === null) return readHoldFile(config.data, crawlId)
      return (await store.workers.list()).some(({ state }) => state === 'working') ? null : 'no_worker'
    },
    checkArchive: () => verifySegments(archiveFolder(config), objects),
    async close() {
      await (await documents)?.close()
      await archive.close()
      await store.close()
    },
  }
}

/** Imported on demand: most sessions read no document. */
async function openDocumentPool(): Promise<DocumentPool> {
  const [{ DocumentPool, defaultReaderCount }, { DOCUMENT_LIMITS }] = await Promise.all([
    import('../worker/documents/document-pool.ts'),
    import('../engine/media/document-types.ts'),
  ])
  return new DocumentPool(defaultReaderCount(), DOCUMENT_LIMITS, systemClock)
}
