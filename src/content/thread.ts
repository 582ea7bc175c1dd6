// The thread that writes the archive: one writer per process. What a dead process left half written is put in order
// before the first record.

import { systemClock } from '../lib/clock.ts'
import { serveOnThread } from '../lib/service-thread.ts'
import { recover } from './recover.ts'
import { openWriter, type WriterSettings } from './writer.ts'

export interface ArchiveThreadSettings extends WriterSettings {
  dir: string
  /** How far into each segment the store points. */
  goodOffsets: Record<string, number>
}

serveOnThread<ArchiveThreadSettings>(async (settings) => {
  const { dir, goodOffsets } = settings
  await recover(dir, (segment) => goodOffsets[segment] ?? 0)
  const archive = await openWriter(dir, settings, systemClock)
  return { services: { archive }, close: () => archive.close() }
})
