// Moves the segments of read-only buckets to the other buckets of the archive.

import { join } from 'node:path'
import { type DrainedSegment, drainBuckets } from '../archive/objects/drain-buckets.ts'
import { openBuckets } from '../archive/objects/segment-objects.ts'
import type { Config } from '../config/schema.ts'
import { archiveFolder } from './open-archive-writer.ts'

export async function* drainArchive(config: Config): AsyncGenerator<DrainedSegment> {
  const buckets = openBuckets(config.archiveStore, process.env)
  try {
    yield* drainBuckets(buckets, join(archiveFolder(config), 'moving'))
  } finally {
    for (const { objects } of buckets) objects.close()
  }
}
