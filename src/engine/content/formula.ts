// Formulas whose TeX source is in the page.

import {
  attributeOf,
  childElements,
  classesOf,
  findElement,
  isElement,
  type TreeElement,
  textValue,
} from './tree-nodes.ts'

export interface Formula {
  /** Without comments, so that its lines can be joined. */
  tex: string
  isDisplay: boolean
}

/** Null if the element is not a formula, or if its source is not known. */
export function formulaOf(element: TreeElement): Formula | null {
  if (element.tagName === 'math') return ofMathMl(element)
  if (element.tagName === 'script') return ofScript(element)
  return classesOf(element).some((name) => CLASSES.has(name)) ? ofDelimitedText(element) : null
}

/** KaTeX, MediaWiki, LaTeXML: MathML for browsers, with its source. */
function ofMathMl(math: TreeElement): Formula | null {
  const source = findElement(math, isTexAnnotation)
  const tex = source === null ? alternativeText(math) : textOf(source)
  return toFormula(tex, attributeOf(math, 'display') === 'block')
}

function isTexAnnotation(element: TreeElement): boolean {
  return element.tagName === 'annotation' && attributeOf(element, 'encoding') === 'application/x-tex'
}

const LATEXML = 'ltx_'
const TEX_SYNTAX = /[\\^_]/
const DOLLARS = /^(\$\$?)(.*)\1$/s

/** Empty if it is not TeX, but a description. */
function alternativeText(math: TreeElement): string {
  const text = attributeOf(math, 'alttext') ?? ''
  const isTex = TEX_SYNTAX.test(text) || classesOf(math).some((name) => name.startsWith(LATEXML))
  return isTex ? text.trim().replace(DOLLARS, '$2') : ''
}

/** MathJax 2: the source, which it replaces in a browser. If it has done so, the element has an id. */
function ofScript(script: TreeElement): Formula | null {
  const type = attributeOf(script, 'type') ?? ''
  if (!type.startsWith('math/tex') || attributeOf(script, 'id')?.startsWith('MathJax-') === true) return null
  return toFormula(textOf(script), type.includes('display'))
}

/** Of Pandoc and Sphinx, and of MkDocs. */
const CLASSES: ReadonlySet<string> = new Set(['math', 'arithmatex'])
const DELIMITED = /^(?:\\\((.*)\\\)|\\\[(.*)\\\])$/s
/** Between two formulas, or between text and a formula. Two backslashes are a line break. */
const INLINE_DELIMITER = /(?<!\\)(?:\\\\)*\\[()]/
const DISPLAY_DELIMITER = /(?<!\\)(?:\\\\)*\\[[\]]/
const EQUATION_NUMBER = 'eqno'

function ofDelimitedText(element: TreeElement): Formula | null {
  if (childElements(element).some((child) => !classesOf(child).includes(EQUATION_NUMBER))) return null
  const [, inline, display] = DELIMITED.exec(textOf(element).trim()) ?? []
  if (inline !== undefined) return INLINE_DELIMITER.test(inline) ? null : toFormula(inline, false)
  if (display !== undefined) return DISPLAY_DELIMITER.test(display) ? null : toFormula(display, true)
  return null
}

/** A comment ends with its line. It also separates a command from the next letter. */
const COMMENT = /(?<!\\)((?:\\\\)*)%[^\n]*(?:\n\s*|$)/g

function toFormula(source: string, isDisplay: boolean): Formula | null {
  const tex = withoutStyle(source.replace(COMMENT, '$1 ').trim())
  return tex === '' ? null : { tex, isDisplay }
}

/** MediaWiki writes it around every formula. */
const STYLE = '{\\displaystyle'

function withoutStyle(tex: string): string {
  if (!tex.startsWith(STYLE) || !/\s/.test(tex.charAt(STYLE.length)) || !isOneGroup(tex)) return tex
  return tex.slice(STYLE.length, -1).trim()
}

/** Whether the brace at the start is closed by the one at the end. */
function isOneGroup(tex: string): boolean {
  let depth = 0
  for (const { 0: part, index } of tex.matchAll(/\\.|[{}]/gs)) {
    if (part === '{') depth += 1
    if (part === '}') depth -= 1
    if (depth === 0) return index === tex.length - 1
  }
  return false
}

/** The text that is directly in the element. */
function textOf({ childNodes }: TreeElement): string {
  return childNodes.map((node) => (isElement(node) ? '' : (textValue(node) ?? ''))).join('')
}
