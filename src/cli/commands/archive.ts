import { hash } from 'node:crypto'
import { jsonLine } from '../../engine/export/jsonl.ts'
import { retryIfMoved } from '../../engine/pages/retry-if-moved.ts'
import { AppError, asAppError, ERRORS } from '../../lib/errors.ts'
import type { Position } from '../../ports/archive.ts'
import type { PageVersion } from '../../ports/pages.ts'
import { expireArchive } from '../expire-archive.ts'
import { formatBytes, groupDigits, pluralize, sanitizeText } from '../format/units.ts'
import type { Command, ReadSession } from '../io.ts'
import { withReadSession } from '../with-read-session.ts'

/** Of a digest, enough to tell a record from any other that may lie there; a map holds one for every page. */
const KEY_DIGITS = 16

interface ArchiveCheck {
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
    if (args[0] === 'expire') return expireArchive(config, io)
    if (args[0] !== 'verify') {
      throw new AppError('USAGE', `Say what to do with the archive: ${io.program} archive verify, or expire.`)
    }
    return withReadSession(config, io, async (readSession) => {
      const archiveCheck = await verifyArchive(readSession, config.store !== null)
      if (config.json) io.stdout.write(jsonLine(toJson(archiveCheck)))
      else {
        const size = `${pluralize(archiveCheck.records, 'record')} in ${pluralize(archiveCheck.segments, 'segment')}, ${formatBytes(archiveCheck.bytes)}`
        io.stdout.write(`${size}\n`)
        if (archiveCheck.elsewhere > 0) {
          const others = pluralize(archiveCheck.elsewhere, 'record')
          io.stdout.write(`${others} in other folders; of each segment there, one was read back.\n`)
        }
        if (archiveCheck.unusedSegments > 0) {
          const unused = `${pluralize(archiveCheck.unusedSegments, 'segment')} of ${formatBytes(archiveCheck.unusedBytes)}`
          io.stdout.write(`No page points at ${unused}; docs/guides/archive.md says what to do about that.\n`)
        }
        for (const problem of archiveCheck.problems) io.stdout.write(`Broken: ${sanitizeText(problem)}\n`)
        if (archiveCheck.problems.length === 0)
          io.stdout.write('Every record reads back, and every page has its bytes.\n')
      }
      return archiveCheck.problems.length === 0 ? 0 : ERRORS.ARCHIVE_BROKEN.exit
    })
  },
}

function toJson({ unusedSegments, unusedBytes, ...found }: ArchiveCheck): object {
  const unused = { unused_segments: unusedSegments, unused_bytes: unusedBytes }
  return { ...found, ...unused, sound: found.problems.length === 0 }
}

/** Positions first, so that a record written meanwhile is not missed; then every record, then what was not met. */
async function verifyArchive(readSession: ReadSession, isCluster: boolean): Promise<ArchiveCheck> {
  const wanted = new Map<string, number>()
  const pointedAt = new Set<string>()
  const apart = new Set<number>()
  for await (const { position, payloadDigest, pageId } of readSession.pages.references()) {
    if (position === null) apart.add(pageId)
    else {
      wanted.set(recordKey({ ...position, payloadDigest }), pageId)
      pointedAt.add(position.segment)
    }
  }
  const archiveCheck: ArchiveCheck = { records: 0, segments: 0, bytes: 0, elsewhere: 0, ...NONE_UNUSED, problems: [] }
  const segments = new Set<string>()
  const unused = new Set<string>()
  for await (const record of readSession.checkArchive()) {
    segments.add(record.segment)
    if (!record.isOpen && !pointedAt.has(record.segment)) {
      unused.add(record.segment)
      archiveCheck.unusedBytes += record.length
    }
    archiveCheck.records += 1
    archiveCheck.bytes += record.length
    const isTornTail = record.isOpen && record.problem === 'torn or broken'
    if (record.problem === null) wanted.delete(recordKey(record))
    else if (!isTornTail)
      archiveCheck.problems.push(`${record.segment} at ${groupDigits(record.offset)}: ${record.problem}`)
  }
  archiveCheck.segments = segments.size
  archiveCheck.unusedSegments = unused.size
  const elsewhere = new Map<string, { pageId: number; records: number }>()
  for (const [key, pageId] of wanted) {
    const segment = key.slice(0, key.indexOf(' '))
    if (!isCluster || segments.has(segment)) apart.add(pageId)
    else elsewhere.set(segment, { pageId, records: (elsewhere.get(segment)?.records ?? 0) + 1 })
  }
  for (const pageId of apart) await checkPage(pageId, readSession, archiveCheck)
  for (const { pageId, records } of elsewhere.values()) {
    if (await checkPage(pageId, readSession, archiveCheck)) archiveCheck.elsewhere += records
  }
  return archiveCheck
}

/** A broken record hides those behind it in its segment from a reader that goes from one to the next. */
async function checkPage(pageId: number, readSession: ReadSession, archiveCheck: ArchiveCheck): Promise<boolean> {
  const version = await readSession.pages.find(pageId)
  if (version === null || !version.isArchived) return true
  try {
    await retryIfMoved(version, readSession.pages, (current) => checkVersion(current, readSession))
    return true
  } catch (error) {
    const { code, message } = asAppError(error)
    // Its time was over while it was looked for.
    if (code === 'PAGE_NOT_FOUND') return true
    const { url } = version
    const isLost = !(await hasContent(version, readSession))
    const what = isLost ? `the page ${url} cannot be read back` : `the headers of ${url} are lost, its content is not`
    archiveCheck.problems.push(`${what}: ${message}`)
    return false
  }
}

/** Its content has come again since, or lies with another page. */
async function hasContent(
  { record, payload, payloadDigest }: PageVersion,
  { archive: kept }: ReadSession,
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

async function checkVersion(
  { record, payload, payloadDigest }: PageVersion,
  { archive: kept }: ReadSession,
): Promise<void> {
  for (const position of [record, payload]) {
    if (position === null) throw new AppError('ARCHIVE_BROKEN', 'The store no longer knows where it lies.')
    const answer = await kept.read(position)
    const isOther = answer.sameAs === null && hash('sha256', answer.payload, 'hex') !== payloadDigest
    if (isOther) throw new AppError('ARCHIVE_BROKEN', `${position.segment} at ${position.offset} has another payload.`)
  }
}

function recordKey({ segment, offset, length, payloadDigest }: Position & { payloadDigest: string | null }): string {
  return `${segment} at ${offset}, ${length} bytes of ${payloadDigest?.slice(0, KEY_DIGITS)}`
}
