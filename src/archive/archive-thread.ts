// The thread that writes the archive: one writer per process; several may share the folder. Segments left open by dead
// processes are recovered before the first record is written.

import { systemClock } from '../lib/clock.ts'
import { serveOnThread } from '../lib/service-thread.ts'
import { openArchiveWriter } from './archive-writer.ts'
import { type CompactionSettings, openCompaction } from './compaction.ts'
import { recoverSegments } from './recover-segments.ts'

export interface ArchiveThreadSettings extends CompactionSettings {
  dir: string
  /** End of the last record the store refers to, by open segment. */
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
