/** The closest word within an edit distance of a third of its length, for "did you mean"; null if there is none. */
export function closestWord(typed: string, words: readonly string[]): string | null {
  let best: { word: string; steps: number } | null = null
  for (const word of words) {
    const maxSteps = Math.ceil(word.length / 3)
    // An edit changes the length by at most one, so words of a very different length are skipped cheaply.
    if (Math.abs(typed.length - word.length) > maxSteps) continue
    const steps = editDistance(typed, word)
    if (steps <= maxSteps && steps < (best?.steps ?? Number.POSITIVE_INFINITY)) best = { word, steps }
  }
  return best?.word ?? null
}

/** Damerau-Levenshtein distance: insertions, deletions, replacements and swaps of adjacent letters. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwap ? (beforeLast[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
      row.push(Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced, swapped))
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? 0
}
