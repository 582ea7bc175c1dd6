// Computes what changed in the text between two versions of a page.

import { diff } from 'node:util'
import { asAppError, type ErrorCode } from '../../lib/errors.ts'
import type { PageVersion } from '../../ports/pages.ts'
import { hasSameContent } from './page-version.ts'
import type { PageReader } from './read-archived-page.ts'

/** Only the start of longer texts is compared, because the time is quadratic. */
export const MAX_LINES = 2000

export interface TextChanges {
  /** Added (+) and removed (-) lines, in order. */
  lines: string[]
  /** Only the starts were compared. */
  isCut: boolean
  /** Why there is nothing to compare. */
  problem: string | null
}

export const NO_CHANGES: TextChanges = { lines: [], isCut: false, problem: null }

export async function findTextChanges(
  before: PageVersion,
  after: PageVersion,
  readPage: PageReader,
): Promise<TextChanges> {
  if (hasSameContent(before, after)) return NO_CHANGES
  const missing = [before, after].find(({ isArchived }) => !isArchived)
  if (missing !== undefined) {
    return {
      ...NO_CHANGES,
      problem: `version ${missing.version} is not archived, because it was a near-duplicate of another page`,
    }
  }
  try {
    const [old, new_] = [await linesOf(before, readPage), await linesOf(after, readPage)]
    const lines = compare(old, new_).flatMap(({ kind, text }) =>
      kind === 'same' ? [] : [`${kind === 'added' ? '+' : '-'} ${text}`],
    )
    return { lines, isCut: Math.max(old.length, new_.length) > MAX_LINES, problem: null }
  } catch (error) {
    const { code, message } = asAppError(error)
    if (!UNREADABLE.includes(code)) throw error
    return { ...NO_CHANGES, problem: message }
  }
}

export interface DiffLine {
  kind: 'same' | 'added' | 'removed'
  text: string
}

/** All lines of both, in order; null if the text of one of them is unavailable. */
export async function diffText(
  before: PageVersion,
  after: PageVersion,
  readPage: PageReader,
): Promise<DiffLine[] | null> {
  try {
    return compare(await linesOf(before, readPage), await linesOf(after, readPage))
  } catch (error) {
    const { code } = asAppError(error)
    if (UNREADABLE.includes(code) || code === 'PAGE_NOT_KEPT') return null
    throw error
  }
}

const UNREADABLE: readonly ErrorCode[] = ['ARCHIVE_BROKEN', 'ARCHIVE_AWAY']

function compare(old: readonly string[], new_: readonly string[]): DiffLine[] {
  return diff(new_.slice(0, MAX_LINES), old.slice(0, MAX_LINES)).map(([sign, text]) => ({
    kind: sign === 0 ? 'same' : sign > 0 ? 'added' : 'removed',
    text,
  }))
}

async function linesOf(version: PageVersion, readPage: PageReader): Promise<string[]> {
  return (await readPage(version)).text.split('\n')
}
