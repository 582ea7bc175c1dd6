// Whether the server can do its work: the store answers, the disk has room, workers are heard.

import { setTimeout as sleep } from 'node:timers/promises'
import { asAppError, ERRORS } from '../../lib/errors.ts'
import type { Workers } from '../../ports/workers.ts'

export interface ReadinessDependencies {
  workers: Pick<Workers, 'list'>
  /** What was found to be damaged in the store, if anything. */
  damage(): Promise<string | null>
  /** Bytes that the disk of the data directory has left. */
  freeBytes(): Promise<number>
  minFreeBytes: number
  isStopping(): boolean
}

export interface Readiness {
  ready: boolean
  /** Each with ok or what is wrong. */
  store: string
  disk: string
  workers: string
}

const STORE_MS = 2_000

export async function checkReadiness(parts: ReadinessDependencies): Promise<Readiness> {
  const [store, disk] = await Promise.all([checkStore(parts), checkDisk(parts)])
  const ready = store.problem === null && disk === null && !parts.isStopping()
  return {
    ready,
    store: parts.isStopping() ? 'the server is about to stop' : (store.problem ?? 'ok'),
    disk: disk ?? 'ok',
    // Without workers crawls wait, but the server answers.
    workers: store.atWork === 0 ? 'none is at work' : 'ok',
  }
}

async function checkStore({
  workers,
  damage,
}: ReadinessDependencies): Promise<{ problem: string | null; atWork: number }> {
  try {
    const asked = Promise.all([workers.list(), damage()])
    const answered = await Promise.race([asked, sleep(STORE_MS, null, { ref: false })])
    if (answered === null) return { problem: `the store does not answer within ${STORE_MS / 1000} s`, atWork: 0 }
    const [rows, found] = answered
    // The sentence itself names folders.
    const problem = found === null ? null : 'the store is damaged; see docs/guides/recovery.md'
    return { problem, atWork: rows.filter(({ state }) => state === 'working').length }
  } catch (error) {
    return { problem: publicMessage(error), atWork: 0 }
  }
}

async function checkDisk({ freeBytes, minFreeBytes }: ReadinessDependencies): Promise<string | null> {
  try {
    const free = await freeBytes()
    return free >= minFreeBytes ? null : `the disk has ${free} bytes left, less than ${minFreeBytes}`
  } catch (error) {
    return publicMessage(error)
  }
}

/** Anybody may ask: a message could name machines and folders. */
function publicMessage(error: unknown): string {
  return ERRORS[asAppError(error).code].help
}
