// `archive expire`: runs retention until nothing is left to do and prints the totals.

import type { Config } from '../config/schema.ts'
import { jsonLine } from '../engine/export/jsonl.ts'
import type { RetentionStep } from '../engine/pages/retention-run.ts'
import { AppError, EXIT } from '../lib/errors.ts'
import { findOwner } from './find-owner.ts'
import { formatCommand } from './format/format-command.ts'
import { formatBytes, pluralize, sanitizeText } from './format/units.ts'
import type { CrawlSession, Io } from './io.ts'

interface RetentionTotals {
  versions: number
  payloads: number
  segmentsDeleted: number
  recordsMoved: number
  /** Size of the deleted files, minus the records copied out of them. */
  bytesFreed: number
  damaged: string[]
  /** Another process is maintaining the segments. */
  isLockedElsewhere: boolean
}

export async function expireArchive(config: Config, io: Io): Promise<number> {
  const totals: RetentionTotals = {
    versions: 0,
    payloads: 0,
    segmentsDeleted: 0,
    recordsMoved: 0,
    bytesFreed: 0,
    damaged: [],
    isLockedElsewhere: false,
  }
  const crawlSession = await openOwnSession(config, io, 'deletes expired pages')
  let isStopped = false
  const removeHandler = io.onInterrupt(() => {
    isStopped = true
  })
  try {
    while (!isStopped && !totals.isLockedElsewhere) {
      const step = await crawlSession.runRetentionStep()
      if (step === null) break
      addStep(totals, step)
    }
  } finally {
    removeHandler()
    await crawlSession.close()
  }
  if (config.json) io.stdout.write(jsonLine(toJson(totals)))
  else
    for (const line of totalLines(totals, isStopped, formatCommand(io.program, 'archive verify', config)))
      io.stdout.write(`${line}\n`)
  return isStopped ? EXIT.interrupted : EXIT.completed
}

/** `what` another process that has the data directory does by itself. */
export async function openOwnSession(config: Config, io: Io, what: string): Promise<CrawlSession> {
  try {
    return await io.openCrawlSession(config, false)
  } catch (error) {
    const { pid } = await findOwner(error, config, io)
    throw new AppError(
      'DATA_IN_USE',
      `The data directory ${config.data} is in use by process ${pid}, which ${what} by itself. Stop it to do so now.`,
    )
  }
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

function toJson({
  versions,
  payloads,
  segmentsDeleted,
  recordsMoved,
  bytesFreed,
  damaged,
  isLockedElsewhere,
}: RetentionTotals): object {
  return {
    versions_dropped: versions,
    payloads_dropped: payloads,
    records_moved: recordsMoved,
    segments_deleted: segmentsDeleted,
    bytes_freed: bytesFreed,
    damaged,
    segments_left: isLockedElsewhere,
  }
}

function totalLines(totals: RetentionTotals, isStopped: boolean, verify: string): string[] {
  const lines: string[] = []
  if (totals.versions > 0)
    lines.push(`Deleted ${pluralize(totals.versions, 'page version')} past their retention time.`)
  if (totals.recordsMoved > 0)
    lines.push(`Moved ${pluralize(totals.recordsMoved, 'record')} out of mostly empty segments.`)
  if (totals.segmentsDeleted > 0) {
    lines.push(
      `Deleted ${pluralize(totals.segmentsDeleted, 'segment')} and freed ${formatBytes(Math.max(0, totals.bytesFreed))}.`,
    )
  }
  for (const segment of totals.damaged) {
    lines.push(`Skipped ${sanitizeText(segment)}, which is damaged. Check it with: ${verify}`)
  }
  if (totals.isLockedElsewhere) lines.push('Segments were left alone: another process is maintaining this folder.')
  if (isStopped) lines.push('Interrupted. Run the command again to continue.')
  return lines.length === 0 ? ['Nothing in the archive has expired.'] : lines
}
