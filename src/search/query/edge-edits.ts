// Words that differ from another by one edit among its first letters.

/** First and last letter of the alphabets that are typed most. */
const ALPHABETS = ['az', 'αω', 'ая', 'את', 'ءي', 'अह'] as const
/** Letters at the start that may be wrong; an edit further on leaves a prefix to search for. */
const EDGE = 3

export function edgeEdits(word: string): string[] {
  const letters = alphabetOf(word)
  const edits = new Set<string>()
  for (let at = 0; at < Math.min(EDGE, word.length); at++) {
    const [before, letter, after] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)]
    edits.add(before + after)
    edits.add(`${before}${after.charAt(0)}${letter}${after.slice(1)}`)
    for (const other of letters) {
      edits.add(before + other + after)
      edits.add(before + other + letter + after)
    }
  }
  edits.delete(word)
  return [...edits]
}

function alphabetOf(word: string): string[] {
  const range = ALPHABETS.find((ends) => word.charAt(0) >= ends.charAt(0) && word.charAt(0) <= ends.charAt(1))
  if (range === undefined) return []
  const [from, to] = [range.charCodeAt(0), range.charCodeAt(1)]
  return Array.from({ length: to - from + 1 }, (_, i) => String.fromCharCode(from + i))
}
