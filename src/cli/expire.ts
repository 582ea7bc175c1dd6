// Drops what has been kept for long enough, to the end, and tells what became of it.

import type { Config } from '../config/schema.ts'
import { jsonLine } from '../engine/export/jsonl.ts'
import type { RetentionStep } from '../engine/pages/retention.ts'
import { AppError, EXIT } from '../lib/errors.ts'
import { commandLine } from './hint.ts'
import type { Io } from './io.ts'
import { bytes, clean, plural } from './live/units.ts'

interface Done {
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

export async function expire(config: Config, io: Io): Promise<number> {
  const done: Done = {
    ...{ versions: 0, payloads: 0, segmentsDeleted: 0, recordsMoved: 0, bytesFreed: 0 },
    ...{ damaged: [], isLeft: false },
  }
  const workshop = await io.openWorkshop(config, false)
  let isStopped = false
  const forgetInterrupt = io.onInterrupt(() => {
    isStopped = true
  })
  try {
    while (!isStopped && !done.isLeft) {
      const step = await workshop.expire()
      if (step === null) break
      add(done, step)
    }
  } finally {
    forgetInterrupt()
    await workshop.close()
  }
  if (config.json) io.stdout.write(jsonLine(toJson(done)))
  else
    for (const line of linesOf(done, isStopped, commandLine(io.program, 'archive verify', config)))
      io.stdout.write(`${line}\n`)
  return isStopped ? EXIT.interrupted : EXIT.completed
}

function add(done: Done, step: RetentionStep): void {
  switch (step.kind) {
    case 'dropped':
      done.versions += step.versions
      return
    case 'swept':
      done.payloads += step.payloads
      return
    case 'moved':
      done.recordsMoved += step.records
      done.bytesFreed -= step.bytes
      return
    case 'deleted':
      done.segmentsDeleted += 1
      done.bytesFreed += step.bytes
      return
    case 'damaged':
      done.damaged.push(step.segment)
      return
    case 'left':
      done.isLeft = true
      return
    case 'doubtful':
      throw new AppError('INTERNAL', 'What was asked for by hand was put off.')
  }
}

function toJson({ versions, payloads, segmentsDeleted, recordsMoved, bytesFreed, damaged, isLeft }: Done): object {
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

function linesOf(done: Done, isStopped: boolean, verify: string): string[] {
  const lines: string[] = []
  if (done.versions > 0) lines.push(`Dropped ${plural(done.versions, 'page version')} whose time was over.`)
  if (done.recordsMoved > 0)
    lines.push(`Moved ${plural(done.recordsMoved, 'record')} out of segments that held little.`)
  if (done.segmentsDeleted > 0) {
    lines.push(
      `Deleted ${plural(done.segmentsDeleted, 'segment')}, which freed ${bytes(Math.max(0, done.bytesFreed))}.`,
    )
  }
  for (const segment of done.damaged) {
    lines.push(`Left ${clean(segment)} as it is, for it is damaged. See: ${verify}`)
  }
  if (done.isLeft) lines.push('Segments are left to the process that is tidying this folder now.')
  if (isStopped) lines.push('Stopped before the end. Run it again to go on.')
  return lines.length === 0 ? ['Nothing in the archive has passed its time.'] : lines
}
