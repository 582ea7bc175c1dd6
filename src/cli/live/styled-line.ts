// A line is a list of spans until it is printed, so that it can be measured and truncated without colour codes.

import { displayWidth, truncate } from '../format/units.ts'

const SGR = { plain: '', bold: '1', dim: '2', red: '31', green: '32', yellow: '33', cyan: '36' } as const
export type Style = keyof typeof SGR

/** The text must be sanitized. */
export interface Span {
  text: string
  style: Style
}

export type Line = readonly Span[]

export function span(text: string, style: Style = 'plain'): Span {
  return { text, style }
}

export function lineWidth(line: Line): number {
  let width = 0
  for (const part of line) width += displayWidth(part.text)
  return width
}

export function fitLine(line: Line, width: number, ellipsis: string): Line {
  if (lineWidth(line) <= width) return line
  const fitted: Span[] = []
  let room = width
  for (const part of line) {
    const text = truncate(part.text, room, ellipsis)
    fitted.push({ ...part, text })
    room -= displayWidth(text)
    if (text !== part.text || room <= 0) break
  }
  return fitted
}

/** Left part, spaces, right part. If both do not fit, the left part is truncated. */
export function justify(parts: { left: Line; right: Line }, width: number, ellipsis: string): Line {
  const rightWidth = lineWidth(parts.right)
  const left = fitLine(parts.left, Math.max(0, width - rightWidth - 2), ellipsis)
  const gap = width - rightWidth - lineWidth(left)
  return gap < 0 ? fitLine(parts.right, width, ellipsis) : [...left, span(' '.repeat(gap)), ...parts.right]
}

export function colorize(text: string, style: Style, color: boolean): string {
  return color && style !== 'plain' && text.trim() !== '' ? `\u001b[${SGR[style]}m${text}\u001b[0m` : text
}

export function printLine(line: Line, color: boolean): string {
  return line.map((part) => colorize(part.text, part.style, color)).join('')
}
