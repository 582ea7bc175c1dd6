// Drops what has been kept for long enough, to the end, and tells what became of it.

import type { Config } from '../config/schema.ts'
import { jsonLine } from '../engine/export/jsonl.ts'
import type { RetentionStep } from '../engine/pages/retention-run.ts'
import { AppError, EXIT } from '../lib/errors.ts'
import { formatCommand } from './format/format-command.ts'
import { formatBytes, pluralize, sanitizeText } from './format/units.ts'
import type { Io } from './io.ts'

interface RetentionTotals {
  versions: number
  payloads: number
  segmentsDeleted: number
  recordsMoved: number
  /** Of deleted files, less what was copied out of them. */
  bytesFreed: number
  damaged: string[]
  /** Another process looks after the segments. */
  isLeft: boolean
}

export async function expireArchive(config: Config, io: Io): Promise<number> {
  const retentionTotals: RetentionTotals = {
    ...{ versions: 0, payloads: 0, segmentsDeleted: 0, recordsMoved: 0, bytesFreed: 0 },
    ...{ damaged: [], isLeft: false },
  }
  const crawlSession = await io.openCrawlSession(config, false)
  let isStopped = false
  const forgetInterrupt = io.onInterrupt(() => {
    isStopped = true
  })
  try {
    while (!isStopped && !retentionTotals.isLeft) {
      const step = await crawlSession.runRetentionStep()
      if (step === null) break
      addStep(retentionTotals, step)
    }
  } finally {
    forgetInterrupt()
    await crawlSession.close()
  }
  if (config.json) io.stdout.write(jsonLine(toJson(retentionTotals)))
  else
    for (const line of totalLines(retentionTotals, isStopped, formatCommand(io.program, 'archive verify', config)))
      io.stdout.write(`${line}\n`)
  return isStopped ? EXIT.interrupted : EXIT.completed
}

function addStep(retentionTotals: RetentionTotals, step: RetentionStep): void {
  switch (step.kind) {
    case 'dropped':
      retentionTotals.versions += step.versions
      return
    case 'swept':
      retentionTotals.payloads += step.payloads
      return
    case 'moved':
      retentionTotals.recordsMoved += step.records
      retentionTotals.bytesFreed -= step.bytes
      return
    case 'deleted':
      retentionTotals.segmentsDeleted += 1
      retentionTotals.bytesFreed += step.bytes
      return
    case 'damaged':
      retentionTotals.damaged.push(step.segment)
      return
    case 'left':
      retentionTotals.isLeft = true
      return
    case 'doubtful':
      throw new AppError('INTERNAL', 'What was asked for by hand was put off.')
  }
}

function toJson({
  versions,
  payloads,
  segmentsDeleted,
  recordsMoved,
  bytesFreed,
  damaged,
  isLeft,
}: RetentionTotals): object {
  return {
    versions_dropped: versions,
    payloads_dropped: payloads,
    records_moved: recordsMoved,
    segments_deleted: segmentsDeleted,
    bytes_freed: bytesFreed,
    damaged,
    segments_left: isLeft,
  }
}

function totalLines(retentionTotals: RetentionTotals, isStopped: boolean, verify: string): string[] {
  const lines: string[] = []
  if (retentionTotals.versions > 0)
    lines.push(`Dropped ${pluralize(retentionTotals.versions, 'page version')} whose time was over.`)
  if (retentionTotals.recordsMoved > 0)
    lines.push(`Moved ${pluralize(retentionTotals.recordsMoved, 'record')} out of segments that held little.`)
  if (retentionTotals.segmentsDeleted > 0) {
    lines.push(
      `Deleted ${pluralize(retentionTotals.segmentsDeleted, 'segment')}, which freed ${formatBytes(Math.max(0, retentionTotals.bytesFreed))}.`,
    )
  }
  for (const segment of retentionTotals.damaged) {
    lines.push(`Left ${sanitizeText(segment)} as it is, for it is damaged. See: ${verify}`)
  }
  if (retentionTotals.isLeft) lines.push('Segments are left to the process that is tidying this folder now.')
  if (isStopped) lines.push('Stopped before the end. Run it again to go on.')
  return lines.length === 0 ? ['Nothing in the archive has passed its time.'] : lines
}
