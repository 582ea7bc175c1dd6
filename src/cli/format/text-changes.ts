// What changed in the text between two versions of a page.

import { diff } from 'node:util'
import { type ReadingParts, readPage } from '../../engine/pages/read.ts'
import { asAppError } from '../../lib/errors.ts'
import type { PageVersion } from '../../ports/pages.ts'
import { hasSameContent } from './version.ts'

/** Longer texts are compared by their beginning: the comparison takes the square of it. */
export const MAX_LINES = 2000

export interface TextChanges {
  /** Lines that came (+) and went (-), in order. */
  lines: string[]
  /** Only the beginnings were compared. */
  isCut: boolean
  /** Why there is nothing to compare. */
  problem: string | null
}

export const NO_CHANGES: TextChanges = { lines: [], isCut: false, problem: null }

export async function textChanges(before: PageVersion, after: PageVersion, parts: ReadingParts): Promise<TextChanges> {
  if (hasSameContent(before, after)) return NO_CHANGES
  const unkept = [before, after].find(({ isKept }) => !isKept)
  if (unkept !== undefined) {
    return { ...NO_CHANGES, problem: `version ${unkept.version} was not kept, for it resembled another page` }
  }
  try {
    const [old, new_] = [await linesOf(before, parts), await linesOf(after, parts)]
    const lines = diff(new_.slice(0, MAX_LINES), old.slice(0, MAX_LINES)).flatMap(([sign, line]) =>
      sign === 0 ? [] : [`${sign > 0 ? '+' : '-'} ${line}`],
    )
    return { lines, isCut: Math.max(old.length, new_.length) > MAX_LINES, problem: null }
  } catch (error) {
    const { code, message } = asAppError(error)
    if (code !== 'ARCHIVE_BROKEN' && code !== 'ARCHIVE_AWAY') throw error
    return { ...NO_CHANGES, problem: message }
  }
}

async function linesOf(version: PageVersion, parts: ReadingParts): Promise<string[]> {
  return (await readPage(version, parts)).text.split('\n')
}
