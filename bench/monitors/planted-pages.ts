// Real pages with copies of real documents planted into their paragraphs, and without.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readHtml } from '../../src/engine/parse/html-reader.ts'
import { splitWords } from '../../src/monitor/text-words.ts'
import { type RandomNumbers, randomNumbers } from '../../src/setup/testing/search-corpus.ts'

export interface SourceText {
  file: string
  html: string
  words: string[]
}

export interface Planting {
  /** Words of the copy before it is edited. */
  length: number
  /** Words in a hundred that are replaced, left out, or followed by another one. */
  editedPercent: number
}

export interface PlantedPage {
  html: string
  /** Null if nothing is planted. */
  copy: (Planting & { words: string[] }) | null
}

const MIN_WORDS = 300
/** Pages that share a run of this many words with a document are real copies and are left out. Quoted titles are shorter. */
const REAL_COPY_WORDS = 25

/** Pages of the folders in a random order, without short ones and frames. */
export function readSources(folders: readonly string[], count: number, seed: number): SourceText[] {
  const random = randomNumbers(seed)
  const files = shuffle(
    folders.flatMap((folder) => globSync(join(folder, '**/*.html')).sort()),
    random,
  )
  const sources: SourceText[] = []
  for (const file of files) {
    if (sources.length === count) break
    const html = readFileSync(file, 'utf8')
    const words = wordsOf(readHtml(html, true, null, 0).text)
    if (words.length >= MIN_WORDS) sources.push({ file, html, words })
  }
  return sources
}

/** Pages that do not already contain a passage of a document, found by comparing plain text. */
export function withoutRealCopies(pages: SourceText[], documents: readonly SourceText[]): SourceText[] {
  const runs = new Set(documents.flatMap(({ words }) => runsOf(words)))
  return pages.filter(({ words }) => !runsOf(words).some((run) => runs.has(run)))
}

/** Every second page gets a copy, with the lengths and edits in turn. */
export function plantCopies(
  pages: readonly SourceText[],
  documents: readonly SourceText[],
  plantings: readonly Planting[],
): PlantedPage[] {
  const random = randomNumbers(3)
  return pages.map(({ html }, i) => {
    const planting = plantings[(i >> 1) % plantings.length]
    if (i % 2 === 0 || planting === undefined) return { html, copy: null }
    const source = pick(documents, random).words
    const start = random.below(source.length - planting.length)
    const passage = source.slice(start, start + planting.length)
    const words = editWords(passage, planting.editedPercent, () => pick(pick(pages, random).words, random), random)
    return { html: insertIntoParagraph(html, words.join(' '), random), copy: { ...planting, words } }
  })
}

function editWords(words: string[], percent: number, otherWord: () => string, random: RandomNumbers): string[] {
  return words.flatMap((word) => {
    if (random.below(100) >= percent) return [word]
    switch (random.below(3)) {
      case 0:
        return [otherWord()]
      case 1:
        return []
      default:
        return [word, otherWord()]
    }
  })
}

function insertIntoParagraph(html: string, text: string, random: RandomNumbers): string {
  const ends = [...html.matchAll(/<\/p>/gi)].map(({ index }) => index)
  const at = ends.length === 0 ? html.length : pick(ends, random)
  return `${html.slice(0, at)} ${text} ${html.slice(at)}`
}

function runsOf(words: readonly string[]): string[] {
  const lower = words.map((word) => word.toLowerCase())
  return lower.slice(REAL_COPY_WORDS - 1).map((_, i) => lower.slice(i, i + REAL_COPY_WORDS).join(' '))
}

function wordsOf(text: string): string[] {
  const { count, starts, ends } = splitWords(text)
  return Array.from({ length: count }, (_, i) => text.slice(starts[i], ends[i]))
}

function shuffle<T>(items: T[], random: RandomNumbers): T[] {
  for (let i = items.length - 1; i > 0; i--) {
    const other = random.below(i + 1)
    const [a, b] = [items[i] as T, items[other] as T]
    items[i] = b
    items[other] = a
  }
  return items
}

function pick<T>(items: readonly T[], random: RandomNumbers): T {
  return items[random.below(items.length)] as T
}
