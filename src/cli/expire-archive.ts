// `archive expire`: runs retention until nothing is left to do and prints the totals.

import type { Config } from '../config/schema.ts'
import { jsonLine } from '../engine/export/jsonl.ts'
import { EXIT } from '../lib/errors.ts'
import { openOwnSession, type RetentionTotals, runRetention } from './archive-work.ts'
import { formatCommand } from './format/format-command.ts'
import { formatBytes, pluralize, sanitizeText } from './format/units.ts'
import type { Io } from './io.ts'

export async function expireArchive(config: Config, io: Io): Promise<number> {
  const open = () => io.openCrawlSession(config, false)
  const session = await openOwnSession(open, config, { openers: io, what: 'deletes expired pages' })
  const stop = new AbortController()
  const removeHandler = io.onInterrupt(() => stop.abort())
  let totals: RetentionTotals
  try {
    totals = await runRetention(session, stop.signal)
  } finally {
    removeHandler()
    await session.close()
  }
  const isStopped = stop.signal.aborted
  if (config.json) io.stdout.write(jsonLine(toJson(totals)))
  else
    for (const line of totalLines(totals, isStopped, formatCommand(io.program, 'archive verify', config)))
      io.stdout.write(`${line}\n`)
  return isStopped ? EXIT.interrupted : EXIT.completed
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
