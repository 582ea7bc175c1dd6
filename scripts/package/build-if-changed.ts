// Builds something if its sources are newer than the last build. If several processes want it at once, one builds and
// the others wait. (Here, because the image is built from this folder and web/.)

import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const LOCK_TIMEOUT_MS = 120_000

export interface Build {
  /** Files and folders. */
  sources: string[]
  /** A file that every build writes; its modification time is that of the build. */
  result: string
  lockFile: string
  isForced: boolean
  run(): Promise<void>
}

export async function buildIfChanged({ sources, result, lockFile, isForced, run }: Build): Promise<void> {
  const isNeeded = async () => isForced || !(await isBuilt(result, sources))
  if (!(await isNeeded())) return
  using _lock = takeLock(lockFile)
  if (await isNeeded()) await run()
}

/** A database lock ends with its process, so it is never stale. */
function takeLock(file: string): Disposable {
  const lock = new DatabaseSync(file)
  lock.exec(`pragma busy_timeout = ${LOCK_TIMEOUT_MS}; begin exclusive`)
  return { [Symbol.dispose]: () => lock.close() }
}

async function isBuilt(result: string, sources: string[]): Promise<boolean> {
  const built = await stat(result).catch(() => null)
  if (built === null) return false
  const changedMs = await Promise.all(sources.map(newestChangeMs))
  return Math.max(...changedMs) <= built.mtimeMs
}

/**
 * When a file, or the newest file in a folder, was last changed; 0 if it does not exist. By ctime: tools that preserve
 * the modification time, such as rsync and tar, cannot set it.
 */
async function newestChangeMs(path: string): Promise<number> {
  const stats = await stat(path).catch(() => null)
  if (stats === null) return 0
  if (!stats.isDirectory()) return stats.ctimeMs
  const names = await readdir(path)
  return Math.max(stats.ctimeMs, ...(await Promise.all(names.map((name) => newestChangeMs(join(path, name))))))
}
