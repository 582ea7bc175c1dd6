import { hash } from 'node:crypto'
import { jsonLine } from '../../engine/export/jsonl.ts'
import { retryIfMoved } from '../../engine/pages/retry-if-moved.ts'
import { AppError, asAppError, ERRORS } from '../../lib/errors.ts'
import type { Position } from '../../ports/archive.ts'
import type { PageVersion } from '../../ports/pages.ts'
import { drainArchive } from '../drain-archive.ts'
import { expireArchive } from '../expire-archive.ts'
import { formatBytes, groupDigits, pluralize, sanitizeText } from '../format/units.ts'
import type { Command, ReadSession } from '../io.ts'
import { uploadArchive } from '../upload-archive.ts'
import { withReadSession } from '../with-read-session.ts'

/** Digits of the digest in a record key. Enough to distinguish records; one key per page is in memory. */
const KEY_DIGITS = 16

interface ArchiveCheck {
  records: number
  segments: number
  bytes: number
  /** Referenced records in the archive folders of other workers. */
  elsewhere: number
  /** Closed segments without a reference: not yet deleted by retention, or unknown to the store. */
  unusedSegments: number
  unusedBytes: number
  problems: string[]
}

const NONE_UNUSED = { unusedSegments: 0, unusedBytes: 0 }

export const archive: Command = {
  usage: 'verify|expire|upload|drain',
  help: 'Verify every record of the archive, delete expired pages from it, upload what is left to --archive-store, or empty buckets with mode=read.',
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

/** Reads the references before the records, so that a record written meanwhile is not reported as missing. */
async function verifyArchive(readSession: ReadSession, isCluster: boolean): Promise<ArchiveCheck> {
  const unread = new Map<string, number>()
  const referencedSegments = new Set<string>()
  const unresolved = new Set<number>()
  for await (const { position, payloadDigest, pageId } of readSession.pages.references()) {
    if (position === null) unresolved.add(pageId)
    else {
      unread.set(recordKey({ ...position, payloadDigest }), pageId)
      referencedSegments.add(position.segment)
    }
  }
  const archiveCheck: ArchiveCheck = { records: 0, segments: 0, bytes: 0, elsewhere: 0, ...NONE_UNUSED, problems: [] }
  const segments = new Set<string>()
  const unused = new Set<string>()
  for await (const record of readSession.checkArchive()) {
    segments.add(record.segment)
    if (!record.isOpen && !referencedSegments.has(record.segment)) {
      unused.add(record.segment)
      archiveCheck.unusedBytes += record.length
    }
    archiveCheck.records += 1
    archiveCheck.bytes += record.length
    const isTornTail = record.isOpen && record.problem === 'torn or broken'
    if (record.problem === null) unread.delete(recordKey(record))
    else if (!isTornTail)
      archiveCheck.problems.push(`${record.segment} at ${groupDigits(record.offset)}: ${record.problem}`)
  }
  archiveCheck.segments = segments.size
  archiveCheck.unusedSegments = unused.size
  const elsewhere = new Map<string, { pageId: number; records: number }>()
  for (const [key, pageId] of unread) {
    const segment = key.slice(0, key.indexOf(' '))
    if (!isCluster || segments.has(segment)) unresolved.add(pageId)
    else elsewhere.set(segment, { pageId, records: (elsewhere.get(segment)?.records ?? 0) + 1 })
  }
  for (const pageId of unresolved) await checkPage(pageId, readSession, archiveCheck)
  for (const { pageId, records } of elsewhere.values()) {
    if (await checkPage(pageId, readSession, archiveCheck)) archiveCheck.elsewhere += records
  }
  return archiveCheck
}

/** Reads one page directly: a sequential scan cannot see the records behind a broken one. */
async function checkPage(pageId: number, readSession: ReadSession, archiveCheck: ArchiveCheck): Promise<boolean> {
  const version = await readSession.pages.find(pageId)
  if (version === null || !version.isArchived) return true
  try {
    await retryIfMoved(version, readSession.pages, (current) => checkVersion(current, readSession))
    return true
  } catch (error) {
    const { code, message } = asAppError(error)
    // The page expired meanwhile.
    if (code === 'PAGE_NOT_FOUND') return true
    const { url } = version
    const isLost = !(await hasContent(version, readSession))
    const what = isLost ? `the page ${url} cannot be read back` : `the headers of ${url} are lost, its content is not`
    archiveCheck.problems.push(`${what}: ${message}`)
    return false
  }
}

/** Whether the same payload is stored elsewhere: fetched again since, or shared with another page. */
async function hasContent(
  { record, payload, payloadDigest }: PageVersion,
  { archive: archiveReader }: ReadSession,
): Promise<boolean> {
  const isOwn = payload?.segment === record?.segment && payload?.offset === record?.offset
  if (payload === null || isOwn) return false
  try {
    return hash('sha256', (await archiveReader.read(payload)).payload, 'hex') === payloadDigest
  } catch {
    // The caller already reports the cause.
    return false
  }
}

async function checkVersion(
  { record, payload, payloadDigest }: PageVersion,
  { archive: archiveReader }: ReadSession,
): Promise<void> {
  for (const position of [record, payload]) {
    if (position === null) throw new AppError('ARCHIVE_BROKEN', 'The store has lost its position in the archive.')
    const response = await archiveReader.read(position)
    const isMismatch = response.sameAs === null && hash('sha256', response.payload, 'hex') !== payloadDigest
    if (isMismatch)
      throw new AppError('ARCHIVE_BROKEN', `${position.segment} at ${position.offset} holds a different payload.`)
  }
}

function recordKey({ segment, offset, length, payloadDigest }: Position & { payloadDigest: string | null }): string {
  return `${segment} at ${offset}, ${length} bytes of ${payloadDigest?.slice(0, KEY_DIGITS)}`
}
