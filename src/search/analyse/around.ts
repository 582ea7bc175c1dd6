// Which blocks of the body stand around the text after all: lists of links, and lines that many pages of the host have.

import type { Block } from './blocks.ts'

/** Most of its words are in links. */
const MAX_LINKED_SHARE = 0.6
/** A long paragraph is no menu, and one that is repeated is likely a quotation. */
const MAX_REPEATED_WORDS = 60
/** So many pages of a host had the line before. */
const MIN_REPEATS = 4
const MAX_HOSTS = 200
const MAX_LINES = 2000
/** With less than this left of its body, what was taken for a frame is the text: a page of links, or tags left open. */
const MIN_BODY_SHARE = 0.1

/** Lines of hosts seen lately. Bounded; forgets the host that was met first, and all lines of a host that has too many. */
export class RepeatedLines {
  readonly #hosts = new Map<string, Map<number, number>>()

  /** How many pages before this one had these lines. */
  note(host: string, blocks: readonly Block[]): number[] {
    let lines = this.#hosts.get(host)
    if (lines === undefined || lines.size > MAX_LINES) {
      if (this.#hosts.size >= MAX_HOSTS) this.#forgetOne()
      lines = new Map()
      this.#hosts.set(host, lines)
    }
    const counts = blocks.map(({ hash }) => lines.get(hash) ?? 0)
    for (const { hash, start, end } of blocks) {
      if (end - start <= MAX_REPEATED_WORDS) lines.set(hash, (lines.get(hash) ?? 0) + 1)
    }
    return counts
  }

  #forgetOne(): void {
    const [first] = this.#hosts.keys()
    if (first !== undefined) this.#hosts.delete(first)
  }
}

/** Marks blocks in place. */
export function findAround(blocks: Block[], repeats: readonly number[]): void {
  const kinds = blocks.map((block, i) => {
    const words = block.end - block.start
    if (block.kind !== 'body') return block.kind
    if (block.linked > words * MAX_LINKED_SHARE) return 'around' as const
    return words <= MAX_REPEATED_WORDS && (repeats[i] ?? 0) >= MIN_REPEATS ? ('around' as const) : block.kind
  })
  const wordsOf = (kind: string) =>
    blocks.reduce((sum, { start, end }, i) => sum + (kinds[i] === kind ? end - start : 0), 0)
  const hasText = wordsOf('body') >= wordsOf('around') * MIN_BODY_SHARE
  blocks.forEach((block, i) => {
    if (hasText) block.kind = kinds[i] ?? block.kind
    else if (block.kind === 'around') block.kind = 'body'
  })
}
