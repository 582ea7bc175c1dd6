// Groups template actions: if with its branches and end, range with its body, define with its name.

import { type Expression, parseExpression } from './expression.ts'
import { splitTemplate, type TemplatePiece } from './split-template.ts'

export type TemplateNode =
  | { kind: 'text'; text: string }
  | { kind: 'print'; value: Expression }
  | { kind: 'if'; branches: { test: Expression | null; body: TemplateNode[] }[] }
  | { kind: 'range'; names: string[]; over: Expression; body: TemplateNode[] }

export interface Template {
  nodes: TemplateNode[]
  defined: Map<string, TemplateNode[]>
}

export function parseTemplate(text: string): Template {
  const defined = new Map<string, TemplateNode[]>()
  const pieces = splitTemplate(text)
  const { nodes, end } = readNodes(pieces, defined)
  if (end !== null) throw new Error(`"${end}" ends nothing`)
  return { nodes, defined }
}

/** Reads up to the action that ends or divides the enclosing one, and returns that action too. */
function readNodes(
  pieces: TemplatePiece[],
  defined: Template['defined'],
): { nodes: TemplateNode[]; end: string | null } {
  const nodes: TemplateNode[] = []
  for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
    if (piece.kind === 'text') {
      nodes.push(piece)
      continue
    }
    const { source } = piece
    const [, word = '', rest = ''] = /^(\w*)\s*(.*)$/s.exec(source) ?? []
    if (word === 'end' || word === 'else') return { nodes, end: source }
    if (word === 'if') nodes.push(readIf(rest, pieces, defined))
    else if (word === 'range') nodes.push(readRange(rest, pieces, defined))
    else if (word === 'define') defined.set(JSON.parse(rest) as string, readBody(pieces, defined))
    else if (!source.startsWith('/*')) nodes.push({ kind: 'print', value: parseExpression(source) })
  }
  return { nodes, end: null }
}

function readBody(pieces: TemplatePiece[], defined: Template['defined']): TemplateNode[] {
  const { nodes, end } = readNodes(pieces, defined)
  if (end !== 'end') throw new Error(`expected an end, found ${end}`)
  return nodes
}

function readIf(first: string, pieces: TemplatePiece[], defined: Template['defined']): TemplateNode {
  const branches: { test: Expression | null; body: TemplateNode[] }[] = []
  let test: Expression | null = parseExpression(first)
  for (;;) {
    const { nodes, end } = readNodes(pieces, defined)
    branches.push({ test, body: nodes })
    if (end === 'end') return { kind: 'if', branches }
    if (end === null) throw new Error(`the if of ${first} has no end`)
    const nextCondition: string = end.replace(/^else\s*/, '').replace(/^if\s+/, '')
    test = nextCondition === '' ? null : parseExpression(nextCondition)
  }
}

function readRange(head: string, pieces: TemplatePiece[], defined: Template['defined']): TemplateNode {
  const [, names = '', over = ''] = /^(?:(.*?)\s*:=\s*)?(.*)$/s.exec(head) ?? []
  return {
    kind: 'range',
    names: names.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()])),
    over: parseExpression(over),
    body: readBody(pieces, defined),
  }
}
