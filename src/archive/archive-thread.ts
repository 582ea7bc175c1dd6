// The thread that writes the archive: one writer per process, of which several may share the folder. What dead ones
// left half written is put in order before the first record.

import { systemClock } from '../lib/clock.ts'
import { serveOnThread } from '../lib/service-thread.ts'
import { openArchiveWriter } from './archive-writer.ts'
import { type CompactionSettings, openCompaction } from './compaction.ts'
import { recoverSegments } from './recover-segments.ts'

export interface ArchiveThreadSettings extends CompactionSettings {
  dir: string
  /** How far into each open segment the store points. */
  goodOffsets: Record<string, number>
}

serveOnThread<ArchiveThreadSettings>(async (settings) => {
  const { dir, goodOffsets } = settings
  await recoverSegments(dir, (segment) => goodOffsets[segment] ?? 0)
  const segments = openCompaction(dir, settings, systemClock)
  const archive = await openArchiveWriter(dir, settings, systemClock)
  const close = async () => {
    await segments.close()
    await archive.close()
  }
  return { services: { archive, segments }, close }
})
