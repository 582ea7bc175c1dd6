// Reads records of a cluster: from this folder, or from a worker that has them in its own.
//
// Which worker that is stands nowhere: one that restarts has another name and the same folder, and folders are copied
// and mounted elsewhere. So the writer of the segment is asked first, then the others that are at work, one after the
// other; who had it is remembered by writer, for all segments of a writer lie in one folder.

import type { Clock } from '../lib/clock.ts'
import { AppError } from '../lib/errors.ts'
import type { ArchiveReader, Position } from '../ports/archive.ts'
import { type Asked, askFor } from './ask.ts'
import { readerOf } from './reader.ts'
import { isMissing, writerOf } from './segments.ts'

export interface Neighbour {
  id: string
  /** Machine and process, for people. */
  name: string
  isAtWork: boolean
  /** Null when it cannot be reached from here. */
  address: string | null
}

export interface ClusterParts {
  local: ArchiveReader
  /** All workers that are known, at work or not. */
  neighbours(): Promise<Neighbour[]>
  /** That neighbours want to be asked with; null: none. */
  secret: string | null
  clock: Clock
}

/** Who is at work, and what nobody has, is not asked anew for so long. */
const REMEMBER_MS = 5_000
const MAX_REMEMBERED = 10_000

export function openClusterReader(parts: ClusterParts): ArchiveReader {
  const cluster = new Cluster(parts)
  const raw = async (position: Position) => {
    try {
      return await parts.local.raw(position)
    } catch (error) {
      if (!isMissing(error)) throw error
      return cluster.raw(position)
    }
  }
  return readerOf({ raw, close: () => parts.local.close() })
}

class Cluster {
  readonly #parts: ClusterParts
  /** Addresses by writer. */
  readonly #keepers = new Map<string, string>()
  readonly #missing = new Map<string, { why: string; until: number }>()
  #known: { neighbours: Neighbour[]; until: number } = { neighbours: [], until: 0 }

  constructor(parts: ClusterParts) {
    this.#parts = parts
  }

  async raw(position: Position): Promise<Buffer> {
    const { segment } = position
    const writer = writerOf(segment)?.replace(/^copy/, '') ?? ''
    const missing = this.#missing.get(segment)
    if (missing !== undefined && missing.until > this.#parts.clock.now()) throw away(missing.why)
    const neighbours = await this.#neighbours()
    const keeper = this.#keepers.get(writer)
    const isFirst = ({ id, address }: Neighbour) => id === writer || (address !== null && address === keeper)
    const inOrder = neighbours.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)))
    let fromWriter: Asked | null = null
    for (const { id, address, isAtWork } of inOrder) {
      if (!isAtWork || address === null) continue
      const asked = await askFor({ address, secret: this.#parts.secret }, position)
      if (asked.kind === 'bytes') {
        this.#keepers.set(writer, address)
        return asked.bytes
      }
      if (id === writer) fromWriter = asked
    }
    const why = reasonFor(segment, writer, { row: neighbours.find(({ id }) => id === writer), answer: fromWriter })
    if (this.#missing.size >= MAX_REMEMBERED) this.#missing.clear()
    this.#missing.set(segment, { why, until: this.#parts.clock.now() + REMEMBER_MS })
    throw away(why)
  }

  async #neighbours(): Promise<Neighbour[]> {
    const now = this.#parts.clock.now()
    if (this.#known.until <= now) {
      this.#known = { neighbours: await this.#parts.neighbours(), until: now + REMEMBER_MS }
    }
    return this.#known.neighbours
  }
}

const WHAT_TO_DO = 'Start a worker with its --data folder, or name that folder with --data.'

function reasonFor(
  segment: string,
  writer: string,
  { row, answer }: { row: Neighbour | undefined; answer: Asked | null },
): string {
  if (row === undefined) {
    return `${segment} is kept by ${writer}, which is no worker that is known, and no other worker has it. ${WHAT_TO_DO}`
  }
  const keeper = `${segment} is kept by worker ${row.id} on ${row.name}`
  if (!row.isAtWork) return `${keeper}, which is not running. ${WHAT_TO_DO}`
  if (row.address === null) return `${keeper}, which cannot be reached from here. Give it an --address that can.`
  if (answer?.kind === 'failed') return `${keeper}, which cannot be asked at ${row.address}: ${answer.why}`
  return `${keeper}, which does not have it any more. ${WHAT_TO_DO}`
}

function away(why: string): AppError {
  return new AppError('ARCHIVE_AWAY', why)
}
