// Opens the archive of a data directory: its writer thread and its retention.

import { join } from 'node:path'
import { listOpenSegments } from '../archive/recover-segments.ts'
import { startArchiveThread } from '../archive/start-archive-thread.ts'
import type { Config } from '../config/schema.ts'
import { RetentionRun } from '../engine/pages/retention-run.ts'
import type { ServiceThread } from '../lib/service-thread.ts'
import type { Pages } from '../ports/pages.ts'
import type { ArchiveSegments, Retention } from '../ports/retention.ts'

/** Records named by a visit report must survive until it is committed or rejected: the longest time a lease can last. */
export const MAX_REPORT_DELAY_MS = 86_400_000

export function archiveFolder({ data }: Config): string {
  return join(data, 'archive')
}

/** `writer` is part of every segment name: letters and digits, unique per process. */
export async function openArchiveWriter(config: Config, store: ServiceThread, writer: string): Promise<ServiceThread> {
  const dir = archiveFolder(config)
  const goodOffsets = await store.client.service<Pages>('pages').lastReferencedOffsets(await listOpenSegments(dir))
  return startArchiveThread({
    dir,
    goodOffsets,
    maxSegmentBytes: config.segmentSize,
    maxSegmentAgeMs: config.segmentAge,
    isDurable: config.durability === 'disk',
    writer,
    quietMs: MAX_REPORT_DELAY_MS,
  })
}

export function createRetentionRun(store: ServiceThread, archive: ServiceThread): RetentionRun {
  const archiveSegments = archive.client.service<ArchiveSegments>('segments')
  return new RetentionRun({ store: store.client.service<Retention>('retention'), archive: archiveSegments })
}
