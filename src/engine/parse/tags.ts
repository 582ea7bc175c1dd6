import { isLetter, SLASH } from './characters.ts'
import { BLOCK_TAGS } from './element-names.ts'

/** The HTML tags that the reader uses; every other tag is skipped unread. */
export const TAG_ID = {
  other: 0,
  a: 1,
  area: 2,
  base: 3,
  frame: 4,
  frameset: 5,
  html: 6,
  iframe: 7,
  link: 8,
  math: 9,
  meta: 10,
  noembed: 11,
  noframes: 12,
  plaintext: 13,
  script: 14,
  style: 15,
  svg: 16,
  template: 17,
  textarea: 18,
  title: 19,
  xmp: 20,
} as const

export type TagId = (typeof TAG_ID)[keyof typeof TAG_ID]

/** Tags after which it is still open whether the page has a frameset, so they need no further tracking. */
export const HEAD_TAGS: ReadonlySet<TagId> = new Set([
  TAG_ID.html,
  TAG_ID.link,
  TAG_ID.meta,
  TAG_ID.script,
  TAG_ID.style,
  TAG_ID.title,
])

const RELEVANT = 1
const BLOCK = 2
// Indexed by five bits of each of the first two letters: one lookup rules out most other tags.
const CANDIDATES = new Uint8Array(1024)
for (const name of Object.keys(TAG_ID)) markCandidate(name, RELEVANT)
for (const name of BLOCK_TAGS) markCandidate(name, BLOCK)

/** False for most of the tags that identifyTag calls other, without reading the whole name. */
export function mayBeRelevantTag(first: number, second: number): boolean {
  return ((CANDIDATES[pairOf(first, second)] ?? 0) & RELEVANT) !== 0
}

/**
 * Whether the markup at `open` is a tag that identifyTag calls other and that ends no block. May be false for such a
 * tag, too.
 */
export function isInlineTag(codes: Uint16Array, open: number): boolean {
  const start = codes[open + 1] === SLASH ? open + 2 : open + 1
  const first = codes[start] ?? 0
  return isLetter(first) && CANDIDATES[pairOf(first, codes[start + 1] ?? 0)] === 0
}

function markCandidate(name: string, kind: number): void {
  const pair = pairOf(name.charCodeAt(0), name.charCodeAt(1))
  CANDIDATES[pair] = (CANDIDATES[pair] ?? 0) | kind
}

/** Names of one letter may be followed by anything that is not a letter. */
function pairOf(first: number, second: number): number {
  return ((first & 31) << 5) | (isLetter(second) ? second & 31 : 0)
}

/** Compares characters in place: this runs for every start tag, so it must not allocate. */
export function identifyTag(codes: Uint16Array, start: number, end: number): TagId {
  // For ASCII letters, and only for them, `| 32` gives the lower-case letter.
  const first = (codes[start] ?? 0) | 32
  switch (end - start) {
    case 1:
      return first === 97 ? TAG_ID.a : TAG_ID.other
    case 3:
      if (first === 115) return isName(codes, start, 'svg', TAG_ID.svg)
      return first === 120 ? isName(codes, start, 'xmp', TAG_ID.xmp) : TAG_ID.other
    case 4:
      return identifyFour(codes, start, first)
    case 5:
      if (first === 116) return isName(codes, start, 'title', TAG_ID.title)
      if (first === 115) return isName(codes, start, 'style', TAG_ID.style)
      return first === 102 ? isName(codes, start, 'frame', TAG_ID.frame) : TAG_ID.other
    case 6:
      if (first === 115) return isName(codes, start, 'script', TAG_ID.script)
      return first === 105 ? isName(codes, start, 'iframe', TAG_ID.iframe) : TAG_ID.other
    case 7:
      return first === 110 ? isName(codes, start, 'noembed', TAG_ID.noembed) : TAG_ID.other
    case 8:
      return identifyEight(codes, start, first)
    case 9:
      return first === 112 ? isName(codes, start, 'plaintext', TAG_ID.plaintext) : TAG_ID.other
    default:
      return TAG_ID.other
  }
}

function identifyFour(codes: Uint16Array, start: number, first: number): TagId {
  if (first === 108) return isName(codes, start, 'link', TAG_ID.link)
  if (first === 109) return isName(codes, start, 'meta', TAG_ID.meta) || isName(codes, start, 'math', TAG_ID.math)
  if (first === 97) return isName(codes, start, 'area', TAG_ID.area)
  if (first === 98) return isName(codes, start, 'base', TAG_ID.base)
  return first === 104 ? isName(codes, start, 'html', TAG_ID.html) : TAG_ID.other
}

function identifyEight(codes: Uint16Array, start: number, first: number): TagId {
  if (first === 116)
    return isName(codes, start, 'template', TAG_ID.template) || isName(codes, start, 'textarea', TAG_ID.textarea)
  if (first === 102) return isName(codes, start, 'frameset', TAG_ID.frameset)
  return first === 110 ? isName(codes, start, 'noframes', TAG_ID.noframes) : TAG_ID.other
}

function isName(codes: Uint16Array, start: number, name: string, tagId: TagId): TagId {
  for (let i = 1; i < name.length; i++) {
    if (((codes[start + i] ?? 0) | 32) !== name.charCodeAt(i)) return TAG_ID.other
  }
  return tagId
}
