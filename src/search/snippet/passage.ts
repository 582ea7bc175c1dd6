// Start and end of a passage of a text: at sentences and lines if possible, else between words.

/** A range of a text. */
export interface Passage {
  start: number
  end: number
  /** Whether the passage starts, or ends, within a sentence. */
  isCutBefore: boolean
  isCutAfter: boolean
}

export const MAX_PASSAGE = 240
/** A passage starts at most this far before its first match. */
const MAX_LEAD = 100
/** If no sentence starts there, it starts about here. */
const LEAD = 50
const MIN_PASSAGE = 130
/** The rest of a word that is not cut. */
const LONGEST_REST = 30
const MIN_PROSE = 50
const ENDS_SENTENCE = /[.!?。！？…:][)\]"'”’»]*\s*$/
const SENTENCE_END = /[.!?][)\]"'”’»]*(?=\s+[^\s\p{Ll}])|[。！？][」』”）]*|\n/gu

/**
 * The passage around the matches between `first` and `last`. `bounds` is the part of the text that may be shown.
 */
export function findPassage(
  text: string,
  matched: { first: number; last: number },
  bounds: { from: number; to: number },
): Passage {
  const { first, last } = matched
  const earliest = Math.max(bounds.from, first - MAX_LEAD, last - MAX_PASSAGE)
  let { start, isCutBefore } = findStart(text, first, { from: bounds.from, earliest })
  let { end, isCutAfter } = findEnd(text, { start, last }, bounds.to)
  if (end === bounds.to && end - start < MIN_PASSAGE && start > bounds.from) {
    const before = findStart(
      text,
      start,
      { from: bounds.from, earliest: Math.max(bounds.from, end - MAX_PASSAGE) },
      true,
    )
    ;({ start, isCutBefore } = before)
    ;({ end, isCutAfter } = findEnd(text, { start, last }, bounds.to))
  }
  return { start, end, isCutBefore, isCutAfter }
}

/** The start of the sentence of `first`, or of the earliest sentence if `isWide`. */
function findStart(
  text: string,
  first: number,
  { from, earliest }: { from: number; earliest: number },
  isWide = false,
): { start: number; isCutBefore: boolean } {
  // One more character shows whether a sentence ends before the passage.
  const before = text.slice(earliest, first + 1)
  const starts = [...before.matchAll(SENTENCE_END)].map((match) =>
    skipSpaces(text, earliest + match.index + match[0].length),
  )
  const usable = starts.filter((start) => start <= first)
  const start = isWide ? usable[0] : usable.at(-1)
  if (earliest === from && (isWide || start === undefined)) return { start: from, isCutBefore: false }
  if (start !== undefined) return { start, isCutBefore: false }
  const near = isWide ? first : Math.max(earliest, first - LEAD)
  const space = text.indexOf(' ', near)
  const cut = space === -1 || space >= first ? near : space + 1
  return { start: avoidSurrogateSplit(text, cut), isCutBefore: true }
}

function findEnd(
  text: string,
  { start, last }: { start: number; last: number },
  to: number,
): { end: number; isCutAfter: boolean } {
  const limit = start + MAX_PASSAGE
  if (to <= limit) return { end: to, isCutAfter: false }
  const minimum = Math.max(last, start + MIN_PASSAGE)
  // One more character shows whether a sentence ends at the limit.
  const following = text.slice(minimum - 1, limit + 2)
  const ends = [...following.matchAll(SENTENCE_END)].map((match) => {
    return minimum - 1 + match.index + (match[0] === '\n' ? 0 : match[0].length)
  })
  const usable = ends.filter((one) => one >= minimum && one <= limit)
  const end = usable.findLast((one) => ENDS_SENTENCE.test(text.slice(one - 4, one))) ?? usable.at(-1)
  if (end !== undefined) return { end, isCutAfter: false }
  const [before, after] = [text.lastIndexOf(' ', limit), text.indexOf(' ', limit)]
  const cut = before >= minimum ? before : after !== -1 && after < limit + LONGEST_REST ? after : limit
  return { end: avoidSurrogateSplit(text, cut), isCutAfter: true }
}

function skipSpaces(text: string, pos: number): number {
  while (pos < text.length && /\s/.test(text.charAt(pos))) pos++
  return pos
}

/** Whether the line consists of sentences, and is not a heading, a list item or code. */
export function isProse(text: string, pos: number): boolean {
  const lineStart = text.lastIndexOf('\n', pos) + 1
  const lineEnd = text.indexOf('\n', pos)
  return isProseLine(text.slice(lineStart, lineEnd === -1 ? text.length : lineEnd))
}

function isProseLine(line: string): boolean {
  return line.length >= MIN_PROSE && ENDS_SENTENCE.test(line.slice(-4))
}

/** The first line of prose near the start, or the start. */
export function findLead(text: string, bounds: { from: number; to: number }): Passage {
  let first = bounds.from
  for (let pos = bounds.from; pos < Math.min(bounds.to, bounds.from + MAX_LEAD_SEARCH); ) {
    if (isProse(text, pos)) {
      first = pos
      break
    }
    const lineEnd = text.indexOf('\n', pos)
    if (lineEnd === -1) break
    pos = lineEnd + 1
  }
  return findPassage(text, { first, last: first }, bounds)
}

const MAX_LEAD_SEARCH = 1500

/** Moves back by one if `pos` would split a surrogate pair. */
function avoidSurrogateSplit(text: string, pos: number): number {
  return (text.codePointAt(pos - 1) ?? 0) > 0xffff ? pos - 1 : pos
}
