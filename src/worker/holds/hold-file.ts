// A file next to the store that says why the crawl there is on hold, for other programs that show its status. It is valid
// only while a process runs in the directory: a killed process cannot remove it.

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PRIVATE_FILE } from '../../lib/private-files.ts'
import { HOLD_REASONS, type HoldReason } from '../../ports/hold-reasons.ts'

const NAME = 'held'
/** Written instead of a crawl id. */
export const ALL_CRAWLS = '*'

/** Errors are ignored: the file is only for display. */
export function writeHoldFile(dir: string, crawlId: string, reason: HoldReason | null): void {
  const file = join(dir, NAME)
  try {
    if (reason === null) rmSync(file, { force: true })
    else writeFileSync(file, `${crawlId} ${reason}\n`, { mode: PRIVATE_FILE })
  } catch {
    // The disk is full or read-only.
  }
}

export function readHoldFile(dir: string, crawlId: string): HoldReason | null {
  let line: string
  try {
    line = readFileSync(join(dir, NAME), 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
  const [heldId, reason] = line.trim().split(' ')
  return heldId === crawlId || heldId === ALL_CRAWLS ? (HOLD_REASONS.find((known) => known === reason) ?? null) : null
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null
}
