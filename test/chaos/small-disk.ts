// A small file system for the data of one worker. It can be filled to the last byte.

import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { mountTmpfs } from '../testing/tmpfs.ts'

export interface SmallDisk {
  folder: string
  fill(): void
  empty(): void
  close(): void
}

const CHUNK = Buffer.alloc(64 * 1024, '.')

/** Returns null if mounting is not permitted. */
export function mountSmallDisk(size: string): SmallDisk | null {
  const tmpfs = mountTmpfs(size)
  if (tmpfs === null) return null
  const { folder, unmount } = tmpfs
  process.once('exit', unmount)
  const ballast = join(folder, 'ballast')
  return {
    folder,
    fill: () => fill(ballast),
    empty: () => rmSync(ballast, { force: true }),
    close() {
      process.off('exit', unmount)
      unmount()
    },
  }
}

function fill(file: string): void {
  const descriptor = openSync(file, 'w')
  try {
    for (let size = CHUNK.length; size >= 1; ) {
      try {
        writeSync(descriptor, CHUNK, 0, size)
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
        size = Math.floor(size / 2)
      }
    }
  } finally {
    closeSync(descriptor)
  }
}
