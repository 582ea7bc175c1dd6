// Mounts a small file system for tests of full disks. Mounting needs root.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

export interface Tmpfs {
  folder: string
  unmount(): void
}

/** Returns null if mounting is not permitted. */
export function mountTmpfs(size: string): Tmpfs | null {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    rmdirSync(folder)
    return null
  }
  return {
    folder,
    unmount() {
      execFileSync('umount', ['-l', folder])
      rmdirSync(folder)
    },
  }
}

/** Mounts a file system until the test ends. Skips the test and returns null if mounting is not permitted. */
export function mountTmpfsForTest(t: TestContext, size: string): string | null {
  const tmpfs = mountTmpfs(size)
  if (tmpfs === null) {
    t.skip('mounting a small disk needs root')
    return null
  }
  t.after(tmpfs.unmount)
  return tmpfs.folder
}
