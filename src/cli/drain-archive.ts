// `archive drain`: empties the buckets that --archive-store names with mode=read, so that they can be given up.

import type { Config } from '../config/schema.ts'
import { jsonLine } from '../engine/export/jsonl.ts'
import { AppError, EXIT } from '../lib/errors.ts'
import { countMoved, hasReadOnlyBucket, type MovedSegments } from './archive-work.ts'
import { formatBytes, pluralize } from './format/units.ts'
import type { Io } from './io.ts'

export async function drainArchive(config: Config, io: Io): Promise<number> {
  if (!hasReadOnlyBucket(config))
    throw new AppError(
      'USAGE',
      'Name the bucket to empty with mode=read, and one that takes its segments: --archive-store s3://old/prefix?mode=read --archive-store s3://new/prefix',
    )
  const stop = new AbortController()
  const removeHandler = io.onInterrupt(() => stop.abort())
  let moved: MovedSegments
  try {
    moved = await countMoved(io.drainBuckets(config), stop.signal)
  } finally {
    removeHandler()
  }
  const isStopped = stop.signal.aborted
  const text = `Moved ${pluralize(moved.segments, 'segment')} of ${formatBytes(moved.bytes)}.`
  const rest = isStopped
    ? 'Interrupted. Run the command again to continue.'
    : 'The buckets with mode=read are empty and can be removed from --archive-store of every process.'
  io.stdout.write(
    config.json
      ? jsonLine({ moved_segments: moved.segments, moved_bytes: moved.bytes, is_empty: !isStopped })
      : `${text} ${rest}\n`,
  )
  return isStopped ? EXIT.interrupted : EXIT.completed
}
