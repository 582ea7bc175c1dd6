// `archive upload`: uploads every closed segment of the data directory, for a machine that leaves, or an archive that
// was in a folder before.

import type { Config } from '../config/schema.ts'
import { jsonLine } from '../engine/export/jsonl.ts'
import { AppError, EXIT } from '../lib/errors.ts'
import type { UploadStatus } from '../ports/archive.ts'
import { awaitUploads, openOwnSession } from './archive-work.ts'
import { formatCommand } from './format/format-command.ts'
import { formatBytes, pluralize, sanitizeText } from './format/units.ts'
import type { Io } from './io.ts'

export async function uploadArchive(config: Config, io: Io): Promise<number> {
  if (config.archiveStore.length === 0)
    throw new AppError(
      'USAGE',
      `Name the bucket: ${formatCommand(io.program, 'archive upload --archive-store s3://bucket/prefix', config)}`,
    )
  const open = () => io.openCrawlSession(config, false)
  const session = await openOwnSession(open, config, { openers: io, what: 'uploads segments' })
  const stop = new AbortController()
  const removeHandler = io.onInterrupt(() => stop.abort())
  const onProblem = (problem: string) => io.stderr.write(`${sanitizeText(problem)} Trying again.\n`)
  try {
    const status = await awaitUploads(session, { signal: stop.signal, onProblem })
    for (const segment of status.lostSegments)
      io.stderr.write(`The segment ${segment} is lost: its file was deleted before its upload.\n`)
    io.stdout.write(config.json ? jsonLine(toJson(status)) : `${describe(status)}\n`)
    return stop.signal.aborted ? EXIT.interrupted : EXIT.completed
  } finally {
    removeHandler()
    await session.close()
  }
}

function describe({ uploadedSegments, uploadedBytes, waitingSegments, waitingBytes }: UploadStatus): string {
  if (waitingSegments > 0) {
    const rest = `${pluralize(waitingSegments, 'segment')} of ${formatBytes(waitingBytes)}`
    return `Interrupted: ${rest} left. Run the command again to continue.`
  }
  if (uploadedSegments === 0) return 'Every segment is uploaded already.'
  return `Uploaded ${pluralize(uploadedSegments, 'segment')} of ${formatBytes(uploadedBytes)}.`
}

function toJson(status: UploadStatus): object {
  return {
    uploaded_segments: status.uploadedSegments,
    uploaded_bytes: status.uploadedBytes,
    waiting_segments: status.waitingSegments,
    waiting_bytes: status.waitingBytes,
    lost_segments: status.lostSegments,
  }
}
