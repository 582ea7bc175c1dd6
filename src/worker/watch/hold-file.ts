// A line beside the store that says why the crawl at work there stands still, for programs that only look. It is worth
// something only while somebody works in the directory: a killed process cannot take it away.

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PRIVATE_FILE } from '../../lib/private-files.ts'
import { HOLD_REASONS, type HoldReason } from '../../ports/hold-reasons.ts'

const NAME = 'held'
/** In place of the id of a crawl. */
export const ALL_CRAWLS = '*'

/** Never fails: the crawl waits all the same, and its own view says why. */
export function writeHoldFile(dir: string, crawlId: string, reason: HoldReason | null): void {
  const file = join(dir, NAME)
  try {
    if (reason === null) rmSync(file, { force: true })
    else writeFileSync(file, `${crawlId} ${reason}\n`, { mode: PRIVATE_FILE })
  } catch {
    // Not even room for a line, or a disk that is read-only by now.
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
