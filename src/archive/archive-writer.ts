// Writes responses to segments of a folder. Records are packed while earlier ones are being written; everything pending
// when the disk is ready is written at once and shares one sync. When a write fails, all appends in it are rejected,
// and the next one starts after the last good record.

import { dirname } from 'node:path'
import type { Clock } from '../lib/clock.ts'
import { AppError } from '../lib/errors.ts'
import { freeMemory } from '../lib/free-memory.ts'
import { makePrivateFolder } from '../lib/private-files.ts'
import type { ArchiveBatch, ArchiveCodec, ArchiveWriter, Position } from '../ports/archive.ts'
import { ActiveSegment } from './active-segment.ts'
import { archiveError, codecOf, syncFolder } from './segment-files.ts'
import { type PackedRecords, packBatch, positionsFrom } from './warc/pack-batch.ts'
import { RecordPacker } from './warc/record-packer.ts'
import { makeWarcinfoRecord } from './warc/warc-record.ts'
import { claimWriter, type WriterLock } from './writer-locks.ts'

export interface WriterSettings {
  /** A larger batch gets its own larger segment. */
  maxSegmentBytes: number
  /** Checked on every append: an idle writer keeps its segment, unless it is sealed. */
  maxSegmentAgeMs: number
  /** An append resolves only after its records are synced. */
  isDurable: boolean
  /** Codec of new records. */
  codec: ArchiveCodec
  /** Part of every segment name, unique among writers: letters and digits. */
  writer: string
  /** Called with each segment that was closed. */
  onSealed?: (segment: string, bytes: number) => void
}

export interface SegmentWriter extends ArchiveWriter {
  /** The segment of the next append, if it has this many bytes and this codec. */
  segmentFor(length: number, codec: ArchiveCodec): Promise<string>
  /** Appends records of another segment unchanged, which has this codec. */
  appendMembers(members: Buffer[], codec: ArchiveCodec): Promise<Position[]>
  /** Closes the active segment if it is older, after pending appends. */
  seal(olderThanMs: number): Promise<void>
}

/** Other writers may share the folder; the name is reserved until this writer is closed. */
export async function openArchiveWriter(dir: string, settings: WriterSettings, clock: Clock): Promise<SegmentWriter> {
  try {
    const isNew = makePrivateFolder(dir)
    if (isNew && settings.isDurable) await syncFolder(dirname(dir))
    return new FolderWriter(dir, settings, { clock, lock: claimWriter(dir, settings.writer) })
  } catch (error) {
    throw archiveError(error, dir)
  }
}

interface PendingAppend {
  records: PackedRecords
  codec: ArchiveCodec
  settle: { resolve: (positions: Position[]) => void; reject: (error: AppError) => void }
}

interface PendingSeal {
  olderThanMs: number
  settle: { resolve: () => void; reject: (error: AppError) => void }
}

class FolderWriter implements SegmentWriter {
  readonly #dir: string
  readonly #settings: WriterSettings
  readonly #clock: Clock
  readonly #lock: WriterLock
  readonly #packer: RecordPacker
  readonly #queue: PendingAppend[] = []
  #segment: ActiveSegment | null = null
  /** Null if there is nothing to write. */
  #writing: Promise<void> | null = null
  /** Requests to close the segment, which come after everything in the queue. */
  #seals: PendingSeal[] = []
  #sequence = 0
  #isClosed = false

  constructor(dir: string, settings: WriterSettings, { clock, lock }: { clock: Clock; lock: WriterLock }) {
    this.#dir = dir
    this.#settings = settings
    this.#packer = new RecordPacker(settings.codec)
    this.#clock = clock
    this.#lock = lock
  }

  async append(batch: ArchiveBatch): Promise<Position[]> {
    return batch.items.length === 0 ? [] : this.#append(packBatch(batch, this.#packer), this.#settings.codec)
  }

