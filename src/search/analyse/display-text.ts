// The text of a document as snippets show it: its main lines, then its boilerplate, without navigation.

import { BOILERPLATE_MARK } from '../../ports/search.ts'
import type { Block } from './block-reader.ts'

const MAX_TEXT = 50_000
/** A line that repeats the title is near the start. */
const MAX_TITLE_LINES = 6
/** Links to a heading or definition, as generators of documentation add them at its end. */
const PERMALINK = /\s*(?:¶|\u{1f517}|Link to this (?:heading|definition)|Permalink to this \w+)+\s*$/u
/** Matches every permalink, and few other lines. */
const PERMALINK_PART = /[¶\u{1f517}]| to this /u
/** These signs occur in text as well, as in "C#". */
const HEADING_PERMALINK = /(?:\s+|(?<=[\p{L}\p{N})\]]{2}))[#§]\s*$/u
const LONGEST_PERMALINK = 40

export interface SeparatedText {
  main: string
  /** The main text without code. */
  prose: string
  boilerplate: string
}

export interface TextBlocks {
  /** The block of each line, or -1. */
  lines: readonly number[]
  blocks: readonly Block[]
}

/**
 * Splits the text into main lines and boilerplate, truncated. A heading that the host repeats, such as "Navigation",
 * says nothing about the page. Lines without words are dropped.
 */
export function separateText(text: string, { lines, blocks }: TextBlocks, repeated: readonly number[]): SeparatedText {
  const isRepeated = new Set(repeated)
  const hasCode = blocks.some(({ isCode }) => isCode)
  let [main, prose, boilerplate] = ['', '', '']
  text.split('\n').forEach((line, i) => {
    const block = blocks[lines[i] ?? -1]
    if (block === undefined) return
    const shown = `${dropPermalink(line, block.kind === 'heading')}\n`
    const isMain = block.kind === 'body' || (block.kind === 'heading' && !isRepeated.has(block.hash))
    if (isMain) main += shown
    else boilerplate += shown
    if (hasCode && isMain && !block.isCode) prose += shown
  })
  const limit = (part: string) => part.slice(0, MAX_TEXT).trimEnd()
  const limitedMain = limit(main)
  return { main: limitedMain, prose: hasCode ? limit(prose) : limitedMain, boilerplate: limit(boilerplate) }
}

function dropPermalink(line: string, isHeading: boolean): string {
  const plain = line.includes(BOILERPLATE_MARK) ? line.replaceAll(BOILERPLATE_MARK, ' ') : line
  const [before, end] = [plain.slice(0, -LONGEST_PERMALINK), plain.slice(-LONGEST_PERMALINK)]
  const hasPermalink = PERMALINK_PART.test(end)
  if (!hasPermalink && !isHeading) return plain
  const shown = hasPermalink ? end.replace(PERMALINK, '') : end
  return before + (isHeading ? shown.replace(HEADING_PERMALINK, '') : shown)
}

/** The title is shown above the snippet, so lines that repeat it are left out. */
export function toDisplayText(
  { main, boilerplate }: Pick<SeparatedText, 'main' | 'boilerplate'>,
  title: string,
): string {
  const text = dropTitleLines(main, title)
  return `${text}${boilerplate === '' ? '' : `${BOILERPLATE_MARK}${boilerplate}`}`.slice(0, MAX_TEXT).trimEnd()
}

/** Drops the title, and its part before or after the name of the site. Keeps the text if nothing else would be left. */
function dropTitleLines(text: string, title: string): string {
  let start = 0
  let kept = ''
  for (let i = 0; i < MAX_TITLE_LINES; i++) {
    const end = text.indexOf('\n', start)
    if (end === -1) break
    const line = text.slice(start, end)
    if (!isPartOfTitle(line.trim(), title.trim())) kept += `${line}\n`
    start = end + 1
  }
  const rest = text.slice(start)
  const isLastTitle = kept === '' && isPartOfTitle(rest.trim(), title.trim())
  return isLastTitle ? text : kept + rest
}

const STARTS_WITH_LETTER = /^[\p{L}\p{N}]/u
const ENDS_WITH_LETTER = /[\p{L}\p{N}]$/u

function isPartOfTitle(line: string, title: string): boolean {
  if (line === '' || line.length > title.length) return false
  if (title.startsWith(line)) return !STARTS_WITH_LETTER.test(title.slice(line.length))
  return title.endsWith(line) && !ENDS_WITH_LETTER.test(title.slice(0, -line.length))
}
