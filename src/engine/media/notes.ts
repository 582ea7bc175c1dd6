// What is wrong with a page that was read all the same. Reading never fails; these say what its result is worth.

import { isBinaryByte } from './binary.ts'

export const PAGE_NOTES = ['binary', 'truncated'] as const
export type PageNote = (typeof PAGE_NOTES)[number]

export interface PageFacts {
  /** The decoded page. */
  html: string
  /** The body was cut at a limit, or its connection broke. */
  isTruncated: boolean
}

/** Two stretches of this length are looked at, at the start and in the middle: a microsecond. */
const SAMPLE_CHARS = 256
/** Pages in the wrong character set have some U+FFFD, and old ones a stray control. */
const MAX_ODD_SHARE = 0.1

export function notesOn({ html, isTruncated }: PageFacts): PageNote[] {
  const notes: PageNote[] = []
  if (isMostlyOdd(html)) notes.push('binary')
  if (isTruncated) notes.push('truncated')
  return notes
}

function isMostlyOdd(html: string): boolean {
  const middle = Math.max(SAMPLE_CHARS, html.length >> 1)
  const sampled = Math.min(html.length, SAMPLE_CHARS) + Math.max(0, Math.min(html.length - middle, SAMPLE_CHARS))
  return countOdd(html, 0) + countOdd(html, middle) > MAX_ODD_SHARE * sampled
}

function countOdd(html: string, from: number): number {
  const end = Math.min(html.length, from + SAMPLE_CHARS)
  let count = 0
  for (let at = from; at < end; at++) {
    const code = html.charCodeAt(at)
    if (code < 0x20 ? isBinaryByte(code) : code === 0xfffd || code === 0x7f) count++
  }
  return count
}