  async segmentFor(length: number, codec: ArchiveCodec): Promise<string> {
    await this.#writing
    try {
      return (await this.#segmentWithRoom(length, codec)).name
    } catch (error) {
      throw archiveError(error, this.#dir)
    }
  }

  async appendMembers(members: Buffer[], codec: ArchiveCodec): Promise<Position[]> {
    const lengths = members.map(({ length }) => length)
    return members.length === 0 ? [] : this.#append({ pieces: members, lengths, length: lengthOf(members) }, codec)
  }

  #append(packedRecords: PackedRecords, codec: ArchiveCodec): Promise<Position[]> {
    if (this.#isClosed) throw new AppError('INTERNAL', 'Cannot append: the archive is closed.')
    const { promise, ...settle } = Promise.withResolvers<Position[]>()
    this.#queue.push({ records: packedRecords, codec, settle })
    this.#writing ??= this.#writeAll()
    return promise
  }

  seal(olderThanMs: number): Promise<void> {
    const { promise, ...settle } = Promise.withResolvers<void>()
    this.#seals.push({ olderThanMs, settle })
    this.#writing ??= this.#writeAll()
    return promise
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#writing
    try {
      await this.#finishSegment()
    } catch (error) {
      this.#lock.release()
      throw archiveError(error, this.#dir)
    }
    this.#lock.remove()
  }

  async #writeAll(): Promise<void> {
    while (this.#queue.length > 0 || this.#seals.length > 0) {
      const first = this.#queue.shift()
      if (first !== undefined) await this.#writeGroup(first)
      else await this.#sealSegment()
    }
    this.#writing = null
  }

  async #sealSegment(): Promise<void> {
    const seals = this.#seals.splice(0)
    const openedAt = this.#segment?.openedAt ?? 0
    try {
      const isOld = seals.some(({ olderThanMs }) => this.#clock.now() - openedAt >= olderThanMs)
      if (isOld) await this.#finishSegment()
      for (const { settle } of seals) settle.resolve()
    } catch (error) {
      const failure = archiveError(error, this.#dir)
      for (const { settle } of seals) settle.reject(failure)
    }
  }

  async #writeGroup(first: PendingAppend): Promise<void> {
    const group = [first]
    try {
      const segment = await this.#segmentWithRoom(first.records.length, first.codec)
      const start = segment.end === 0 ? startOf(segment) : []
      let offset = segment.end + lengthOf(start)
      this.#joinPending(group, this.#settings.maxSegmentBytes - offset - first.records.length)
      const bytes = Buffer.concat([...start, ...group.flatMap(({ records }) => records.pieces)])
      await segment.append(bytes)
      freeMemory(bytes)
      for (const { records, settle } of group) {
        settle.resolve(positionsFrom(segment.name, offset, records.lengths))
        offset += records.length
      }
    } catch (error) {
      const failure = archiveError(error, this.#dir)
      for (const { settle } of group) settle.reject(failure)
    }
  }

  /** Adds pending appends, in order, while they fit into the segment. */
  #joinPending(group: PendingAppend[], room: number): void {
    const isNext = (next: PendingAppend) => next.records.length <= room && next.codec === group[0]?.codec
    for (let next = this.#queue[0]; next !== undefined && isNext(next); next = this.#queue[0]) {
      group.push(next)
      room -= next.records.length
      this.#queue.shift()
    }
  }

  async #segmentWithRoom(length: number, codec: ArchiveCodec): Promise<ActiveSegment> {
    const now = this.#clock.now()
    const { maxSegmentBytes, maxSegmentAgeMs, writer, isDurable } = this.#settings
    const segment = this.#segment
    if (segment !== null) {
      const isFull = segment.end > 0 && segment.end + length > maxSegmentBytes
      const isUsable = segment.isIntact && !isFull && codecOf(segment.name) === codec
      if (isUsable && now - segment.openedAt < maxSegmentAgeMs) return segment
      await this.#finishSegment()
    }
    const nextSequence = () => this.#sequence++
    this.#segment = await ActiveSegment.create({ dir: this.#dir, writer, isDurable, codec, nextSequence }, now)
    return this.#segment
  }

  /** Nothing more is written to the segment, even if this call fails. */
  async #finishSegment(): Promise<void> {
    const segment = this.#segment
    this.#segment = null
    if (segment === null) return
    await segment.finish()
    if (segment.end > 0 && segment.isIntact) this.#settings.onSealed?.(segment.name, segment.end)
  }
}

function startOf({ name, openedAt }: ActiveSegment): Buffer[] {
  return new RecordPacker(codecOf(name)).pack(makeWarcinfoRecord(name, openedAt), false)
}

function lengthOf(pieces: Buffer[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0)
}
