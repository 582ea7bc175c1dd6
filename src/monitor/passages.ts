// Matches in a text as evidence: passages with highlights, and keys by which a match is recognised in the next version.

import { createHash } from 'node:crypto'
import type { Passage } from '../ports/monitors.ts'
import { type Conclude, NO_VERDICT } from './verdict.ts'

export interface TextRange {
  start: number
  end: number
}

/** Matches that are remembered and compared; more are only counted. */
const MAX_REMEMBERED = 200
const MAX_PASSAGES = 5
const CONTEXT = 120
/** Longer matches are cut. */
const MAX_MATCH = 500
const KEY_CONTEXT = 60
const KEY_LENGTH = 10

export class MatchList {
  readonly ranges: TextRange[] = []
  count = 0

  add(start: number, end: number): void {
    this.count += 1
    if (this.ranges.length < MAX_REMEMBERED) this.ranges.push({ start, end })
  }
}

/** A hit if one of the matches is new. */
export function concludeMatches(text: string, matches: MatchList): Conclude | null {
  if (matches.count === 0) return null
  return async (before) => {
    const known = new Set(before?.split(' '))
    const keyed = matches.ranges.map((range) => ({ range, key: keyOf(text, range) }))
    const fresh = keyed.filter(({ key }) => !known.has(key))
    const state = [...new Set(keyed.map(({ key }) => key))].join(' ')
    if (fresh.length === 0) return { ...NO_VERDICT, state }
    const ranges = fresh.map(({ range }) => range)
    return { state, evidence: { kind: 'passages', matches: matches.count, passages: toPassages(text, ranges) } }
  }
}

/** The match and the letters around it: a clock or a counter next to it makes no new match. */
function keyOf(text: string, { start, end }: TextRange): string {
  const around = text.slice(Math.max(0, start - KEY_CONTEXT), start) + text.slice(end, end + KEY_CONTEXT)
  const letters = around.replace(/[^\p{L}]+/gu, '').toLowerCase()
  const hash = createHash('sha1').update(`${text.slice(start, end).toLowerCase()}\n${letters}`)
  return hash.digest('base64url').slice(0, KEY_LENGTH)
}

/** The first passages, with all matches in them highlighted. */
function toPassages(text: string, ranges: readonly TextRange[]): Passage[] {
  const passages: Passage[] = []
  let cutEnd = -1
  let cutStart = 0
  for (const { start, end: matchEnd } of ranges) {
    const end = Math.min(matchEnd, start + MAX_MATCH)
    const last = passages.at(-1)
    if (last !== undefined && end <= cutEnd) {
      last.highlights.push([start - cutStart, end - cutStart])
      continue
    }
    if (passages.length === MAX_PASSAGES) break
    cutStart = startOfWord(text, Math.max(0, start - CONTEXT))
    cutEnd = endOfWord(text, Math.min(text.length, end + CONTEXT))
    passages.push({ text: text.slice(cutStart, cutEnd), highlights: [[start - cutStart, end - cutStart]] })
  }
  return passages
}

const WORD_LENGTH = 30

/** Start of the next word, unless the text has no spaces here. */
function startOfWord(text: string, at: number): number {
  if (at === 0) return 0
  const space = text.slice(at, at + WORD_LENGTH).search(/\s/)
  return space === -1 ? at : at + space + 1
}

function endOfWord(text: string, at: number): number {
  if (at === text.length) return at
  const space = text.slice(at - WORD_LENGTH, at).search(/\s\S*$/)
  return space === -1 ? at : at - WORD_LENGTH + space
}
