// `archive upload`: uploads every closed segment of the data directory, for a machine that leaves, or an archive that
// was in a folder before.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/schema.ts'
import { jsonLine } from '../engine/export/jsonl.ts'
import { AppError, EXIT } from '../lib/errors.ts'
import type { UploadStatus } from '../ports/archive.ts'
import { openOwnSession } from './expire-archive.ts'
import { formatCommand } from './format/format-command.ts'
import { formatBytes, pluralize, sanitizeText } from './format/units.ts'
import type { Io } from './io.ts'

const POLL_MS = 200

export async function uploadArchive(config: Config, io: Io): Promise<number> {
  if (config.archiveStore.length === 0)
    throw new AppError(
      'USAGE',
      `Name the bucket: ${formatCommand(io.program, 'archive upload --archive-store s3://bucket/prefix', config)}`,
    )
  const session = await openOwnSession(config, io, 'uploads segments')
  let isStopped = false
  const removeHandler = io.onInterrupt(() => {
    isStopped = true
  })
  try {
    let status = await session.uploadStatus()
    let shown: string | null = null
    while (status.waitingSegments > 0 && !isStopped) {
      if (status.problem !== null && status.problem !== shown)
        io.stderr.write(`${sanitizeText(status.problem)} Trying again.\n`)
      shown = status.problem ?? shown
      await sleep(POLL_MS)
      status = await session.uploadStatus()
    }
    for (const segment of status.lostSegments)
      io.stderr.write(`The segment ${segment} is lost: its file was deleted before its upload.\n`)
    io.stdout.write(config.json ? jsonLine(toJson(status)) : `${describe(status)}\n`)
    return isStopped ? EXIT.interrupted : EXIT.completed
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
