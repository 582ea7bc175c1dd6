import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

/** A file system of its own, which root can mount; null, and the test is skipped, where that is not allowed. */
export function mountTmpfs(t: TestContext, size: string): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    rmdirSync(folder)
    t.skip('mounting a small disk needs root')
    return null
  }
  t.after(() => {
    execFileSync('umount', ['-l', folder])
    rmdirSync(folder)
  })
  return folder
}
