// Opens the archive of a data directory: its writer thread and its retention.

import { join } from 'node:path'
import { openSegmentObjects, type SegmentObjects } from '../archive/objects/segment-objects.ts'
import type { UploadSettings } from '../archive/open-archive.ts'
import { listOpenSegments } from '../archive/recover-segments.ts'
import { openArchiveHere, startArchiveThread } from '../archive/start-archive.ts'
import type { Config } from '../config/schema.ts'
import { RetentionRun, type RetentionRunDependencies } from '../engine/pages/retention-run.ts'
import { AppError } from '../lib/errors.ts'
import type { ServiceThread } from '../lib/service-thread.ts'
import type { Pages } from '../ports/pages.ts'
import type { ArchiveSegments, Retention } from '../ports/retention.ts'

/** Records named by a visit report must survive until it is committed or rejected: the longest time a lease can last. */
export const MAX_REPORT_DELAY_MS = 86_400_000

const GIB = 1024 ** 3
const DAY_MS = 86_400_000
/** Maximum age of what the loss of a machine can destroy. */
const UPLOAD_AGE_MS = 300_000
/** Large enough for few objects, and small enough for an upload in seconds. */
const UPLOAD_BYTES = 64 * 1024 ** 2
/** One PUT takes 5 GB; a segment may exceed its limit by one batch. */
const MAX_UPLOAD_BYTES = 4 * GIB

export function archiveFolder({ data }: Config): string {
  return join(data, 'archive')
}

/** Null without --archive-store. */
export function openArchiveObjects({ archiveStore }: Config): SegmentObjects | null {
  return archiveStore.length === 0 ? null : openSegmentObjects(archiveStore, process.env)
}

export interface ArchiveWriterOptions {
  /** Part of every segment name: letters and digits, unique per process. */
  writer: string
  /** Whether this thread may write the archive. Uploads have a separate thread in any case. */
  isWrittenHere: boolean
}

export async function openArchiveWriter(
  config: Config,
  store: ServiceThread,
  { writer, isWrittenHere }: ArchiveWriterOptions,
): Promise<ServiceThread> {
  const dir = archiveFolder(config)
  const goodOffsets = await store.client.service<Pages>('pages').lastReferencedOffsets(await listOpenSegments(dir))
  const uploads = uploadSettings(config)
  const open = isWrittenHere && uploads === null ? openArchiveHere : startArchiveThread
  return open({
    dir,
    goodOffsets,
    ...segmentLimits(config),
    isDurable: config.durability === 'disk',
    codec: config.archiveCodec,
    writer,
    uploads,
  })
}

function segmentLimits({ segmentSize, segmentAge, archiveStore }: Config) {
  if (archiveStore.length === 0) return { maxSegmentBytes: segmentSize ?? GIB, maxSegmentAgeMs: segmentAge ?? DAY_MS }
  if (segmentSize !== null && segmentSize > MAX_UPLOAD_BYTES)
    throw new AppError('BAD_CONFIG', '--segment-size must be at most 4g with --archive-store.')
  return { maxSegmentBytes: segmentSize ?? UPLOAD_BYTES, maxSegmentAgeMs: segmentAge ?? UPLOAD_AGE_MS }
}

function uploadSettings({ archiveStore, archiveCache, maxDisk, uploadBeforeCommit }: Config): UploadSettings | null {
  if (archiveStore.length === 0) return null
  // A cache that fills the disk would hold the crawls forever.
  const cacheBytes = maxDisk === 0 ? archiveCache : Math.min(archiveCache, maxDisk / 2)
  return { urls: archiveStore, cacheBytes, isBeforeCommit: uploadBeforeCommit }
}

export function createRetentionRun(
  store: ServiceThread,
  archive: ServiceThread,
  mayCompact: RetentionRunDependencies['mayCompact'],
): RetentionRun {
  return new RetentionRun({
    store: store.client.service<Retention>('retention'),
    archive: archive.client.service<ArchiveSegments>('segments'),
    mayCompact,
  })
}
