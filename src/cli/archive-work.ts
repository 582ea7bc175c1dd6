// Work on a whole archive, for `orbweaver archive` and the library: retention, uploads, and draining of buckets. If it
// is aborted, completed work is kept, and the next call continues.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/schema.ts'
import type { RetentionStep } from '../engine/pages/retention-run.ts'
import { AppError } from '../lib/errors.ts'
import { parseS3Url } from '../lib/s3/location.ts'
import type { UploadStatus } from '../ports/archive.ts'
import { findOwner } from './find-owner.ts'
import type { CrawlSession, Openers } from './io.ts'

const POLL_MS = 200

export interface RetentionTotals {
  /** Page versions past their retention time. */
  versions: number
  payloads: number
  segmentsDeleted: number
  /** Out of mostly empty segments. */
  recordsMoved: number
  /** Size of the deleted files, minus the records copied out of them. */
  bytesFreed: number
  /** Damaged segments, which were skipped. */
  damaged: string[]
  /** Another process is maintaining the segments. */
  isLockedElsewhere: boolean
}

interface OwnSession {
  openers: Pick<Openers, 'openControlSession'>
  /** What another process with the data directory does by itself. */
  what: string
}

/** Opens a session that needs the data directory for itself. */
export async function openOwnSession<T>(
  open: () => Promise<T>,
  config: Config,
  { openers, what }: OwnSession,
): Promise<T> {
  try {
    return await open()
  } catch (error) {
    const { pid } = await findOwner(error, config, openers)
    throw new AppError(
      'DATA_IN_USE',
      `The data directory ${config.data} is in use by process ${pid}, which ${what} by itself. Stop it to do so now.`,
    )
  }
}

/** Runs until nothing is left to do. */
export async function runRetention(
  session: Pick<CrawlSession, 'runRetentionStep'>,
  signal: AbortSignal,
): Promise<RetentionTotals> {
  const totals: RetentionTotals = {
    versions: 0,
    payloads: 0,
    segmentsDeleted: 0,
    recordsMoved: 0,
    bytesFreed: 0,
    damaged: [],
    isLockedElsewhere: false,
  }
  while (!signal.aborted && !totals.isLockedElsewhere) {
    const step = await session.runRetentionStep()
    if (step === null) break
    addStep(totals, step)
  }
  return totals
}

function addStep(totals: RetentionTotals, step: RetentionStep): void {
  switch (step.kind) {
    case 'versions_dropped':
      totals.versions += step.versions
      return
    case 'payloads_dropped':
      totals.payloads += step.payloads
      return
    case 'moved':
      totals.recordsMoved += step.records
      totals.bytesFreed -= step.bytes
      return
    case 'deleted':
      totals.segmentsDeleted += 1
      totals.bytesFreed += step.bytes
      return
    case 'damaged':
      totals.damaged.push(step.segment)
      return
    case 'locked_elsewhere':
      totals.isLockedElsewhere = true
      return
    case 'clock_doubtful':
      throw new AppError('INTERNAL', 'Retention deferred a step although it was requested explicitly.')
  }
}

/** Waits until no segment waits for its upload. A failed upload is retried. */
export async function awaitUploads(
  session: Pick<CrawlSession, 'uploadStatus'>,
  { signal, onProblem }: { signal: AbortSignal; onProblem: (problem: string) => void },
): Promise<UploadStatus> {
  let reported: string | null = null
  for (;;) {
    const status = await session.uploadStatus()
    if (status.waitingSegments === 0 || signal.aborted) return status
    if (status.problem !== null && status.problem !== reported) onProblem(status.problem)
    reported = status.problem ?? reported
    await sleep(POLL_MS)
  }
}

export interface MovedSegments {
  segments: number
  bytes: number
}

export function hasReadOnlyBucket({ archiveStore }: Pick<Config, 'archiveStore'>): boolean {
  return archiveStore.some((url) => parseS3Url(url)?.isReadOnly === true)
}

export async function countMoved(
  moving: AsyncIterable<{ bytes: number }>,
  signal: AbortSignal,
): Promise<MovedSegments> {
  const moved = { segments: 0, bytes: 0 }
  if (signal.aborted) return moved
  for await (const { bytes } of moving) {
    moved.segments += 1
    moved.bytes += bytes
    if (signal.aborted) break
  }
  return moved
}
