// The width of a text in the list of results of a search engine, which cuts titles and descriptions by pixels, not by
// characters. Widths are those of Arial, in thousandths of the font size, as published for Helvetica.

const WIDTHS: readonly [width: number, characters: string][] = [
  [191, "'"],
  [222, 'ijl‘’'],
  [260, '|'],
  [278, ' !,./:;I[\\]ft'],
  [333, '()-`r“”'],
  [334, '{}'],
  [350, '•'],
  [355, '"'],
  [389, '*'],
  [469, '^'],
  [500, 'Jckszvxy'],
  [556, '#$0123456789L?_abdeghnopqu'],
  [584, '+<=>~'],
  [611, 'FTZ'],
  [667, 'ABEKPSVXY&'],
  [722, 'CDHNRUw'],
  [737, '©®'],
  [778, 'GOQ'],
  [833, 'Mm'],
  [889, '%'],
  [944, 'W'],
  [1000, '—…™→'],
  [1015, '@'],
]
const BY_CHARACTER = new Map(
  WIDTHS.flatMap(([width, characters]) => Array.from(characters, (character): [string, number] => [character, width])),
)
/** Width of all other letters. */
const MEAN_WIDTH = 556
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}\u3000-\u303f\uff00-\uff60]/u
const NO_WIDTH = /\p{M}|\p{Cf}/u

/** Describes a text that is wider than this; null if it fits. */
export function describeTooWide(text: string, fontPixels: number, maxPixels: number): string | null {
  const pixels = widthInPixels(text, fontPixels)
  return pixels <= maxPixels ? null : `${[...text].length} characters, about ${pixels} pixels`
}

export function widthInPixels(text: string, fontPixels: number): number {
  let thousandths = 0
  for (const character of text) thousandths += BY_CHARACTER.get(character) ?? otherWidth(character)
  return Math.round((thousandths * fontPixels) / 1000)
}

function otherWidth(character: string): number {
  if (NO_WIDTH.test(character)) return 0
  if (WIDE.test(character)) return 1000
  const base = character.normalize('NFD')[0] ?? ''
  return BY_CHARACTER.get(base) ?? MEAN_WIDTH
}
