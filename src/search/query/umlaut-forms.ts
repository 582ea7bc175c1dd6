// German umlauts, and the letters that replace them where a keyboard or a file name has none.

const DIGRAPHS: Readonly<Record<string, string>> = { ae: 'ä', oe: 'ö', ue: 'ü' }
/** Excludes "ue" as in neue, Bauer or Quelle. */
const DIGRAPH = /ae|oe|(?<![aeq])ue/g
const UMLAUT = /[äöü]/g
const LETTERS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' }

/** The word with umlauts instead of their digraphs; null if it has none. */
export function withUmlauts(word: string): string | null {
  const form = word.replaceAll(DIGRAPH, (letters) => DIGRAPHS[letters] ?? letters)
  return form === word ? null : form
}

/** The word with digraphs instead of its umlauts; null if it has none. */
export function withoutUmlauts(word: string): string | null {
  const form = word.replaceAll(UMLAUT, (letter) => LETTERS[letter] ?? letter)
  return form === word ? null : form
}
