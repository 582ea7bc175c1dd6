// Retention: deletes page versions that have expired, and archived bytes that nothing refers to any more. Every call is
// short and leaves a consistent state, so the work can stop anywhere and continues from the store's state.
//
// A segment is deleted in these steps: nothing refers to it, the store retires it, its file is discarded (renamed), the
// store deletes its name, the file is removed. A record that moves is durable in its new place before the store refers
// to it.
//
// Several processes may do this at once on one store, each for the segments of its own folder, or one of them for those
// in object storage.

import type { Position } from './archive.ts'

/** A record that something refers to. */
export interface LiveRecord {
  position: Position
  /** The version of this record; null if it is gone and other versions need the payload. */
  pageId: number | null
  /** The payload of that version, as the store identifies it. The record may contain it. */
  content: string | null
}

export interface RecordMove {
  record: LiveRecord
  to: Position
}

export interface CompactableSegment {
  segment: string
  /** Bytes of records that nothing refers to any more. */
  deadBytes: number
  /** No record of the segment is referenced. */
  isEmpty: boolean
}

/** The part of the store. */
export interface Retention {
  /** Whether this is the only process that uses the store, so that no other reports are in flight. */
  isOnlyProcess(): Promise<boolean>
  /**
   * Records that retention runs now. Returns false and records nothing if the last run is longer ago than `maxGapMs`:
   * the clock may have jumped. Null: any gap is accepted.
   */
  recordRun(now: number, maxGapMs: number | null): Promise<boolean>
  /** Deletes expired versions and returns how many. Changes that have expired go too. */
  expire(now: number, limit: number): Promise<number>
  /**
   * Deletes payloads that no version has used since then and returns how many. Contents.find does not return unused
   * payloads, but a worker may have found one before: they stay until every report that relies on them has arrived.
   */
  sweep(unusedSince: number, limit: number): Promise<number>
  /** The segments with records that nothing refers to, or without records. */
  listCompactable(among: string[]): Promise<CompactableSegment[]>
  /** Records of a segment that something refers to. */
  liveRecords(segment: string, limit: number): Promise<LiveRecord[]>
  /** Registers a segment before records move to it, so that it is not lost if the move fails. */
  registerSegment(segment: string): Promise<void>
  /**
   * Updates the references and returns how many records moved. Records that are gone or have moved in the meantime are
   * skipped.
   */
  moveRecords(moves: RecordMove[]): Promise<number>
  /** False if something refers to it. After true its file may be deleted, even if the power fails. */
  retireSegment(segment: string): Promise<boolean>
  /** The segments among these whose files are to be deleted. */
  listRetired(among: string[]): Promise<string[]>
  /** Deletes the name of a retired segment, which can no longer be read. */
  deleteRetired(segment: string): Promise<void>
}

export interface SealedSegment {
  segment: string
  bytes: number
}

export type CopyPreparation = { kind: 'ready'; segment: string } | { kind: 'damaged' }

/** The part of the archive, in a process that writes it: the segments of one folder, or of a bucket. */
export interface ArchiveSegments {
  /**
   * False if another process holds the lock on this folder. The lock is held until `unlock` or the end of the process.
   */
  tryLock(): Promise<boolean>
  unlock(): Promise<void>
  /** Segments that no outstanding report can refer to: reports arrive within `graceMs`. */
  listSealed(graceMs: number): Promise<SealedSegment[]>
  /** Whether the records of a segment are intact, and which segment their copies would go to now. */
  prepareCopy(records: Position[]): Promise<CopyPreparation>
  /** Copies records unchanged, and resolves when they are on disk. Returns none if they are not intact. */
  copy(records: Position[]): Promise<Position[]>
  /** Renames the file, so that it is no longer found. Does not delete it yet. */
  discard(segment: string): Promise<void>
  /** Segments that were discarded and not removed. */
  listDiscarded(): Promise<string[]>
  /** Deletes a discarded file and returns its size; 0 if it is gone already. */
  remove(segment: string): Promise<number>
}
