// Checks that every record of the archive can be read, and that every page has its content.

import { hash } from 'node:crypto'
import { retryIfMoved } from '../engine/pages/retry-if-moved.ts'
import { AppError, asAppError } from '../lib/errors.ts'
import type { Position } from '../ports/archive.ts'
import type { PageVersion } from '../ports/pages.ts'
import { groupDigits } from './format/units.ts'
import type { ReadSession } from './io.ts'

/** Digits of the digest in a record key. Enough to distinguish records; one key per page is in memory. */
const KEY_DIGITS = 16

export interface ArchiveCheck {
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

/** Reads the references before the records, so that a record written meanwhile is not reported as missing. */
export async function verifyArchive(readSession: ReadSession, isCluster: boolean): Promise<ArchiveCheck> {
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

/** Whether the same payload is stored elsewhere: it was fetched again since, or is shared with another page. */
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
