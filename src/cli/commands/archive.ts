import { hash } from 'node:crypto'
import { jsonLine } from '../../engine/export/jsonl.ts'
import { readInPlace } from '../../engine/pages/place.ts'
import { AppError, asAppError, ERRORS } from '../../lib/errors.ts'
import type { Position } from '../../ports/archive.ts'
import type { PageVersion } from '../../ports/pages.ts'
import { expire } from '../expire.ts'
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
  /** Closed segments that no page points at: retention has not come to them, or the store never heard of them. */
  unusedSegments: number
  unusedBytes: number
  problems: string[]
}

const NONE_UNUSED = { unusedSegments: 0, unusedBytes: 0 }

export const archive: Command = {
  usage: 'verify|expire',
  help: 'Read every record of the archive back, or drop what has been kept for long enough.',
  maxArguments: 1,
  settings: ['data', 'store', 'config', 'healthSecret', 'json'],
  async run(config, args, io) {
    if (args[0] === 'expire') return expire(config, io)
    if (args[0] !== 'verify') {
      throw new AppError('USAGE', `Say what to do with the archive: ${io.program} archive verify, or expire.`)
    }
    return withReader(config, io, async (reader) => {
      const found = await check(reader, config.store !== null)
      if (config.json) io.stdout.write(jsonLine(toJson(found)))
      else {
        const size = `${plural(found.records, 'record')} in ${plural(found.segments, 'segment')}, ${bytes(found.bytes)}`
        io.stdout.write(`${size}\n`)
        if (found.elsewhere > 0) {
          const others = plural(found.elsewhere, 'record')
          io.stdout.write(`${others} in other folders; of each segment there, one was read back.\n`)
        }
        if (found.unusedSegments > 0) {
          const unused = `${plural(found.unusedSegments, 'segment')} of ${bytes(found.unusedBytes)}`
          io.stdout.write(`No page points at ${unused}; docs/operations.md says what to do about that.\n`)
        }
        for (const problem of found.problems) io.stdout.write(`Broken: ${clean(problem)}\n`)
        if (found.problems.length === 0) io.stdout.write('Every record reads back, and every page has its bytes.\n')
      }
      return found.problems.length === 0 ? 0 : ERRORS.ARCHIVE_BROKEN.exit
    })
  },
}

function toJson({ unusedSegments, unusedBytes, ...found }: Found): object {
  const unused = { unused_segments: unusedSegments, unused_bytes: unusedBytes }
  return { ...found, ...unused, sound: found.problems.length === 0 }
}

/** Positions first, so that a record written meanwhile is not missed; then every record, then what was not met. */
async function check(reader: Reader, isCluster: boolean): Promise<Found> {
  const wanted = new Map<string, number>()
  const pointedAt = new Set<string>()
  const apart = new Set<number>()
  for await (const { position, payloadDigest, pageId } of reader.pages.positions()) {
    if (position === null) apart.add(pageId)
    else {
      wanted.set(keyOf({ ...position, payloadDigest }), pageId)
      pointedAt.add(position.segment)
    }
  }
  const found: Found = { records: 0, segments: 0, bytes: 0, elsewhere: 0, ...NONE_UNUSED, problems: [] }
  const segments = new Set<string>()
  const unused = new Set<string>()
  for await (const record of reader.checkArchive()) {
    segments.add(record.segment)
    if (!record.isOpen && !pointedAt.has(record.segment)) {
      unused.add(record.segment)
      found.unusedBytes += record.length
    }
    found.records += 1
    found.bytes += record.length
    const isTornTail = record.isOpen && record.problem === 'torn or broken'
    if (record.problem === null) wanted.delete(keyOf(record))
    else if (!isTornTail) found.problems.push(`${record.segment} at ${grouped(record.offset)}: ${record.problem}`)
  }
  found.segments = segments.size
  found.unusedSegments = unused.size
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
  if (version === null || !version.isKept) return true
  try {
    await readInPlace(version, reader.pages, (current) => checkVersion(current, reader))
    return true
  } catch (error) {
    const { code, message } = asAppError(error)
    // Its time was over while it was looked for.
    if (code === 'PAGE_NOT_FOUND') return true
    const { url } = version
    const isLost = !(await hasContent(version, reader))
    const what = isLost ? `the page ${url} cannot be read back` : `the headers of ${url} are lost, its content is not`
    found.problems.push(`${what}: ${message}`)
    return false
  }
}

/** Its content has come again since, or lies with another page. */
async function hasContent(
  { record, payload, payloadDigest }: PageVersion,
  { archive: kept }: Reader,
): Promise<boolean> {
  const isOwn = payload?.segment === record?.segment && payload?.offset === record?.offset
  if (payload === null || isOwn) return false
  try {
    return hash('sha256', (await kept.read(payload)).payload, 'hex') === payloadDigest
  } catch {
    // What is wrong has been told by the first look.
    return false
  }
}

async function checkVersion({ record, payload, payloadDigest }: PageVersion, { archive: kept }: Reader): Promise<void> {
  for (const position of [record, payload]) {
    if (position === null) throw new AppError('ARCHIVE_BROKEN', 'The store no longer knows where it lies.')
    const answer = await kept.read(position)
    const isOther = answer.sameAs === null && hash('sha256', answer.payload, 'hex') !== payloadDigest
    if (isOther) throw new AppError('ARCHIVE_BROKEN', `${position.segment} at ${position.offset} has another payload.`)
  }
}

function keyOf({ segment, offset, length, payloadDigest }: Position & { payloadDigest: string | null }): string {
  return `${segment} at ${offset}, ${length} bytes of ${payloadDigest?.slice(0, KEY_DIGITS)}`
}
