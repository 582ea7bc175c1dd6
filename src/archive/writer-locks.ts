// Locks of the writers in a folder. A writer holds a lock with its name while it lives, so that others can tell active
// segments from abandoned ones. Names are never reused, so lock files are deleted; deleting and acquiring happen under
// a guard, because a lock on a deleted file excludes nobody.

import { existsSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../lib/errors.ts'
import { type FileLock, isLocked, tryLock } from '../lib/file-lock.ts'
import { makePrivateFolder } from '../lib/private-files.ts'
import { listFiles, listSegments, writerOf } from './segment-files.ts'

const FOLDER = 'locks'
const FILE = /^writer-([A-Za-z0-9]+)\.lock$/
/** Another process may be checking whether the writer lives, which takes no time. */
const LIVENESS_CHECK_MS = 200
/** Others hold the guard for a few milliseconds. */
const GUARD_MS = 30_000

export interface WriterLock {
  /** Call when the writer has no open segment. */
  remove(): void
  /** Leaves open segments to the next process that starts. */
  release(): void
}

export function claimWriter(dir: string, writer: string): WriterLock {
  const lock = tryWriterLock(dir, writer)
  if (lock === null) throw new AppError('INTERNAL', `Another writer in ${dir} is already named ${writer}.`)
  return lock
}

export function isWriterAlive(dir: string, writer: string): boolean {
  return isLocked(lockFile(dir, `writer-${writer}`))
}

/** Null while the writer lives, or while another process recovers its segments. */
export function lockDeadWriter(dir: string, writer: string): WriterLock | null {
  return isWriterAlive(dir, writer) ? null : tryWriterLock(dir, writer)
}

/** Null while another process runs retention on the folder. */
export function tryRetentionLock(dir: string): FileLock | null {
  return withGuard(dir, () => tryLock(lockFile(dir, 'retention'), 0))
}

/** Null while another process uploads what dead processes left in the folder. */
export function tryUploadLock(dir: string): FileLock | null {
  return withGuard(dir, () => tryLock(lockFile(dir, 'upload'), 0))
}

/** Writers with a lock or an open segment, dead or alive. */
export async function listWriters(dir: string): Promise<string[]> {
  const writers = new Set<string>()
  for (const file of await listFiles(join(dir, FOLDER))) {
    const writer = FILE.exec(file)?.[1]
    if (writer !== undefined) writers.add(writer)
  }
  for (const { name, isOpen } of await listSegments(dir)) {
    const writer = writerOf(name)
    if (isOpen && writer !== null) writers.add(writer)
  }
  return [...writers].sort()
}

function tryWriterLock(dir: string, writer: string): WriterLock | null {
  const path = lockFile(dir, `writer-${writer}`)
  const lock = withGuard(dir, () => tryLock(path, LIVENESS_CHECK_MS))
  if (lock === null) return null
  const remove = () =>
    withGuard(dir, () => {
      if (existsSync(path)) unlinkSync(path)
      lock.release()
    })
  return { remove, release: lock.release }
}

function withGuard<T>(dir: string, action: () => T): T {
  makePrivateFolder(join(dir, FOLDER))
  const guard = tryLock(lockFile(dir, 'guard'), GUARD_MS)
  if (guard === null) {
    throw new AppError('DATA_IN_USE', `Another process holds the locks of ${dir}. Find out why it hangs.`)
  }
  try {
    return action()
  } finally {
    guard.release()
  }
}

function lockFile(dir: string, name: string): string {
  return join(dir, FOLDER, `${name}.lock`)
}
