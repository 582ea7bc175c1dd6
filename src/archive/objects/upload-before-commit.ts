// A writer whose appends resolve when their records are in object storage. Appends within a short time share one
// object: a separate object for each would be too many.

import type { Clock } from '../../lib/clock.ts'
import type { ArchiveBatch, ArchiveWriter } from '../../ports/archive.ts'
import type { SegmentWriter } from '../archive-writer.ts'
import type { SegmentUploader } from './segment-uploader.ts'

/** The time that a commit waits for others. */
const GATHER_MS = 250

export interface UploadingWriterDependencies {
  writer: SegmentWriter
  uploader: Pick<SegmentUploader, 'whenUploaded'>
  clock: Clock
}

export function uploadBeforeCommit({ writer, uploader, clock }: UploadingWriterDependencies): ArchiveWriter {
  /** The next time the segment is closed; null if nothing was appended since the last one. */
  let sealing: Promise<void> | null = null
  const sealSoon = async () => {
    await new Promise<void>((resolve) => clock.after(GATHER_MS, resolve))
    sealing = null
    await writer.seal(0)
  }
  return {
    async append(batch: ArchiveBatch) {
      const positions = await writer.append(batch)
      sealing ??= sealSoon()
      await sealing
      await Promise.all(
        [...new Set(positions.map(({ segment }) => segment))].map((name) => uploader.whenUploaded(name)),
      )
      return positions
    },
    close: () => writer.close(),
  }
}
