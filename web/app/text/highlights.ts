// Splits a text into highlighted and plain pieces. Ranges come from the server; even if they are invalid, the pieces
// always add up to the text.

/** Start and end. */
export type HighlightRange = readonly [number, number]

export interface TextPiece {
  text: string
  isHighlighted: boolean
  /** Start offset. */
  at: number
}

export function splitByHighlights(text: string, ranges: readonly HighlightRange[]): TextPiece[] {
  const pieces: TextPiece[] = []
  let at = 0
  const add = (end: number, isHighlighted: boolean): void => {
    if (end > at) pieces.push({ text: text.slice(at, end), isHighlighted, at })
    at = Math.max(at, end)
  }
  for (const [start, end] of [...ranges].sort(([a], [b]) => a - b)) {
    const from = Math.min(text.length, Math.max(at, start))
    const to = Math.min(text.length, end)
    if (to <= from) continue
    add(from, false)
    add(to, true)
  }
  add(text.length, false)
  return pieces
}
