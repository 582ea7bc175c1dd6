// Checks the uploads to object storage. While too much waits in the data directory, all crawls are on hold; they continue
// when half of it is uploaded. If pages are uploaded before their commit, nothing can be committed while uploads fail,
// so crawls are on hold after some seconds of that.

import { type Clock, repeat } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { ArchiveUploads, UploadStatus } from '../../ports/archive.ts'
import { HoldSwitch } from './hold-switch.ts'
import type { Holds } from './holds.ts'

export interface UploadHoldSettings {
  maxBacklogBytes: number
  isBeforeCommit: boolean
}

export interface UploadHoldDependencies {
  clock: Clock
  holds: Holds
}

const CHECK_INTERVAL_MS = 1_000
/** A single failure is common, and soon repaired. */
const MAX_FAILING_MS = 5_000

export class UploadHold {
  readonly #settings: UploadHoldSettings
  readonly #dependencies: UploadHoldDependencies
  readonly #hold: HoldSwitch
  #uploads: ArchiveUploads | null = null
  #log: Log | null = null
  #last: UploadStatus | null = null
  #cancelTimer: (() => void) | null = null

  constructor(settings: UploadHoldSettings, dependencies: UploadHoldDependencies) {
    this.#settings = settings
    this.#dependencies = dependencies
    this.#hold = new HoldSwitch(dependencies.holds)
  }

  /** Status found by the last check; null before the first. */
  get lastStatus(): UploadStatus | null {
    return this.#last
  }

  /** Logs to `log` when uploads begin to fail and when they succeed again. */
  setLog(log: Log): void {
    this.#log = log
  }

  start(uploads: ArchiveUploads): void {
    this.#uploads = uploads
    // The check of an archive thread that has ended fails; the crawls report that.
    const check = () => void this.#check().catch(() => undefined)
    this.#cancelTimer ??= repeat(this.#dependencies.clock, CHECK_INTERVAL_MS, check)
  }

  stop(): void {
    this.#cancelTimer?.()
    this.#uploads = null
    this.#hold.set(null)
  }

  /** Logs how many segments a process leaves behind when it ends. */
  logLeftSegments(segments: number): void {
    if (segments > 0)
      this.#log?.warn('archive segments are not uploaded; "archive upload" on this data directory uploads them', {
        segments,
      })
  }

  async #check(): Promise<void> {
    const status = await this.#uploads?.status()
    if (status === undefined || this.#uploads === null) return
    this.#report(status)
    this.#last = status
    if (this.#mustHold(status)) this.#hold.set('archive_store')
    else if (status.waitingBytes <= this.#settings.maxBacklogBytes / 2) this.#hold.set(null)
  }

  #mustHold({ waitingBytes, failingForMs }: UploadStatus): boolean {
    const { maxBacklogBytes, isBeforeCommit } = this.#settings
    return waitingBytes > maxBacklogBytes || (isBeforeCommit && failingForMs > MAX_FAILING_MS)
  }

  #report({ problem, waitingBytes, lostSegments }: UploadStatus): void {
    const before = this.#last?.problem ?? null
    for (const segment of lostSegments.filter((name) => this.#last?.lostSegments.includes(name) !== true))
      this.#log?.error('archive segment lost: its file was deleted before its upload', { segment })
    if (problem !== null && before === null) {
      this.#log?.warn('archive upload failed, trying again', { why: problem, waiting_bytes: waitingBytes })
    }
    if (problem === null && before !== null) this.#log?.('archive uploads continue', { waiting_bytes: waitingBytes })
  }
}
