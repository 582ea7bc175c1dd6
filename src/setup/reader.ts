// A store and its archive, open for looking.

import type { Reader } from '../cli/io.ts'
import type { Config } from '../config/schema.ts'
import { openClusterReader } from '../content/cluster-reader.ts'
import { tellingDamage } from '../content/damage.ts'
import { openReader as openArchiveReader } from '../content/reader.ts'
import { verifySegments } from '../content/verify.ts'
import { systemClock } from '../lib/clock.ts'
import type { DocumentPool } from '../worker/documents/pool.ts'
import { readHoldNote } from '../worker/hold-note.ts'
import { archiveFolder } from './archive.ts'
import { neighboursOf } from './neighbours.ts'
import { markDamaged, openStoreReader } from './store.ts'

export async function openReader(config: Config): Promise<Reader> {
  const store = await openStoreReader(config)
  const local = openArchiveReader(archiveFolder(config))
  const neighbours = () => neighboursOf(store.workers)
  const openCluster = () => openClusterReader({ local, neighbours, secret: config.healthSecret, clock: systemClock })
  const kept = config.store === null ? local : openCluster()
  const archive = tellingDamage(kept, (place) => markDamaged(config, place))
  let documents: Promise<DocumentPool> | null = null
  return {
    ...store,
    archive,
    async readDocument(request) {
      documents ??= openDocumentPool()
      return (await documents).read(request)
    },
    async stopDocuments() {
      await (await documents)?.close()
    },
    async heldBy(crawlId) {
      if (config.store === null) return readHoldNote(config.data, crawlId)
      return (await store.workers.list()).some(({ state }) => state === 'working') ? null : 'no_worker'
    },
    checkArchive: () => verifySegments(archiveFolder(config)),
    async close() {
      await (await documents)?.close()
      await archive.close()
      await store.close()
    },
  }
}

/** Loaded when there is a document to be read, and not before. */
async function openDocumentPool(): Promise<DocumentPool> {
  const [{ DocumentPool, readersFor }, { DOCUMENT_LIMITS }] = await Promise.all([
    import('../worker/documents/pool.ts'),
    import('../engine/media/heavy.ts'),
  ])
  return new DocumentPool(readersFor(), DOCUMENT_LIMITS, systemClock)
}
