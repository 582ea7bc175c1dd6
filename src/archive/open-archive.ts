// Opens the writer of an archive folder: one per process; several may share the folder. Segments left open by dead
// processes are recovered before the first record is written. With object storage, it also uploads closed segments.

import { repeat, systemClock } from '../lib/clock.ts'
import type { ThreadServices } from '../lib/service-thread.ts'
import { openArchiveWriter, type WriterSettings } from './archive-writer.ts'
import { openCompaction } from './compaction.ts'
import { recoverSegments } from './recover-segments.ts'

export interface UploadSettings {
  /** Buckets and prefixes. */
  urls: readonly string[]
  cacheBytes: number
  isBeforeCommit: boolean
}

export interface ArchiveSettings extends WriterSettings {
  dir: string
  /** Null if segments stay in the folder. */
  uploads: UploadSettings | null
  /** End of the last record the store refers to, by open segment. */
  goodOffsets: Record<string, number>
}

/** How often an idle writer is checked for an old segment. */
const AGE_CHECK_MS = 1_000
/** Less than the time that a thread has for closing. */
const MAX_UPLOAD_AT_CLOSE_MS = 20_000

export function openArchive(settings: ArchiveSettings): Promise<ThreadServices> {
  const { dir, goodOffsets, uploads } = settings
  const recover = () => recoverSegments(dir, (segment) => goodOffsets[segment] ?? 0)
  return uploads === null ? openLocal(settings, recover) : openUploading(settings, uploads, recover)
}

async function openLocal(settings: ArchiveSettings, recover: () => Promise<unknown>) {
  const { dir } = settings
  await recover()
  const segments = openCompaction(dir, settings, { clock: systemClock })
  const archive = await openArchiveWriter(dir, settings, systemClock)
  const close = async () => {
    await segments.close()
    await archive.close()
  }
  return { services: { archive, segments }, close }
}

async function openUploading(
  settings: ArchiveSettings,
  { urls, cacheBytes, isBeforeCommit }: UploadSettings,
  recover: () => Promise<unknown>,
) {
  const { openSegmentObjects } = await import('./objects/segment-objects.ts')
  const { SegmentUploader } = await import('./objects/segment-uploader.ts')
  const { uploadBeforeCommit } = await import('./objects/upload-before-commit.ts')
  const { dir, maxSegmentAgeMs } = settings
  const objects = openSegmentObjects(urls, process.env)
  // A wrong name, endpoint or key is noticed before anything is crawled.
  await objects.check()
  await recover()
  const uploader = new SegmentUploader({ dir, objects, clock: systemClock, cacheBytes })
  const writerSettings = { ...settings, onSealed: uploader.add.bind(uploader) }
  const segments = openCompaction(dir, writerSettings, { clock: systemClock, uploaded: { objects, uploader } })
  const writer = await openArchiveWriter(dir, writerSettings, systemClock)
  await uploader.start()
  // A segment that cannot be closed is left to recovery; appends report why.
  const stopAgeCheck = repeat(systemClock, AGE_CHECK_MS, () => void writer.seal(maxSegmentAgeMs).catch(() => undefined))
  const archive = isBeforeCommit ? uploadBeforeCommit({ writer, uploader, clock: systemClock }) : writer
  const close = async () => {
    stopAgeCheck()
    await segments.close()
    await writer.close()
    await uploader.close(MAX_UPLOAD_AT_CLOSE_MS)
  }
  return { services: { archive, segments, uploads: uploader }, close }
}
