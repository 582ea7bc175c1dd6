// The thread that writes the archive: one writer per process, of which several may share the folder. What dead ones
// left half written is put in order before the first record.

import { systemClock } from '../lib/clock.ts'
import { serveOnThread } from '../lib/service-thread.ts'
import { openSegments, type SegmentsSettings } from './compact.ts'
import { recover } from './recover.ts'
import { openWriter } from './writer.ts'

export interface ArchiveThreadSettings extends SegmentsSettings {
  dir: string
  /** How far into each open segment the store points. */
  goodOffsets: Record<string, number>
}

serveOnThread<ArchiveThreadSettings>(async (settings) => {
  const { dir, goodOffsets } = settings
  await recover(dir, (segment) => goodOffsets[segment] ?? 0)
  const segments = openSegments(dir, settings, systemClock)
  const archive = await openWriter(dir, settings, systemClock)
  const close = async () => {
    await segments.close()
    await archive.close()
  }
  return { services: { archive, segments }, close }
})
