// Who writes in a folder. A writer holds a lock with its name for as long as it lives, so that others can tell what is
// being written from what a dead one left behind. Names are never used again, so the files of locks are deleted; that
// and the taking of a lock go on under a guard, for a lock on a deleted file keeps nobody out.

import { existsSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../lib/errors.ts'
import { type FileLock, isLocked, tryLock } from '../lib/file-lock.ts'
import { makePrivateFolder } from '../lib/private-files.ts'
import { listFiles, listSegments, writerOf } from './segment-files.ts'

const FOLDER = 'locks'
const FILE = /^writer-([A-Za-z0-9]+)\.lock$/
/** Somebody may be looking whether the writer lives, which takes no time. */
const LIVENESS_CHECK_MS = 200
/** Others hold the guard for some ms. */
const GUARD_MS = 30_000

export interface WriterLock {
  /** When nothing of the writer is left open. */
  remove(): void
  /** Leaves what is open to the next process that starts. */
  release(): void
}

export function claimWriter(dir: string, writer: string): WriterLock {
  const lock = tryWriterLock(dir, writer)
  if (lock === null) throw new AppError('INTERNAL', `Another writer in ${dir} has the name ${writer}.`)
  return lock
}

export function isWriterAlive(dir: string, writer: string): boolean {
  return isLocked(lockFile(dir, `writer-${writer}`))
}

/** Null while it lives, or while another process clears up after it. */
export function lockDeadWriter(dir: string, writer: string): WriterLock | null {
  return isWriterAlive(dir, writer) ? null : tryWriterLock(dir, writer)
}

/** Null while another process looks after the segments of the folder. */
export function tryRetentionLock(dir: string): FileLock | null {
  return withGuard(dir, () => tryLock(lockFile(dir, 'retention'), 0))
}

/** Those that have a lock or an open segment, dead or alive. */
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

function withGuard<T>(dir: string, work: () => T): T {
  makePrivateFolder(join(dir, FOLDER))
  const guard = tryLock(lockFile(dir, 'guard'), GUARD_MS)
  if (guard === null) {
    throw new AppError('DATA_IN_USE', `The locks of ${dir} are held by another process. Find out why it stands still.`)
  }
  try {
    return work()
  } finally {
    guard.release()
  }
}

function lockFile(dir: string, name: string): string {
  return join(dir, FOLDER, `${name}.lock`)
}
