// Retention: versions of pages go when their time is over, and bytes that nobody needs any more go with them. Each
// call is short and leaves everything in order, so the work can stop anywhere; it starts anew from what the store says.
//
// A segment goes in this order: nothing points at it, the store forgets it, its file is set aside, the store lets its
// name go, the file is deleted. A record that moves is safe in its new place before the store points there.
//
// Several processes may do this at once on one store, each for the segments in its own folder.

import type { Position } from './archive.ts'

/** A record that is needed. */
export interface LiveRecord {
  position: Position
  /** The version whose record it is; null when that is gone and others need the payload. */
  pageId: number | null
  /** The payload of that version, which the record may hold, as the store names it. */
  content: string | null
}

export interface RecordMove {
  record: LiveRecord
  to: Position
}

export interface CompactableSegment {
  segment: string
  /** Bytes of records that were needed once. */
  deadBytes: number
  /** None of its records is needed. */
  isEmpty: boolean
}

/** The store's side. */
export interface Retention {
  /** Whether no other process works on the store, so that none has a report under way. */
  isAlone(): Promise<boolean>
  /**
   * Remembers that retention runs now. False, and nothing is remembered, when the last time lies further back than
   * `maxGapMs`: the clock may have leapt. Null: however far.
   */
  recordRun(now: number, maxGapMs: number | null): Promise<boolean>
  /** Drops versions whose time is over, at most so many; answers how many. */
  expire(now: number, limit: number): Promise<number>
  /**
   * Drops payloads that no version has had since then, at most so many; answers how many. Contents.find no longer tells
   * of them, but somebody may have asked before: they stay until every report that counts on them has come.
   */
  sweep(unusedSince: number, limit: number): Promise<number>
  /** Those of the segments that have records which are no longer needed, or hold nothing. */
  listCompactable(among: string[]): Promise<CompactableSegment[]>
  /** Records of a segment that are needed, at most so many. */
  liveRecords(segment: string, limit: number): Promise<LiveRecord[]>
  /** Makes a segment known that records will move to, so that it is not lost sight of should nothing come of it. */
  registerSegment(segment: string): Promise<void>
  /** Points at the new places. A record that is gone or elsewhere by now is left as it is; answers how many moved. */
  moveRecords(moves: RecordMove[]): Promise<number>
  /** False when something in it is needed. After true its file may be deleted: not even a power cut brings it back. */
  retireSegment(segment: string): Promise<boolean>
  /** Those of the segments whose files are to be deleted. */
  listRetired(among: string[]): Promise<string[]>
  /** Nobody can read a forgotten segment any more. */
  deleteRetired(segment: string): Promise<void>
}

export interface SealedSegment {
  segment: string
  bytes: number
}

export type CopyPreparation = { kind: 'ready'; segment: string } | { kind: 'damaged' }

/** The archive's side, in a process that writes it: the segments of one folder. */
export interface ArchiveSegments {
  /** False when another process is at it in this folder; if not, none will be until `endTurn` or the end of this one. */
  tryLock(): Promise<boolean>
  unlock(): Promise<void>
  /** Segments that no report can point at any more which the store has not had. */
  listSealed(): Promise<SealedSegment[]>
  /** Whether records of one segment are whole, and which segment their copies go to if they are made next. */
  prepareCopy(records: Position[]): Promise<CopyPreparation>
  /** Copies them as they are; they are on disk when it resolves. None when they are not whole. */
  copy(records: Position[]): Promise<Position[]>
  /** Sets the file aside: nobody finds it any more, but it is still there. */
  discard(segment: string): Promise<void>
  /** Segments that were set aside and not removed. */
  listDiscarded(): Promise<string[]>
  /** Deletes a file that was set aside; answers how many bytes it had, none when it is gone already. */
  remove(segment: string): Promise<number>
}
