// Compares the main text of two versions of a page, with noise told from news.

import { countChangedWords, type DiffLine, diffLines } from './diff/diff-lines.ts'
import type { MainText } from './main-text.ts'
import { type IgnoreReason, type JudgeContext, judgeLines } from './noise/judge-lines.ts'

export interface ComparedLine extends DiffLine {
  ignored: IgnoreReason | null
}

export interface TextComparison {
  lines: ComparedLine[]
  wordsAdded: number
  wordsRemoved: number
  /** Anything but noise has changed. */
  isNews: boolean
  /** Keys for `HostNoise.observe`. */
  keys: string[]
  /** Only the start of each text was compared. */
  isCut: boolean
}

export function compareTexts(before: MainText, after: MainText, context: JudgeContext): TextComparison {
  const diff = diffLines(withoutLinksOf(after, before), withoutLinksOf(before, after))
  const { ignored, keys } = judgeLines(diff, context)
  const lines = diff.map((line, i): ComparedLine => ({ ...line, ignored: ignored[i] ?? null }))
  const news = lines.filter((line) => line.kind !== 'same' && line.ignored === null)
  const count = (kind: DiffLine['kind']) =>
    news.reduce((words, line) => words + (line.kind === kind ? countChangedWords(line) : 0), 0)
  return {
    lines,
    wordsAdded: count('added'),
    wordsRemoved: count('removed'),
    isNews: news.length > 0,
    keys,
    isCut: before.isCut || after.isCut,
  }
}

/** The lines of a version. Links that the other version has in a list of links are left out. */
function withoutLinksOf(other: MainText, { lines, linkLines }: MainText): string[] {
  if (other.links.size === 0) return lines
  const otherLines = new Set(other.lines)
  return lines.filter((line) => !linkLines.has(line) || !other.links.has(line) || otherLines.has(line))
}

const MAX_SUMMARY = 200

/** The first line of news: an added line, otherwise a removed line. */
export function summarise({ lines }: Pick<TextComparison, 'lines'>): string {
  const news = lines.filter(({ kind, ignored, isMoved }) => kind !== 'same' && ignored === null && !isMoved)
  const first = news.find(({ kind }) => kind === 'added') ?? news[0] ?? lines.find(({ isMoved }) => isMoved)
  return cutText(first?.text ?? '', MAX_SUMMARY)
}

export function cutText(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`
}
