// Splits text of scripts without spaces into words by the dictionaries of ICU: Chinese, Japanese, Thai, Lao, Khmer and
// Burmese. About 1 us per character (2026-11), so words of short runs are remembered.

/** Ends the index term of a word of ideographs, so that it differs from a pair of them that spans two words. */
const WORD_MARK = '\u00b7'

/** Longer words are found by their pairs of ideographs. */
const LONGEST_MARKED = 2
const MAX_REMEMBERED_LENGTH = 12
const MAX_REMEMBERED = 20_000
/** Particles and endings: useless as search terms. */
const FUNCTION_WORD = /^(?:[\u3040-\u309f]{1,2}|[的了在是和也与與及或而之其于於以把被吗嗎呢吧啊着過过])$/u
const HANGUL = /[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]/

class WordSegmenter {
  /** Created on first use, because it takes 28 ms. */
  #segmenter: Intl.Segmenter | null = null
  readonly #remembered = new Map<string, readonly string[]>()

  split(run: string): readonly string[] {
    const known = this.#remembered.get(run)
    if (known !== undefined) return known
    this.#segmenter ??= new Intl.Segmenter('ja', { granularity: 'word' })
    const words: string[] = []
    for (const { segment, isWordLike } of this.#segmenter.segment(run)) if (isWordLike) words.push(segment)
    if (run.length <= MAX_REMEMBERED_LENGTH) this.#remember(run, words)
    return words
  }

  #remember(run: string, words: readonly string[]): void {
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear()
    this.#remembered.set(run, words)
  }
}

/** The segmenter of this thread. */
const segmenter = new WordSegmenter()

export function segmentWords(run: string): readonly string[] {
  return segmenter.split(run)
}

/** Hangul has spaces between words. */
export function isHangul(run: string): boolean {
  return HANGUL.test(run)
}

export function isFunctionWord(word: string): boolean {
  return FUNCTION_WORD.test(word)
}

/** Whether a word of ideographs has a separate index term, besides the terms of its pairs. */
export function isMarkedWord(word: string): boolean {
  return countCodePoints(word) <= LONGEST_MARKED && !isFunctionWord(word) && !isHangul(word)
}

/** The index term of a marked word. */
export function toMarkedTerm(word: string): string {
  return word + WORD_MARK
}

/** The word of a marked term; null for any other term. */
export function wordOfMarkedTerm(term: string): string | null {
  return term.endsWith(WORD_MARK) ? term.slice(0, -WORD_MARK.length) : null
}

function countCodePoints(word: string): number {
  return word.length <= LONGEST_MARKED ? word.length : Array.from(word).length
}
