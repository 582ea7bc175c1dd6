// Checks whether the server is ready: the store responds, the disk has space, workers are running.

import { setTimeout as sleep } from 'node:timers/promises'
import { asAppError, ERRORS } from '../../lib/errors.ts'
import type { Workers } from '../../ports/workers.ts'

export interface ReadinessDependencies {
  workers: Pick<Workers, 'list'>
  /** Damage found in the store; null if none. */
  damage(): Promise<string | null>
  /** Free bytes on the disk of the data directory. */
  freeBytes(): Promise<number>
  minFreeBytes: number
  isStopping(): boolean
}

export interface Readiness {
  ready: boolean
  /** "ok" or a description of the problem. */
  store: string
  disk: string
  workers: string
}

const STORE_MS = 2_000

export async function checkReadiness(dependencies: ReadinessDependencies): Promise<Readiness> {
  const [store, disk] = await Promise.all([checkStore(dependencies), checkDisk(dependencies)])
  const ready = store.problem === null && disk === null && !dependencies.isStopping()
  return {
    ready,
    store: dependencies.isStopping() ? 'the server is stopping' : (store.problem ?? 'ok'),
    disk: disk ?? 'ok',
    // Without workers, crawls wait but the server still responds.
    workers: store.workingCount === 0 ? 'no worker is running' : 'ok',
  }
}

async function checkStore({
  workers,
  damage,
}: ReadinessDependencies): Promise<{ problem: string | null; workingCount: number }> {
  try {
    const read = Promise.all([workers.list(), damage()])
    const result = await Promise.race([read, sleep(STORE_MS, null, { ref: false })])
    if (result === null) return { problem: `the store did not respond within ${STORE_MS / 1000} s`, workingCount: 0 }
    const [rows, damageText] = result
    // The damage text names folders, which must not be public.
    const problem = damageText === null ? null : 'the store is damaged; see docs/guides/recovery.md'
    return { problem, workingCount: rows.filter(({ state }) => state === 'working').length }
  } catch (error) {
    return { problem: publicMessage(error), workingCount: 0 }
  }
}

async function checkDisk({ freeBytes, minFreeBytes }: ReadinessDependencies): Promise<string | null> {
  try {
    const free = await freeBytes()
    return free >= minFreeBytes ? null : `the disk has ${free} bytes free, less than ${minFreeBytes}`
  } catch (error) {
    return publicMessage(error)
  }
}

/** Readiness is public, and the original message could name machines and folders. */
function publicMessage(error: unknown): string {
  return ERRORS[asAppError(error).code].help
}
