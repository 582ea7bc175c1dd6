// Moves a store with all its crawls from a data directory to a database or back. The source is only read; the target
// cannot be opened by any other process until the move is complete and verified.

import { join } from 'node:path'
import { openSegmentObjects } from '../archive/objects/segment-objects.ts'
import { archiveError } from '../archive/segment-files.ts'
import type { MoveEvent, MoveRequest, MoveSummary } from '../cli/io.ts'
import { parseStoreUrl } from '../config/values/store-url.ts'
import { AppError } from '../lib/errors.ts'
import { TRANSFER_TABLE_NAMES, type TransferSource, type TransferTarget } from '../ports/transfer.ts'
import { type CopiedSegments, copySegments, findMissingSegments, realPath } from './copy-segments.ts'

const MAX_LISTED = 5

type ReportProgress = (event: MoveEvent) => void

export async function moveStore(
  request: MoveRequest,
  reportProgress: ReportProgress,
  signal: AbortSignal,
): Promise<MoveSummary> {
  const { from, to } = request
  if (storeKey(from) === storeKey(to)) throw new AppError('USAGE', 'The source and the target name the same store.')
  const source = await openSource(from)
  try {
    const names = await neededSegments(source, request, reportProgress)
    const target = await openTarget(to)
    try {
      const segments = await copyArchive(request, names)
      const rows = await copyRows(source, target, { reportProgress, signal })
      reportProgress({ kind: 'recount' })
      const [finding] = await target.finish(null)
      if (finding !== undefined) {
        throw new AppError(
          'LEDGER_BROKEN',
          `Crawl ${finding.crawlId} is inconsistent after the move. Failed check: ${finding.rule} (${finding.detail}). ${source.place} is unchanged; run verify there.`,
        )
      }
      return { from: source.place, to: target.place, rows, segments }
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

/** Throws if segments are missing, unless the move is forced. */
async function neededSegments(
  source: TransferSource,
  { from, data, archiveStore, isForced }: MoveRequest,
  reportProgress: ReportProgress,
): Promise<string[]> {
  const folder = archiveFolderOf(from, data)
  const names = await source.segments()
  const missing = await withoutUploaded(await findMissingSegments(folder, names), archiveStore)
  const pages = missing.length === 0 ? 0 : await source.countPagesIn(missing)
  if (pages === 0) return names
  const listed = missing.slice(0, MAX_LISTED).join(', ')
  const rest = missing.length > MAX_LISTED ? ` and ${missing.length - MAX_LISTED} more` : ''
  const problem = `These segments are missing in ${folder}: ${listed}${rest}. Without them, ${pages} pages cannot be read.`
  if (!isForced) throw new AppError('SEGMENTS_ELSEWHERE', problem)
  reportProgress({ kind: 'warning', text: problem })
  return names
}

/** Segments that are not in object storage, which both stores use. */
async function withoutUploaded(segments: string[], archiveStore: readonly string[]): Promise<string[]> {
  if (archiveStore.length === 0 || segments.length === 0) return segments
  const objects = openSegmentObjects(archiveStore, process.env)
  const uploaded = new Set<string>()
  for await (const { segment } of objects.list()) uploaded.add(segment)
  objects.close()
  return segments.filter((segment) => !uploaded.has(segment))
}

async function copyArchive({ from, to, data }: MoveRequest, segments: string[]): Promise<CopiedSegments> {
  const folder = archiveFolderOf(to, data)
  try {
    return await copySegments(archiveFolderOf(from, data), folder, segments)
  } catch (error) {
    throw archiveError(error, folder)
  }
}

export async function copyRows(
  source: TransferSource,
  target: TransferTarget,
  { reportProgress, signal }: { reportProgress: ReportProgress; signal: AbortSignal },
): Promise<Record<string, number>> {
  const rows: Record<string, number> = {}
  for (const table of TRANSFER_TABLE_NAMES) {
    let count = 0
    for await (const batch of source.read(table)) {
      signal.throwIfAborted()
      await target.write(table, batch)
      count += batch.length
      reportProgress({ kind: 'rows', table, rows: count, isDone: false })
    }
    rows[table] = count
    reportProgress({ kind: 'rows', table, rows: count, isDone: true })
  }
  return rows
}

function isDatabase(place: string): boolean {
  return /^postgres(ql)?:/.test(place)
}

/** A data directory contains its archive; the archive of a database is in the --data directory. */
function archiveFolderOf(place: string, data: string): string {
  return join(isDatabase(place) ? data : place, 'archive')
}

/** Equal for two spellings of one location. (For a server with several names, the lock finds out.) */
function storeKey(place: string): string {
  if (!isDatabase(place)) return realPath(place)
  const url = parseStoreUrl(place)
  return `database ${'expected' in url ? place : url.location}`
}

export async function openSource(place: string): Promise<TransferSource> {
  const { openSource: open } = isDatabase(place)
    ? await import('../store/transfer/postgres-source.ts')
    : await import('../store/transfer/sqlite-source.ts')
  return open(place)
}

export async function openTarget(place: string): Promise<TransferTarget> {
  const { openTarget: open } = isDatabase(place)
    ? await import('../store/transfer/postgres-target.ts')
    : await import('../store/transfer/sqlite-target.ts')
  return open(place)
}
