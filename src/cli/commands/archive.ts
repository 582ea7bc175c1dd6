import { jsonLine } from '../../engine/export/jsonl.ts'
import { AppError, ERRORS } from '../../lib/errors.ts'
import { drainArchive } from '../drain-archive.ts'
import { expireArchive } from '../expire-archive.ts'
import { formatBytes, pluralize, sanitizeText } from '../format/units.ts'
import type { Command } from '../io.ts'
import { uploadArchive } from '../upload-archive.ts'
import { type ArchiveCheck, verifyArchive } from '../verify-archive.ts'
import { withReadSession } from '../with-read-session.ts'

export const archive: Command = {
  usage: 'verify|expire|upload|drain',
  help: 'Verify the archive, delete its expired pages or upload it. verify reads every record, expire deletes expired pages, upload sends what is left to --archive-store, and drain empties buckets with mode=read.',
  maxArguments: 1,
  localReason: 'it reads the files of the archive. Run it on the machine that has them.',
  settings: ['data', 'store', 'config', 'archiveStore', 'archiveCache', 'healthSecret', 'json'],
  async run(config, args, io) {
    if (args[0] === 'expire') return expireArchive(config, io)
    if (args[0] === 'upload') return uploadArchive(config, io)
    if (args[0] === 'drain') return drainArchive(config, io)
    if (args[0] !== 'verify') {
      throw new AppError('USAGE', `Choose an action: ${io.program} archive verify, expire, upload or drain`)
    }
    return withReadSession(config, io, async (readSession) => {
      const archiveCheck = await verifyArchive(readSession, config.store !== null)
      if (config.json) io.stdout.write(jsonLine(toJson(archiveCheck)))
      else {
        const size = `${pluralize(archiveCheck.records, 'record')} in ${pluralize(archiveCheck.segments, 'segment')}, ${formatBytes(archiveCheck.bytes)}`
        io.stdout.write(`${size}\n`)
        if (archiveCheck.elsewhere > 0) {
          const others = pluralize(archiveCheck.elsewhere, 'record')
          io.stdout.write(`${others} in other folders; one record of each segment there was read back.\n`)
        }
        if (archiveCheck.unusedSegments > 0) {
          const unused = `${pluralize(archiveCheck.unusedSegments, 'segment')} of ${formatBytes(archiveCheck.unusedBytes)}`
          io.stdout.write(`No page refers to ${unused}; see docs/guides/archive.md for what to do.\n`)
        }
        for (const problem of archiveCheck.problems) io.stdout.write(`Broken: ${sanitizeText(problem)}\n`)
        if (archiveCheck.problems.length === 0)
          io.stdout.write('Every record can be read, and every page has its content.\n')
      }
      return archiveCheck.problems.length === 0 ? 0 : ERRORS.ARCHIVE_BROKEN.exit
    })
  },
}

function toJson({ unusedSegments, unusedBytes, ...found }: ArchiveCheck): object {
  const unused = { unused_segments: unusedSegments, unused_bytes: unusedBytes }
  return { ...found, ...unused, sound: found.problems.length === 0 }
}
