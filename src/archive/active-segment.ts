// The segment being written. Its bytes up to `end` are whole records, synced if requested; the remains of a failed
// write are truncated.

import { access, type FileHandle, open, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { PRIVATE_FILE } from '../lib/private-files.ts'
import type { ArchiveCodec } from '../ports/archive.ts'
import { errorCode, OPEN_SUFFIX, segmentName, syncFolder } from './segment-files.ts'

export interface SegmentOptions {
  dir: string
  writer: string
  isDurable: boolean
  codec: ArchiveCodec
  /** A higher number with every call, in the lifetime of the writer. */
  nextSequence: () => number
}

export class ActiveSegment {
  readonly name: string
  readonly openedAt: number
  readonly #options: SegmentOptions
  readonly #handle: FileHandle
  #end = 0
  #isIntact = true

  private constructor(place: SegmentOptions, name: string, openedAt: number, handle: FileHandle) {
    this.#options = place
    this.name = name
    this.openedAt = openedAt
    this.#handle = handle
  }

  /**
   * Takes the next free sequence number. A number is used once, even if its file is gone: it may be an object now, and
   * the clock may jump back.
   */
  static async create(place: SegmentOptions, openedAt: number): Promise<ActiveSegment> {
    for (;;) {
      const name = segmentName(openedAt, place.writer, place.nextSequence(), place.codec)
      const handle = await createFile(place.dir, name)
      if (handle === null) continue
      const segment = new ActiveSegment(place, name, openedAt, handle)
      try {
        if (place.isDurable) await syncFolder(place.dir)
        return segment
      } catch (error) {
        await segment.finish()
        throw error
      }
    }
  }

  get end(): number {
    return this.#end
  }

  /** False if the remains of a failed write could not be truncated. Nothing more may be written then. */
  get isIntact(): boolean {
    return this.#isIntact
  }

  /** Appends all bytes, or nothing and throws. */
  async append(bytes: Buffer): Promise<void> {
    try {
      for (let done = 0; done < bytes.length; ) {
        const { bytesWritten } = await this.#handle.write(bytes, done, bytes.length - done, this.#end + done)
        done += bytesWritten
      }
      if (this.#options.isDurable) await this.#handle.datasync()
    } catch (error) {
      const cut = await Promise.allSettled([this.#handle.truncate(this.#end)])
      this.#isIntact = cut.every(({ status }) => status === 'fulfilled')
      throw error
    }
    this.#end += bytes.length
  }

  /** Closes the segment under its final name. An empty one is deleted; a damaged one is left to recovery. */
  async finish(): Promise<void> {
    const path = join(this.#options.dir, this.name)
    await this.#handle.close()
    if (this.#end === 0) await unlink(path + OPEN_SUFFIX)
    else if (this.#isIntact) await rename(path + OPEN_SUFFIX, path)
  }
}

/** Null if the name is taken. */
async function createFile(dir: string, name: string): Promise<FileHandle | null> {
  const path = join(dir, name)
  if (await exists(path)) return null
  try {
    return await open(path + OPEN_SUFFIX, 'wx', PRIVATE_FILE)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return null
    throw error
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
}
