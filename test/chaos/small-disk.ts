// A small file system for the data of one worker, which can be filled to the last byte.

import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk {
  folder: string
  fill(): void
  empty(): void
  close(): void
}

const CHUNK = Buffer.alloc(64 * 1024, '.')

/** Null where mounting is not allowed. */
export function mountSmallDisk(size: string): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-chaos-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    rmdirSync(folder)
    return null
  }
  const unmount = () => {
    execFileSync('umount', ['-l', folder])
    rmdirSync(folder)
  }
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
