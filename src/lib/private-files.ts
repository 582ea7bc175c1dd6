// Files and folders that only their owner may read: a store holds headers, webhook secrets and pages behind a login.
// A umask can take more away and gives nothing back, so a mode given here holds under every umask.

import { chmodSync, closeSync, existsSync, lstatSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

export const PRIVATE_FILE = 0o600
const PRIVATE_FOLDER = 0o700
const OTHER_USERS_MODE = 0o077

/**
 * Step by step: Node's recursive way never comes back from a place where nothing can be made, such as /proc. True when it
 * was not there.
 */
export function makePrivateFolder(dir: string): boolean {
  const path = resolve(dir)
  if (existsSync(path)) return false
  makePrivateFolder(dirname(path))
  return createIfMissing(() => mkdirSync(path, PRIVATE_FOLDER))
}

/**
 * Makes an empty file if there is none: SQLite would make it with the mode of the umask, and gives its -wal and -shm the
 * mode of this one. A file that is there is not opened, for closing it would let go of SQLite's locks on it.
 */
export function makePrivateFile(path: string): void {
  if (!existsSync(path)) createIfMissing(() => closeSync(openSync(path, 'wx', PRIVATE_FILE)))
}

/** False when another process made it first. */
function createIfMissing(make: () => void): boolean {
  try {
    make()
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** Takes a folder and the files in it from everybody but us, if they are ours. Answers how many others could reach. */
export function restrictFolder(dir: string): number {
  const files = readdirSync(dir, { withFileTypes: true }).filter((entry) => entry.isFile())
  let count = restrictMode(dir, statSync(dir)) ? 1 : 0
  for (const { name } of files) {
    const path = join(dir, name)
    const info = lstatSync(path, { throwIfNoEntry: false })
    if (info?.isFile() && restrictMode(path, info)) count += 1
  }
  return count
}

function restrictMode(path: string, { uid, mode }: { uid: number; mode: number }): boolean {
  if (uid !== process.getuid?.() || (mode & OTHER_USERS_MODE) === 0) return false
  chmodSync(path, mode & 0o7777 & ~OTHER_USERS_MODE)
  return true
}
