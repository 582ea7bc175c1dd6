// Reads records of a cluster: from this folder, or from a worker that has them in its own.
//
// Which worker that is stands nowhere: one that restarts has another name and the same folder, and folders are copied
// and mounted elsewhere. So the writer of the segment is asked first, then the others that are at work, one after the
// other; who had it is remembered by writer, for all segments of a writer lie in one folder.

import type { Clock } from '../lib/clock.ts'
import { AppError } from '../lib/errors.ts'
import type { ArchiveReader, Position } from '../ports/archive.ts'
import { createArchiveReader } from './archive-reader.ts'
import { fetchRecord, type RecordFetchResult } from './fetch-record.ts'
import { isMissingSegment, writerOf } from './segment-files.ts'

export interface ArchiveNodeStatus {
  id: string
  /** Machine and process, for people. */
  name: string
  isRunning: boolean
  /** Null when it cannot be reached from here. */
  address: string | null
}

export interface ClusterReaderDependencies {
  local: ArchiveReader
  /** All workers that are known, at work or not. */
  listNodes(): Promise<ArchiveNodeStatus[]>
  /** That neighbours want to be asked with; null: none. */
  secret: string | null
  clock: Clock
}

/** Who is at work, and what nobody has, is not asked anew for so long. */
const REMEMBER_MS = 5_000
const MAX_REMEMBERED = 10_000

export function openClusterReader(parts: ClusterReaderDependencies): ArchiveReader {
  const remoteRecords = new RemoteRecords(parts)
  const raw = async (position: Position) => {
    try {
      return await parts.local.readRaw(position)
    } catch (error) {
      if (!isMissingSegment(error)) throw error
      return remoteRecords.raw(position)
    }
  }
  return createArchiveReader({ readRaw: raw, close: () => parts.local.close() })
}

class RemoteRecords {
  readonly #dependencies: ClusterReaderDependencies
  /** Addresses by writer. */
  readonly #addressByWriter = new Map<string, string>()
  readonly #missing = new Map<string, { why: string; until: number }>()
  #cachedNodes: { neighbours: ArchiveNodeStatus[]; until: number } = { neighbours: [], until: 0 }

  constructor(parts: ClusterReaderDependencies) {
    this.#dependencies = parts
  }

  async raw(position: Position): Promise<Buffer> {
    const { segment } = position
    const writer = writerOf(segment)?.replace(/^copy/, '') ?? ''
    const missing = this.#missing.get(segment)
    if (missing !== undefined && missing.until > this.#dependencies.clock.now()) throw unreachableError(missing.why)
    const neighbours = await this.#nodes()
    const keeper = this.#addressByWriter.get(writer)
    const isFirst = ({ id, address }: ArchiveNodeStatus) => id === writer || (address !== null && address === keeper)
    const inOrder = neighbours.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)))
    let fromWriter: RecordFetchResult | null = null
    for (const { id, address, isRunning } of inOrder) {
      if (!isRunning || address === null) continue
      const recordFetchResult = await fetchRecord({ address, secret: this.#dependencies.secret }, position)
      if (recordFetchResult.kind === 'bytes') {
        this.#addressByWriter.set(writer, address)
        return recordFetchResult.bytes
      }
      if (id === writer) fromWriter = recordFetchResult
    }
    const why = explainUnreachable(segment, writer, {
      row: neighbours.find(({ id }) => id === writer),
      answer: fromWriter,
    })
    if (this.#missing.size >= MAX_REMEMBERED) this.#missing.clear()
    this.#missing.set(segment, { why, until: this.#dependencies.clock.now() + REMEMBER_MS })
    throw unreachableError(why)
  }

  async #nodes(): Promise<ArchiveNodeStatus[]> {
    const now = this.#dependencies.clock.now()
    if (this.#cachedNodes.until <= now) {
      this.#cachedNodes = { neighbours: await this.#dependencies.listNodes(), until: now + REMEMBER_MS }
    }
    return this.#cachedNodes.neighbours
  }
}

const WHAT_TO_DO = 'Start a worker with its --data folder, or name that folder with --data.'

function explainUnreachable(
  segment: string,
  writer: string,
  { row, answer }: { row: ArchiveNodeStatus | undefined; answer: RecordFetchResult | null },
): string {
  if (row === undefined) {
    return `${segment} is kept by ${writer}, which is no worker that is known, and no other worker has it. ${WHAT_TO_DO}`
  }
  const keeper = `${segment} is kept by worker ${row.id} on ${row.name}`
  if (!row.isRunning) return `${keeper}, which is not running. ${WHAT_TO_DO}`
  if (row.address === null) return `${keeper}, which cannot be reached from here. Give it an --address that can.`
  if (answer?.kind === 'failed') return `${keeper}, which cannot be asked at ${row.address}: ${answer.why}`
  return `${keeper}, which does not have it any more. ${WHAT_TO_DO}`
}

function unreachableError(why: string): AppError {
  return new AppError('ARCHIVE_AWAY', why)
}
