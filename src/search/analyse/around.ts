// Which blocks of the body stand around the text after all: lists of links, and lines that many pages of the host have.

import { hostOf } from '../url-parts.ts'
import type { Block } from './blocks.ts'

/** Most of its words are in links. */
const MAX_LINKED_SHARE = 0.6
/** A long paragraph is no menu, and one that is repeated is likely a quotation. */
const MAX_REPEATED_WORDS = 60
/** So many pages of a host had the line before. */
const MIN_REPEATS = 4
/** Of a page; a longer list is no frame. */
const MAX_LINES = 100
/** With less than this left of its body, what was taken for a frame is the text: a page of links, or tags left open. */
const MIN_BODY_SHARE = 0.1

/** How many documents of the hosts of a batch have each line, those of the batch too as they come. */
export class RepeatedLines {
  readonly #hosts = new Map<string, Map<number, number>>()
  /** By url: the lines of its document in this batch. */
  readonly #pages = new Map<string, number[]>()

  /** At the start of a batch: nothing is known of other hosts. */
  know(hosts: ReadonlyMap<string, ReadonlyMap<number, number>>): void {
    this.#hosts.clear()
    this.#pages.clear()
    for (const [host, lines] of hosts) this.#hosts.set(host, new Map(lines))
  }

  /** The short lines of a page, each once, and of each block how many other pages have it. The page may be counted with
   * the lines that it had before. */
  note(url: string, blocks: readonly Block[], before: readonly number[]): { lines: number[]; repeats: number[] } {
    const host = hostOf(url)
    const counts = this.#hosts.get(host) ?? new Map<number, number>()
    this.#hosts.set(host, counts)
    const add = (line: number, change: number) => counts.set(line, (counts.get(line) ?? 0) + change)
    for (const line of this.#pages.get(url) ?? before) add(line, -1)
    const repeats = blocks.map(({ hash }) => counts.get(hash) ?? 0)
    const short = blocks.filter(({ start, end }) => end - start <= MAX_REPEATED_WORDS)
    const lines = [...new Set(short.map(({ hash }) => hash))].slice(0, MAX_LINES)
    for (const line of lines) add(line, 1)
    this.#pages.set(url, lines)
    return { lines, repeats }
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
