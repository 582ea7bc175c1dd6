// A text in pieces, marked or not. Places come from the server as pairs of start and end; whatever they are, the pieces
// put together are the text.

export interface TextPiece {
  text: string
  isMarked: boolean
  /** Where it starts. */
  at: number
}

export function splitByHighlights(text: string, places: readonly (readonly [number, number])[]): TextPiece[] {
  const pieces: TextPiece[] = []
  let at = 0
  const add = (end: number, isMarked: boolean): void => {
    if (end > at) pieces.push({ text: text.slice(at, end), isMarked, at })
    at = Math.max(at, end)
  }
  for (const [start, end] of [...places].sort(([a], [b]) => a - b)) {
    const from = Math.min(text.length, Math.max(at, start))
    const to = Math.min(text.length, end)
    if (to <= from) continue
    add(from, false)
    add(to, true)
  }
  add(text.length, false)
  return pieces
}
