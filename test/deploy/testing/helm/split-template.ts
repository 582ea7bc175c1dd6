// Splits a template into texts and actions, and trims whitespace at {{- and -}}.

export type TemplatePiece = { kind: 'text'; text: string } | { kind: 'action'; source: string }

const ACTION = /\{\{(-\s)?\s*((?:"(?:[^"\\]|\\.)*"|(?!-?\}\})[^"])*?)\s*(\s-)?\}\}/g

export function splitTemplate(template: string): TemplatePiece[] {
  const pieces: TemplatePiece[] = []
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
  for (const templatePiece of pieces) {
    if (templatePiece.kind === 'text' && templatePiece.text.includes('{{'))
      throw new Error(`this action has no end: ${templatePiece.text}`)
  }
  return pieces
}
