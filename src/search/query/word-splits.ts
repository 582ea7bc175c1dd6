// Finds the positions at which a word may consist of two.

export type CompoundSplit = readonly [first: string, second: string]

const MIN_PART = 2
const MIN_COMPOUND_PART = 3
/** Minimum length of the longer part of a compound, because any word contains short ones. */
const MIN_LONGER_PART = 5
/** German letters between the parts of a compound. */
const LINKS = ['', 's', 'es', 'n', 'en']
const IS_WORD = /^[\p{L}\p{N}]+$/u
const AT_DIGITS = /^(?<letters>\p{L}+)(?<digits>\d+)$/u

/** Words that may be written with a space or hyphen: wi fi, RFC 9309. */
export function splitsOf(word: string): CompoundSplit[] {
  const { letters, digits } = AT_DIGITS.exec(word)?.groups ?? {}
  if (letters !== undefined && digits !== undefined) return [[letters, digits]]
  return IS_WORD.test(word) ? splitsAt(word, MIN_PART) : []
}

/** Words that may compose the word. They need not follow each other: Haustür and Schlüssel. */
export function compoundSplits(word: string): CompoundSplit[] {
  if (!IS_WORD.test(word)) return []
  const isLong = (split: CompoundSplit) => split.some((part) => part.length >= MIN_LONGER_PART)
  return splitsAt(word, MIN_COMPOUND_PART)
    .filter(isLong)
    .flatMap(([first, second]) =>
      LINKS.filter((link) => first.endsWith(link) && first.length - link.length >= MIN_COMPOUND_PART).map(
        (link): CompoundSplit => [first.slice(0, first.length - link.length), second],
      ),
    )
}

function splitsAt(word: string, minPart: number): CompoundSplit[] {
  const count = Math.max(0, word.length - 2 * minPart + 1)
  return Array.from({ length: count }, (_, i) => [word.slice(0, i + minPart), word.slice(i + minPart)] as const)
}
