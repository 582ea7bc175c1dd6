// Files and folders that only their owner may read: a store contains request headers, webhook secrets and pages behind a
// login. A umask can only remove permissions, so a mode set here is never widened.

import { chmodSync, closeSync, existsSync, lstatSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

export const PRIVATE_FILE = 0o600
const PRIVATE_FOLDER = 0o700
const OTHER_USERS_MODE = 0o077

/**
 * Creates each level separately: Node's recursive mkdir hangs where nothing can be created, such as /proc. Returns true
 * if the folder did not exist.
 */
export function makePrivateFolder(dir: string): boolean {
  const path = resolve(dir)
  if (existsSync(path)) return false
  makePrivateFolder(dirname(path))
  return createIfMissing(() => mkdirSync(path, PRIVATE_FOLDER))
}

/**
 * Creates an empty file if there is none. SQLite would create it with the mode of the umask; its -wal and -shm files get
 * the mode of this file. An existing file is not opened, because closing it would release SQLite's locks on it.
 */
export function makePrivateFile(path: string): void {
  if (!existsSync(path)) createIfMissing(() => closeSync(openSync(path, 'wx', PRIVATE_FILE)))
}

/** False if another process created it first. */
function createIfMissing(create: () => void): boolean {
  try {
    create()
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** Removes the permissions of other users from a folder and its files, if we own them. Returns how many changed. */
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
