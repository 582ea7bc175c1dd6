// Splits a page into blocks while it is parsed, and classifies each as a heading, body text or boilerplate (navigation,
// headers, footers, asides, lists of links).

import { BOILERPLATE_TAGS } from '../../engine/parse/boilerplate-tags.ts'
import { isSpace, NUL } from '../../engine/parse/characters.ts'
import type { TextSink } from '../../engine/parse/text-feed.ts'
import { copyCodes } from '../../engine/parse/utf16-codes.ts'
import { Tokeniser } from './tokeniser.ts'
import type { WordTable } from './word-table.ts'

export type BlockKind = 'heading' | 'body' | 'boilerplate'

export interface Block {
  kind: BlockKind
  /** Preformatted, as code is: in no language. */
  isCode: boolean
  /** Range of its words in the tokens of the page. */
  start: number
  end: number
  /** Words inside links. */
  linkedWords: number
  /** Hash of its words, to recognise it on other pages. */
  hash: number
}

const SLASH = 47
const PRIME = 0x01000193

type TagKind = 'boilerplate' | 'main' | 'header' | 'heading' | 'code'

const TAGS: Readonly<Record<TagKind, readonly string[]>> = {
  boilerplate: [...BOILERPLATE_TAGS, 'aside', 'select', 'dialog'],
  main: ['main', 'article'],
  /** Counts as body text inside the main content. */
  header: ['header'],
  heading: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
  code: ['pre'],
}
const LONGEST_NAME = 'article'.length
/** Indexed by tag number, so that no string is created for a tag. */
const KINDS = new Map<number, TagKind>()
/** Indexed by five bits of the first letter: rules out most other tags. */
const FIRST_LETTERS = new Uint8Array(32)
for (const kind of Object.keys(TAGS) as TagKind[]) {
  for (const name of TAGS[kind]) {
    KINDS.set(numberOf(copyCodes(name), 0, name.length), kind)
    FIRST_LETTERS[name.charCodeAt(0) & 31] = 1
  }
}

export class BlockReader implements TextSink {
  readonly #table: WordTable
  readonly #tokens: Tokeniser
  readonly blocks: Block[] = []
  /** The block of each line of the page's text, or -1 for a line without words. */
  readonly lines: number[] = []
  #hasVisibleText = false
  #start = 0
  #linked = 0
  #linkStart = -1
  #heading = 0
  #main = 0
  #code = 0
  /** Tag numbers of open boilerplate elements. */
  readonly #boilerplateTags: number[] = []

  constructor(table: WordTable) {
    this.#table = table
    this.#tokens = new Tokeniser(table, { marksWords: true })
  }

  get ids(): Int32Array {
    return this.#tokens.ids
  }

  /** At the end of the page. */
  get hasUnclosedBoilerplate(): boolean {
    return this.#boilerplateTags.length > 0
  }

  add(codes: Uint16Array, start: number, end: number): void {
    for (let pos = start; pos < end && !this.#hasVisibleText; pos++) this.#hasVisibleText = !isBlank(codes[pos] ?? 0)
    this.#tokens.add(codes, start, end)
  }

  endBlock(): void {
    this.#tokens.flush()
    const end = this.#tokens.count
    if (end === this.#start) {
      this.#endLine(-1)
      return
    }
    if (this.#linkStart !== -1) {
      this.#linked += end - this.#linkStart
      this.#linkStart = end
    }
    const last = this.blocks.at(-1)
    const kind = this.#kind()
    // Consecutive boilerplate lines form one block, such as a list of links.
    if (kind === 'boilerplate' && last?.kind === 'boilerplate') {
      last.end = end
      last.linkedWords += this.#linked
    } else {
      const isCode = this.#code > 0
      this.blocks.push({ kind, isCode, start: this.#start, end, linkedWords: this.#linked, hash: this.#hash(end) })
    }
    this.#endLine(this.blocks.length - 1)
    this.#start = end
    this.#linked = 0
  }

  /** Called after `endBlock` for tags that end a block. */
  tag(codes: Uint16Array, start: number, end: number): void {
    const length = end - start
    if (length > LONGEST_NAME) return
    const isEnd = codes[start - 1] === SLASH
    if (length === 1) {
      if (((codes[start] ?? 0) | 32) === 97 && (isEnd || hasHref(codes, end))) this.#passLink(isEnd)
      return
    }
    if (FIRST_LETTERS[(codes[start] ?? 0) & 31] !== 1) return
    const name = numberOf(codes, start, end)
    const kind = KINDS.get(name)
    if (kind === 'heading') this.#heading = isEnd ? 0 : 1
    else if (kind === 'main') this.#main = Math.max(0, this.#main + (isEnd ? -1 : 1))
    else if (kind === 'code') this.#code = Math.max(0, this.#code + (isEnd ? -1 : 1))
    else if (kind === 'boilerplate' || (kind === 'header' && this.#main === 0)) this.#handleBoilerplateTag(name, isEnd)
  }

  finish(): void {
    this.endBlock()
  }

  /** Prepares the reader for another page. */
  clear(): void {
    this.#tokens.flush()
    this.#tokens.count = 0
    this.blocks.length = 0
    this.lines.length = 0
    this.#hasVisibleText = false
    this.#boilerplateTags.length = 0
    this.#start = 0
    this.#linked = 0
    this.#linkStart = -1
    this.#heading = 0
    this.#main = 0
    this.#code = 0
  }

  #endLine(block: number): void {
    if (this.#hasVisibleText) this.lines.push(block)
    this.#hasVisibleText = false
  }

  #passLink(isEnd: boolean): void {
    const count = this.#tokens.countWithCurrent
    if (this.#linkStart !== -1) this.#linked += count - this.#linkStart
    this.#linkStart = isEnd ? -1 : count
  }

  /** An end tag also closes elements left open inside; without a start tag it closes nothing. */
  #handleBoilerplateTag(name: number, isEnd: boolean): void {
    if (!isEnd) {
      this.#boilerplateTags.push(name)
      return
    }
    const at = this.#boilerplateTags.lastIndexOf(name)
    if (at !== -1) this.#boilerplateTags.length = at
  }

  #kind(): BlockKind {
    if (this.#boilerplateTags.length > 0) return 'boilerplate'
    return this.#heading === 1 ? 'heading' : 'body'
  }

  #hash(end: number): number {
    const { ids } = this.#tokens
    let hash = end - this.#start
    for (let i = this.#start; i < end; i++) hash = Math.imul(hash ^ this.#table.hashOf(ids[i] ?? 0), PRIME)
    return hash
  }
}

const GREATER = 62
const HREF = copyCodes('href')

/** Whether the tag has the attribute; `<a name>` is the target of a link. Reads up to the first `>`. */
function hasHref(codes: Uint16Array, nameEnd: number): boolean {
  for (let pos = nameEnd; pos < codes.length && codes[pos] !== GREATER; pos++) {
    let length = 0
    while (length < HREF.length && ((codes[pos + length] ?? 0) | 32) === HREF[length]) length++
    if (length === HREF.length) return true
  }
  return false
}

/** Seven bits per letter, in lower case: up to seven letters fit a safe integer. */
function numberOf(codes: Uint16Array, start: number, end: number): number {
  let number = 0
  for (let i = start; i < end; i++) number = number * 128 + (((codes[i] ?? 0) | 32) & 127)
  return number
}

/** Blank as PageText defines it. */
function isBlank(code: number): boolean {
  return code === NUL || isSpace(code)
}
