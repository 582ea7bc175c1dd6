// The words of the source: identifiers as engineers read them, and texts as users do.

import { globSync, readFileSync } from 'node:fs'
import { parseAst } from 'vite'

export interface Word {
  file: string
  line: number
  text: string
}

export interface SourceWords {
  identifiers: Word[]
  /** Sentences and labels: string literals and JSX text that a person may read. */
  texts: Word[]
}

const FOLDERS = ['src', 'web/app', 'test', 'bench', 'scripts']
/** Whose strings people read. Tests and benches speak to developers only. */
const WITH_TEXTS = /^(src|web\/app)\/(?!.*(\.test\.|\/testing\/|\/contracts\/|\/migrations\/))/
/** JSX attributes that hold text. Others hold class names, ids and paths. */
const TEXT_ATTRIBUTES = new Set(['title', 'label', 'placeholder', 'alt', 'aria-label', 'hint', 'description', 'text'])
const SQL =
  /\b(select|insert into|update|delete from|where|create (table|index)|order by|values|returning|join \w+ \w+ on)\b|\bu\.id\b/i

interface Node {
  type: string
  start: number
  [key: string]: unknown
}

export function readWords(): SourceWords {
  const words: SourceWords = { identifiers: [], texts: [] }
  for (const folder of FOLDERS) {
    for (const file of globSync(`${folder}/**/*.{ts,tsx}`, { exclude: ['bench/peers/**'] }).sort()) addFile(file, words)
  }
  return words
}

function addFile(file: string, words: SourceWords): void {
  const source = readFileSync(file, 'utf8')
  const lineStarts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)]
  const add = (list: Word[], node: Node, text: string) => {
    list.push({ file, line: lineStarts.findLastIndex((start) => start <= node.start) + 1, text })
  }
  const hasTexts = WITH_TEXTS.test(file)
  const visit = (node: Node, parent: Node | null) => {
    if (node.type === 'Identifier' || node.type === 'PrivateIdentifier' || node.type === 'JSXIdentifier') {
      add(words.identifiers, node, String(node['name']))
    }
    const text = hasTexts ? textOf(node, parent) : null
    if (text !== null) add(words.texts, node, text)
    if (node.type === 'ImportDeclaration' || node.type === 'TSLiteralType') return
    for (const child of childrenOf(node)) visit(child, node)
  }
  visit(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node, null)
}

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter((value): value is Node => typeof value === 'object' && value !== null && 'type' in value)
}

function textOf(node: Node, parent: Node | null): string | null {
  if (node.type === 'JSXText') return asText(String(node['value']), false)
  if (node.type === 'TemplateLiteral' && parent?.type !== 'TaggedTemplateExpression') {
    const quasis = node['quasis'] as { value: { cooked: string } }[]
    return asText(quasis.map(({ value }) => value.cooked).join('…'), true)
  }
  if (node.type !== 'Literal' || typeof node['value'] !== 'string') return null
  const attribute = parent?.type === 'JSXAttribute' ? String((parent['name'] as Node)['name']) : null
  if (attribute !== null && !TEXT_ATTRIBUTES.has(attribute)) return null
  return asText(node['value'], attribute === null)
}

/** Labels count where only people read; elsewhere a text needs a space to be told from a key. */
function asText(value: string, needsSpace: boolean): string | null {
  const text = value.replace(/\s+/g, ' ').trim()
  if (!/[A-Za-z]{2}/.test(text) || SQL.test(text)) return null
  if (!needsSpace) return text
  return /[A-Za-z…] [A-Za-z…-]/.test(text) && !/^[\w-]+(:[\w-]+)?( [\w:/[\].-]+)*$/.test(text) ? text : sentence(text)
}

function sentence(text: string): string | null {
  return /^[A-Z][a-z]+( [\w-]+)+[.?]?$/.test(text) ? text : null
}
