// Caches open segment files, most recently used ones: opening a file takes longer than reading a page from it. A
// deleted file occupies disk space until it is closed, so every open also checks for deleted files; records of a
// deleted segment are read from another one.

import type { FileHandle } from 'node:fs/promises'
import { openSegment } from './segment-files.ts'

interface OpenHandle {
  handle: Promise<FileHandle>
  /** Resolves when the handle is no longer in use. */
  idle: Promise<void>
}

export class SegmentHandles {
  readonly #dir: string
  readonly #max: number
  /** Open files, least recently used first. */
  readonly #entries = new Map<string, OpenHandle>()

  constructor(dir: string, max: number) {
    this.#dir = dir
    this.#max = max
  }

  use<T>(segment: string, use: (handle: FileHandle) => Promise<T>): Promise<T> {
    const openHandle = this.#entries.get(segment) ?? this.#open(segment)
    this.#entries.delete(segment)
    this.#entries.set(segment, openHandle)
    const used = openHandle.handle.then(use)
    openHandle.idle = settled(openHandle.idle, used)
    if (this.#entries.size > this.#max) this.#closeOldest()
    return used
  }

  async close(): Promise<void> {
    const entries = [...this.#entries.values()]
    this.#entries.clear()
    await Promise.allSettled(entries.map(closeEntry))
  }

  #open(segment: string): OpenHandle {
    const handle = openSegment(this.#dir, segment)
    const entry = { handle, idle: settled(handle) }
    for (const [name, other] of this.#entries) this.#closeDeleted(name, other)
    // A failure is not cached: the segment may appear later.
    handle.catch(() => {
      if (this.#entries.get(segment) === entry) this.#entries.delete(segment)
    })
    return entry
  }

  #closeDeleted(segment: string, openHandle: OpenHandle): void {
    const checked = openHandle.handle
      .then((handle) => handle.stat())
      .then(({ nlink }) => {
        if (nlink === 0 && this.#entries.get(segment) === openHandle) this.#drop(segment, openHandle)
      })
    // It stays open during the check.
    openHandle.idle = settled(openHandle.idle, checked)
  }

  #closeOldest(): void {
    const [oldest] = this.#entries
    if (oldest !== undefined) this.#drop(...oldest)
  }

  #drop(segment: string, openHandle: OpenHandle): void {
    this.#entries.delete(segment)
    // The handle was not written to, so a failure to close it has no consequence.
    closeEntry(openHandle).catch(() => undefined)
  }
}

/** Returns no values: each would retain the previous one, and with it everything ever read. */
async function settled(...promises: Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(promises)
}

async function closeEntry({ handle, idle }: OpenHandle): Promise<void> {
  await idle
  await (await handle).close()
}
