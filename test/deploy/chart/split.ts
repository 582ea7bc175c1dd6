// A template as a row of texts and actions, with the blanks gone that {{- and -}} take away.

export type Piece = { kind: 'text'; text: string } | { kind: 'action'; source: string }

const ACTION = /\{\{(-\s)?\s*((?:"(?:[^"\\]|\\.)*"|(?!-?\}\})[^"])*?)\s*(\s-)?\}\}/g

export function splitTemplate(template: string): Piece[] {
  const pieces: Piece[] = []
  let end = 0
  let isTrimming = false
  const addText = (text: string) => pieces.push({ kind: 'text', text: isTrimming ? text.trimStart() : text })
  for (const match of template.matchAll(ACTION)) {
    const [all, trimsBefore, source = '', trimsAfter] = match
    const text = template.slice(end, match.index)
    addText(trimsBefore === undefined ? text : text.trimEnd())
    pieces.push({ kind: 'action', source })
    isTrimming = trimsAfter !== undefined
    end = match.index + all.length
  }
  addText(template.slice(end))
  for (const piece of pieces) {
    if (piece.kind === 'text' && piece.text.includes('{{')) throw new Error(`this action has no end: ${piece.text}`)
  }
  return pieces
}
