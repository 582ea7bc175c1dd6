// Reads records of a cluster: from this folder, or from an archive node that has them in its own.
//
// No table says which node has a segment: a restarted worker has another name and the same folder, and folders are
// copied and mounted elsewhere. So the writer of the segment is asked first, then the other running nodes in turn. The
// successful node is cached by writer, since all segments of a writer are in one folder.

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
  /** Null if the node cannot be reached from here. */
  address: string | null
}

export interface ClusterReaderDependencies {
  local: ArchiveReader
  /** All known workers, running or not, and the running API processes. */
  listNodes(): Promise<ArchiveNodeStatus[]>
  /** Shared secret of the nodes; null if there is none. */
  secret: string | null
  clock: Clock
}

/** How long the list of nodes, and a missing segment, is cached. */
const REMEMBER_MS = 5_000
const MAX_REMEMBERED = 10_000

export function openClusterReader(dependencies: ClusterReaderDependencies): ArchiveReader {
  const { local } = dependencies
  const remoteRecords = new RemoteRecords(dependencies)
  const remote = createArchiveReader({
    readRaw: (position) => remoteRecords.readRaw(position),
    close: async () => undefined,
  })
  return {
    ...local,
    read: (position) => orRemote((from) => from.read(position)),
    readForExport: (position) => orRemote((from) => from.readForExport(position)),
    readRaw: (position) => orRemote((from) => from.readRaw(position)),
  }

  async function orRemote<T>(readFrom: (from: ArchiveReader) => Promise<T>): Promise<T> {
    try {
      return await readFrom(local)
    } catch (error) {
      if (!isMissingSegment(error)) throw error
      return readFrom(remote)
    }
  }
}

class RemoteRecords {
  readonly #dependencies: ClusterReaderDependencies
  /** Address by writer. */
  readonly #addressByWriter = new Map<string, string>()
  readonly #missing = new Map<string, { why: string; until: number }>()
  #cachedNodes: { nodes: ArchiveNodeStatus[]; until: number } = { nodes: [], until: 0 }

  constructor(dependencies: ClusterReaderDependencies) {
    this.#dependencies = dependencies
  }

  async readRaw(position: Position): Promise<Buffer> {
    const { segment } = position
    const writer = writerOf(segment)?.replace(/^copy/, '') ?? ''
    const missing = this.#missing.get(segment)
    if (missing !== undefined && missing.until > this.#dependencies.clock.now()) throw unreachableError(missing.why)
    const nodes = await this.#nodes()
    const knownAddress = this.#addressByWriter.get(writer)
    const isFirst = ({ id, address }: ArchiveNodeStatus) =>
      id === writer || (address !== null && address === knownAddress)
    const sorted = nodes.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)))
    let fromWriter: RecordFetchResult | null = null
    for (const { id, address, isRunning } of sorted) {
      if (!isRunning || address === null) continue
      const recordFetchResult = await fetchRecord({ address, secret: this.#dependencies.secret }, position)
      if (recordFetchResult.kind === 'bytes') {
        this.#addressByWriter.set(writer, address)
        return recordFetchResult.bytes
      }
      if (id === writer) fromWriter = recordFetchResult
    }
    const why = explainUnreachable(segment, writer, {
      row: nodes.find(({ id }) => id === writer),
      answer: fromWriter,
    })
    if (this.#missing.size >= MAX_REMEMBERED) this.#missing.clear()
    this.#missing.set(segment, { why, until: this.#dependencies.clock.now() + REMEMBER_MS })
    throw unreachableError(why)
  }

  async #nodes(): Promise<ArchiveNodeStatus[]> {
    const now = this.#dependencies.clock.now()
    if (this.#cachedNodes.until <= now) {
      this.#cachedNodes = { nodes: await this.#dependencies.listNodes(), until: now + REMEMBER_MS }
    }
    return this.#cachedNodes.nodes
  }
}

const WHAT_TO_DO = 'Start a worker with its --data folder, or point --data at that folder.'

function explainUnreachable(
  segment: string,
  writer: string,
  { row, answer }: { row: ArchiveNodeStatus | undefined; answer: RecordFetchResult | null },
): string {
  if (row === undefined) {
    return `${segment} was written by the unknown worker ${writer}, and no other worker has it. ${WHAT_TO_DO}`
  }
  const location = `${segment} is on worker ${row.id} (${row.name})`
  if (!row.isRunning) return `${location}, which is not running. ${WHAT_TO_DO}`
  if (row.address === null) return `${location}, which cannot be reached from here. Give it a reachable --address.`
  if (answer?.kind === 'failed') return `${location}, but asking it at ${row.address} failed: ${answer.why}`
  return `${location}, which no longer has it. ${WHAT_TO_DO}`
}

function unreachableError(why: string): AppError {
  return new AppError('ARCHIVE_AWAY', why)
}
