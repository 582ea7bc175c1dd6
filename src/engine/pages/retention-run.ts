// The steps of retention: drop expired versions, then unreferenced payloads, delete empty segments, and compact mostly
// dead ones. Steps are short, and the next one depends only on the store and the archive, so that the run can be
// interrupted after any of them, or in the middle of one.

import type { ArchiveSegments, LiveRecord, Retention } from '../../ports/retention.ts'

export interface RetentionRunDependencies {
  store: Retention
  archive: ArchiveSegments
  /** False while another process is to take care of the segments. */
  mayCompact: () => Promise<boolean>
}

export type RetentionStep =
  | { kind: 'versions_dropped'; versions: number }
  | { kind: 'payloads_dropped'; payloads: number }
  | { kind: 'moved'; segment: string; records: number; bytes: number }
  | { kind: 'deleted'; segment: string; bytes: number }
  /** Cannot be compacted: it stays until nothing in it is needed. */
  | { kind: 'damaged'; segment: string }
  /** The last run was so long ago that the clock may be wrong: nothing is dropped. */
  | { kind: 'clock_doubtful' }
  /** Another process takes care of the segments: it has locked this folder, or was chosen for the bucket. */
  | { kind: 'locked_elsewhere' }

/** Rows per transaction: about 10 ms. */
const MAX_ROWS = 200
/** Limit per step. With object storage, the copies of a step are one object, so it should not be small. */
const MAX_COPIED_ROWS = 2000
const MAX_COPIED_BYTES = 16 * 1024 * 1024
/** A segment with a smaller share of live records is compacted. */
const MIN_LIVE_SHARE = 0.3
/** Retention runs hourly during crawls; after a longer pause it can be run by hand. */
const MAX_GAP_MS = 400 * 86_400_000

export interface RetentionStepSettings {
  /**
   * An unreferenced payload, or a closed segment, is kept this long for reports that rely on it; 0 only if no other
   * process is running.
   */
  graceMs: number
  /** Whether a person requested the run, so that the clock can be trusted. */
  isManual: boolean
}

export class RetentionRun {
  readonly #dependencies: RetentionRunDependencies
  readonly #damaged = new Set<string>()

  constructor(dependencies: RetentionRunDependencies) {
    this.#dependencies = dependencies
  }

  /** Null if there is nothing to do for now. */
  async step(now: number, { graceMs, isManual }: RetentionStepSettings): Promise<RetentionStep | null> {
    const { store, archive } = this.#dependencies
    if (!(await store.recordRun(now, isManual ? null : MAX_GAP_MS))) return { kind: 'clock_doubtful' }
    const versions = await store.expire(now, MAX_ROWS)
    if (versions > 0) return { kind: 'versions_dropped', versions }
    const payloads = await store.sweep(now - graceMs, MAX_ROWS)
    if (payloads > 0) return { kind: 'payloads_dropped', payloads }
    if (!(await this.#dependencies.mayCompact()) || !(await archive.tryLock())) return { kind: 'locked_elsewhere' }
    let step: RetentionStep | null = null
    try {
      step = await this.#compactSegments(graceMs)
      return step
    } finally {
      // Other processes may continue after this one is done or has failed.
      if (step === null) await archive.unlock()
    }
  }

  async #compactSegments(graceMs: number): Promise<RetentionStep | null> {
    const { store, archive } = this.#dependencies
    const [discarded] = await archive.listDiscarded()
    if (discarded !== undefined) return this.#finish(discarded)
    const sealed = new Map((await archive.listSealed(graceMs)).map(({ segment, bytes }) => [segment, bytes]))
    const names = [...sealed.keys()]
    const [retired] = await store.listRetired(names)
    if (retired !== undefined) return this.#delete(retired)
    const compactable = await store.listCompactable(names)
    for (const { segment } of compactable.filter(({ isEmpty }) => isEmpty)) {
      if (await store.retireSegment(segment)) return this.#delete(segment)
    }
    for (const { segment, deadBytes } of compactable) {
      const bytes = sealed.get(segment) ?? 0
      if (bytes - deadBytes < MIN_LIVE_SHARE * bytes && !this.#damaged.has(segment)) return this.#moveSome(segment)
    }
    return null
  }

  async #moveSome(segment: string): Promise<RetentionStep> {
    const { store, archive } = this.#dependencies
    const records = limitCopiedBytes(await store.liveRecords(segment, MAX_COPIED_ROWS))
    // Another process may just have dropped the last ones.
    if (records.length === 0) return { kind: 'moved', segment, records: 0, bytes: 0 }
    const positions = records.map(({ position }) => position)
    const copyPreparation = await archive.prepareCopy(positions)
    if (copyPreparation.kind === 'damaged') {
      this.#damaged.add(segment)
      return { kind: 'damaged', segment }
    }
    await store.registerSegment(copyPreparation.segment)
    const copies = await archive.copy(positions)
    const moves = records.flatMap((record, i) => {
      const to = copies[i]
      return to === undefined ? [] : [{ record, to }]
    })
    let moved = 0
    for (let i = 0; i < moves.length; i += MAX_ROWS) moved += await store.moveRecords(moves.slice(i, i + MAX_ROWS))
    return { kind: 'moved', segment, records: moved, bytes: moves.reduce((sum, { to }) => sum + to.length, 0) }
  }

  async #delete(segment: string): Promise<RetentionStep> {
    await this.#dependencies.archive.discard(segment)
    return this.#finish(segment)
  }

  async #finish(segment: string): Promise<RetentionStep> {
    await this.#dependencies.store.deleteRetired(segment)
    return { kind: 'deleted', segment, bytes: await this.#dependencies.archive.remove(segment) }
  }
}

/** The first records by position, no more than fit into memory. */
function limitCopiedBytes(records: LiveRecord[]): LiveRecord[] {
  const sorted = records.toSorted((a, b) => a.position.offset - b.position.offset)
  let bytes = 0
  return sorted.filter(({ position }, i) => {
    bytes += position.length
    return i === 0 || bytes <= MAX_COPIED_BYTES
  })
}
