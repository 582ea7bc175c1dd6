// The archive of a store: checks, retention, and segments in buckets.

import {
  awaitUploads,
  countMoved,
  hasReadOnlyBucket,
  type MovedSegments,
  openOwnSession,
  type RetentionTotals,
  runRetention,
} from '../cli/archive-work.ts'
import type { ReadSession } from '../cli/io.ts'
import { type ArchiveCheck, verifyArchive } from '../cli/verify-archive.ts'
import type { Config } from '../config/schema.ts'
import { AppError } from '../lib/errors.ts'
import { CrawlRuntime } from '../setup/crawl-runtime.ts'
import { openers } from '../setup/openers.ts'
import { newWorkerId } from '../setup/worker-process.ts'

/** An abort throws INTERRUPTED. Completed work is kept, and the next call continues. */
export interface AbortOptions {
  signal?: AbortSignal
}

export interface UploadOptions extends AbortOptions {
  /** Called when an upload fails, which is tried again until it succeeds. */
  onProblem?(problem: string): void
}

export interface UploadedSegments extends MovedSegments {
  /** Segments whose files were deleted before their upload. */
  lost: string[]
}

/**
 * `expire` and `upload` throw DATA_IN_USE while another process has the data directory, since that process does the
 * same by itself.
 */
export interface ArchiveControl {
  /** Reads every record, and checks that every page has its content. */
  verify(): Promise<ArchiveCheck>
  /** Deletes pages that are past their retention time, and the segments that they leave empty. */
  expire(options?: AbortOptions): Promise<RetentionTotals>
  /** Uploads the segments of the data directory to the buckets of `archiveStore`. */
  upload(options?: UploadOptions): Promise<UploadedSegments>
  /** Moves the segments of buckets with mode=read to the other buckets of `archiveStore`. */
  drain(options?: AbortOptions): Promise<MovedSegments>
}

export function makeArchiveControl(config: Config, session: ReadSession): ArchiveControl {
  return {
    verify: () => verifyArchive(session, config.store !== null),
    expire: ({ signal = never() } = {}) =>
      withRuntime(config, 'deletes expired pages', async (runtime) => {
        const totals = await runRetention(runtime, signal)
        checkNotAborted(signal, 'Expired pages may be left.')
        return totals
      }),
    async upload({ signal = never(), onProblem = () => undefined } = {}) {
      if (config.archiveStore.length === 0)
        throw new AppError('USAGE', "Name the bucket: openStore({ archiveStore: ['s3://bucket/prefix'] }).")
      return withRuntime(config, 'uploads segments', async (runtime) => {
        const status = await awaitUploads(runtime, { signal, onProblem })
        const { waitingSegments, uploadedSegments: segments, uploadedBytes: bytes, lostSegments: lost } = status
        if (waitingSegments > 0)
          checkNotAborted(signal, `Segments that are not uploaded: ${waitingSegments}. ${status.problem ?? ''}`.trim())
        return { segments, bytes, lost }
      })
    },
    async drain({ signal = never() } = {}) {
      if (!hasReadOnlyBucket(config))
        throw new AppError(
          'USAGE',
          "Name the bucket to empty, and one that takes its segments: openStore({ archiveStore: ['s3://old/prefix?mode=read', 's3://new/prefix'] }).",
        )
      const { drainArchive } = await import('../setup/drain-archive.ts')
      const moved = await countMoved(drainArchive(config), signal)
      checkNotAborted(signal, `Segments moved: ${moved.segments}.`)
      return moved
    },
  }
}

/** `what` describes what another process with the data directory does by itself. */
async function withRuntime<T>(config: Config, what: string, work: (runtime: CrawlRuntime) => Promise<T>): Promise<T> {
  const open = () => CrawlRuntime.open(config, newWorkerId(), { create: false })
  const runtime = await openOwnSession(open, config, { openers, what })
  try {
    return await work(runtime)
  } finally {
    await runtime.close()
  }
}

function never(): AbortSignal {
  return new AbortController().signal
}

function checkNotAborted(signal: AbortSignal, rest: string): void {
  if (signal.aborted) throw new AppError('INTERRUPTED', `Aborted. ${rest} Call it again to continue.`)
}
