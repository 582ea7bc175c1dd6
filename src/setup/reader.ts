// A store and its archive, open for looking.

import type { Reader } from '../cli/io.ts'
import type { Config } from '../config/schema.ts'
import { openClusterReader } from '../content/cluster-reader.ts'
import { tellingDamage } from '../content/damage.ts'
import { openReader as openArchiveReader } from '../content/reader.ts'
import { verifySegments } from '../content/verify.ts'
import { systemClock } from '../lib/clock.ts'
import { readHoldNote } from '../worker/hold-note.ts'
import type { PdfThread } from '../worker/pdf/thread.ts'
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
  let pdf: PdfThread | null = null
  return {
    ...store,
    archive,
    async readPdf(body) {
      pdf ??= await openPdfThread()
      return pdf.read(body)
    },
    async heldBy(crawlId) {
      if (config.store === null) return readHoldNote(config.data, crawlId)
      return (await store.workers.list()).some(({ state }) => state === 'working') ? null : 'no_worker'
    },
    checkArchive: () => verifySegments(archiveFolder(config)),
    async close() {
      await pdf?.close()
      await archive.close()
      await store.close()
    },
  }
}

/** Loaded when there is a PDF to be read, and not before. */
async function openPdfThread(): Promise<PdfThread> {
  const [{ PdfThread }, { PDF_LIMITS }] = await Promise.all([
    import('../worker/pdf/thread.ts'),
    import('../engine/media/pdf/limits.ts'),
  ])
  return new PdfThread(PDF_LIMITS, systemClock)
}
