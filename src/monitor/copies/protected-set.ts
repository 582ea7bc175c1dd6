// The protected documents of a monitor, indexed by their passages.

import { matchSequences } from '../../changes/diff/match-sequences.ts'
import type { CopiedPassage, Passage, ProtectedDocument, ProtectedDocuments } from '../../ports/monitors.ts'
import { splitWords, type TextWords } from '../text-words.ts'
import type { CheckPage, Conclude } from '../verdict.ts'
import { type Copy, type CopyThresholds, findCopies } from './find-copies.ts'
import { GramIndex } from './gram-index.ts'

/** Passages in a hit, the longest first, and the words of each that are shown. */
const MAX_COPIES = 5
const MAX_SHOWN_WORDS = 300
/** A copy that grows by more than this is news. */
const GROWTH = 1.25

/**
 * Of copies with one word in ten edited, 99 in 100 reach both thresholds; see docs/explanation/copies.md. Verbatim
 * quotations of three fifths of the words do not, which is as low as the span may be.
 */
export function copyThresholds(minWords: number): CopyThresholds {
  return { minSpan: Math.ceil(minWords * 0.64), minSame: Math.ceil(minWords * 0.5) }
}

export class ProtectedSet {
  readonly #documents: ProtectedDocument[]
  /** The end of each document in the words of all. */
  readonly #ends: number[]
  readonly #index: GramIndex
  readonly #texts: Pick<ProtectedDocuments, 'text'>

  private constructor(documents: ProtectedDocument[], texts: Pick<ProtectedDocuments, 'text'>, words: Int32Array[]) {
    let total = 0
    this.#documents = documents
    this.#texts = texts
    this.#ends = words.map(({ length }) => (total += length))
    const all = new Int32Array(total)
    words.forEach((hashes, i) => {
      all.set(hashes, (this.#ends[i] ?? 0) - hashes.length)
    })
    this.#index = new GramIndex(all, this.#ends)
  }

  static async load(monitorId: string, documents: ProtectedDocuments): Promise<ProtectedSet> {
    const rows = await documents.list(monitorId)
    const words: Int32Array[] = []
    for (const { id } of rows) {
      const { hashes, count } = splitWords((await documents.text(id)) ?? '')
      words.push(hashes.slice(0, count))
    }
    return new ProtectedSet(rows, documents, words)
  }

  /** Pages of the host of a document are not copies of it. */
  check(minWords: number): CheckPage {
    const thresholds = copyThresholds(minWords)
    return ({ url, words }) => {
      const page = words()
      const host = hostOf(url)
      const copies = findCopies(page, this.#index, thresholds).filter(
        ({ from }) => hostOf(this.#documents[this.#documentAt(from)]?.url ?? '') !== host,
      )
      return copies.length === 0 ? null : this.#conclude(copies, copyWords(page))
    }
  }

  #conclude(copies: Copy[], page: TextWords): Conclude {
    const best = copies.toSorted((a, b) => b.same - a.same)
    return async (before) => {
      const sizes = this.#sizes(copies)
      const known = before === null ? {} : (JSON.parse(before) as Record<string, number>)
      const state = JSON.stringify(sizes)
      const isNews = Object.entries(sizes).some(([id, same]) => same > (known[id] ?? 0) * GROWTH)
      if (!isNews) return { state, evidence: null }
      const shown: CopiedPassage[] = []
      for (const copy of best.slice(0, MAX_COPIES)) {
        const passage = await this.#show(copy, page)
        if (passage !== null) shown.push(passage)
      }
      return { state, evidence: { kind: 'copies', matches: copies.length, copies: shown } }
    }
  }

  /** Copied words by document. */
  #sizes(copies: Copy[]): Record<string, number> {
    const sizes: Record<string, number> = {}
    for (const { from, same } of copies) {
      const id = this.#documents[this.#documentAt(from)]?.id ?? ''
      sizes[id] = (sizes[id] ?? 0) + same
    }
    return sizes
  }

  #documentAt(place: number): number {
    let [low, high] = [0, this.#ends.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (place < (this.#ends[middle] ?? 0)) high = middle
      else low = middle + 1
    }
    return low
  }

  /** Null if the document was removed a moment ago. */
  async #show(copy: Copy, page: TextWords): Promise<CopiedPassage | null> {
    const number = this.#documentAt(copy.from)
    const document = this.#documents[number]
    const text = document === undefined ? null : await this.#texts.text(document.id)
    if (document === undefined || text === null) return null
    const words = splitWords(text)
    const offset = this.#ends[number - 1] ?? 0
    const [from, to] = [copy.from - offset, Math.min(copy.to - offset, words.count)]
    const onPage = { words: page, start: copy.start, end: Math.min(copy.end, copy.start + MAX_SHOWN_WORDS) }
    const inDocument = { words, start: from, end: Math.min(to, from + MAX_SHOWN_WORDS) }
    const partners = matchSequences(hashesOf(onPage), hashesOf(inDocument))
    const matched = new Set(partners)
    return {
      documentId: document.id,
      title: document.title,
      url: document.url,
      words: copy.end - copy.start,
      same: copy.same,
      onPage: toPassage(onPage, (i) => partners[i] !== -1),
      inDocument: toPassage(inDocument, (i) => matched.has(i)),
    }
  }
}

interface WordRange {
  words: TextWords
  start: number
  end: number
}

function hashesOf({ words: { hashes }, start, end }: WordRange): number[] {
  return Array.from(hashes.subarray(start, end))
}

/** Highlights the words that are not the same. */
function toPassage({ words: { text, starts, ends }, start, end }: WordRange, isSame: (i: number) => boolean): Passage {
  const first = starts[start] ?? 0
  const highlights: Passage['highlights'] = []
  for (let i = start; i < end; i++) {
    if (isSame(i - start)) continue
    const range: [number, number] = [(starts[i] ?? 0) - first, (ends[i] ?? 0) - first]
    const last = highlights.at(-1)
    // Neighbours are one highlight.
    if (last !== undefined && i > start && (ends[i - 1] ?? 0) - first === last[1]) last[1] = range[1]
    else highlights.push(range)
  }
  return { text: text.slice(first, ends[end - 1] ?? first), highlights }
}

/** The arrays of a page are reused for the next one. */
function copyWords({ text, count, hashes, starts, ends }: TextWords): TextWords {
  return { text, count, hashes: hashes.slice(0, count), starts: starts.slice(0, count), ends: ends.slice(0, count) }
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? ''
}
