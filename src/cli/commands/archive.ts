import { AppError, asAppError, ERRORS } from '../../lib/errors.ts'
import type { Position } from '../../ports/archive.ts'
import { jsonLine } from '../format/jsonl.ts'
import type { Command, Reader } from '../io.ts'
import { bytes, clean, grouped, plural } from '../live/units.ts'
import { withReader } from '../with-reader.ts'

interface Found {
  records: number
  segments: number
  bytes: number
  problems: string[]
}

export const archive: Command = {
  usage: 'verify',
  help: 'Read every record of the archive back, and check that all that is pointed at is there.',
  maxArguments: 1,
  settings: ['data', 'config', 'json'],
  async run(config, args, io) {
    if (args[0] !== 'verify') throw new AppError('USAGE', 'Say what to do with the archive: orbweaver archive verify')
    return withReader(config, io, async (reader) => {
      const found = await check(reader)
      if (config.json) io.stdout.write(jsonLine({ ...found, sound: found.problems.length === 0 }))
      else {
        const size = `${plural(found.records, 'record')} in ${plural(found.segments, 'segment')}, ${bytes(found.bytes)}`
        io.stdout.write(`${size}\n`)
        for (const problem of found.problems) io.stdout.write(`Broken: ${clean(problem)}\n`)
        if (found.problems.length === 0) io.stdout.write('Every record reads back, and every page has its bytes.\n')
      }
      return found.problems.length === 0 ? 0 : ERRORS.ARCHIVE_BROKEN.exit
    })
  },
}

/** Positions first, so that a record written meanwhile is not missed; then every record, then what was not met. */
async function check(reader: Reader): Promise<Found> {
  const wanted = new Map<string, number>()
  for await (const position of reader.pages.positions()) wanted.set(keyOf(position), position.pageId)
  const found: Found = { records: 0, segments: 0, bytes: 0, problems: [] }
  const segments = new Set<string>()
  for await (const record of reader.checkArchive()) {
    segments.add(record.segment)
    found.records += 1
    found.bytes += record.length
    const isTornTail = record.isOpen && record.problem === 'torn or broken'
    if (record.problem === null) wanted.delete(keyOf(record))
    else if (!isTornTail) found.problems.push(`${record.segment} at ${grouped(record.offset)}: ${record.problem}`)
  }
  found.segments = segments.size
  await checkApart([...wanted.values()], reader, found)
  return found
}

/** A broken record hides those behind it in its segment from a reader that goes from one to the next. */
async function checkApart(pageIds: number[], reader: Reader, found: Found): Promise<void> {
  for (const pageId of pageIds) {
    const version = await reader.pages.find(pageId)
    if (version === null || version.record === null) continue
    try {
      await reader.archive.read(version.record)
    } catch (error) {
      found.problems.push(`the page ${version.url} cannot be read back: ${asAppError(error).message}`)
    }
  }
}

function keyOf({ segment, offset, length }: Position): string {
  return `${segment} at ${offset}, ${length} bytes`
}
