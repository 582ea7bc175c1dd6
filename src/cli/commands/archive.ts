import { hash } from 'node:crypto'
import { readInPlace } from '../../engine/pages/place.ts'
import { AppError, asAppError, ERRORS } from '../../lib/errors.ts'
import type { Position } from '../../ports/archive.ts'
import type { PageVersion } from '../../ports/pages.ts'
import { expire } from '../expire.ts'
import { jsonLine } from '../format/jsonl.ts'
import type { Command, Reader } from '../io.ts'
import { bytes, clean, grouped, plural } from '../live/units.ts'
import { withReader } from '../with-reader.ts'

/** Of a digest, enough to tell a record from any other that may lie there; a map holds one for every page. */
const KEY_DIGITS = 16

interface Found {
  records: number
  segments: number
  bytes: number
  /** Records that are pointed at and lie in folders of other workers. */
  elsewhere: number
  problems: string[]
}

export const archive: Command = {
  usage: 'verify|expire',
  help: 'Read every record of the archive back, or drop what has been kept for long enough.',
  maxArguments: 1,
  settings: ['data', 'store', 'config', 'json'],
  async run(config, args, io) {
    if (args[0] === 'expire') return expire(config, io)
    if (args[0] !== 'verify') {
      throw new AppError('USAGE', 'Say what to do with the archive: orbweaver archive verify, or expire.')
    }
    return withReader(config, io, async (reader) => {
      const found = await check(reader, config.store !== null)
      if (config.json) io.stdout.write(jsonLine({ ...found, sound: found.problems.length === 0 }))
      else {
        const size = `${plural(found.records, 'record')} in ${plural(found.segments, 'segment')}, ${bytes(found.bytes)}`
        io.stdout.write(`${size}\n`)
        if (found.elsewhere > 0) {
          const others = plural(found.elsewhere, 'record')
          io.stdout.write(`${others} in other folders; of each segment there, one was read back.\n`)
        }
        for (const problem of found.problems) io.stdout.write(`Broken: ${clean(problem)}\n`)
        if (found.problems.length === 0) io.stdout.write('Every record reads back, and every page has its bytes.\n')
      }
      return found.problems.length === 0 ? 0 : ERRORS.ARCHIVE_BROKEN.exit
    })
  },
}

/** Positions first, so that a record written meanwhile is not missed; then every record, then what was not met. */
async function check(reader: Reader, isCluster: boolean): Promise<Found> {
  const wanted = new Map<string, number>()
  for await (const position of reader.pages.positions()) wanted.set(keyOf(position), position.pageId)
  const found: Found = { records: 0, segments: 0, bytes: 0, elsewhere: 0, problems: [] }
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
  const apart = new Set<number>()
  const elsewhere = new Map<string, { pageId: number; records: number }>()
  for (const [key, pageId] of wanted) {
    const segment = key.slice(0, key.indexOf(' '))
    if (!isCluster || segments.has(segment)) apart.add(pageId)
    else elsewhere.set(segment, { pageId, records: (elsewhere.get(segment)?.records ?? 0) + 1 })
  }
  for (const pageId of apart) await checkApart(pageId, reader, found)
  for (const { pageId, records } of elsewhere.values()) {
    if (await checkApart(pageId, reader, found)) found.elsewhere += records
  }
  return found
}

/** A broken record hides those behind it in its segment from a reader that goes from one to the next. */
async function checkApart(pageId: number, reader: Reader, found: Found): Promise<boolean> {
  const version = await reader.pages.find(pageId)
  if (version === null || version.record === null) return true
  try {
    await readInPlace(version, reader.pages, (current) => checkVersion(current, reader))
    return true
  } catch (error) {
    const { code, message } = asAppError(error)
    // Its time was over while it was looked for.
    if (code === 'PAGE_NOT_FOUND') return true
    found.problems.push(`the page ${version.url} cannot be read back: ${message}`)
    return false
  }
}

async function checkVersion({ record, payload, payloadDigest }: PageVersion, { archive: kept }: Reader): Promise<void> {
  for (const position of [record, payload]) {
    if (position === null) throw new AppError('ARCHIVE_BROKEN', 'Nothing is known of its payload.')
    const answer = await kept.read(position)
    const isOther = answer.sameAs === null && hash('sha256', answer.payload, 'hex') !== payloadDigest
    if (isOther) throw new AppError('ARCHIVE_BROKEN', `${position.segment} at ${position.offset} has another payload.`)
  }
}

function keyOf({ segment, offset, length, payloadDigest }: Position & { payloadDigest: string | null }): string {
  return `${segment} at ${offset}, ${length} bytes of ${payloadDigest?.slice(0, KEY_DIGITS)}`
}
