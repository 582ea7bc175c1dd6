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
  tex: string
  /** On a line of its own. */
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
  const tex = source === null ? attributeOf(math, 'alttext') : textOf(source)
  if (tex === null || tex.trim() === '') return null
  return { tex: tex.trim().replace(DISPLAY_STYLE, '$1'), isDisplay: attributeOf(math, 'display') === 'block' }
}

function isTexAnnotation(element: TreeElement): boolean {
  return element.tagName === 'annotation' && attributeOf(element, 'encoding') === 'application/x-tex'
}

/** MediaWiki writes it around every formula. */
const DISPLAY_STYLE = /^\{\\displaystyle\s+(.*)\}$/s

/** MathJax 2: the source, which it replaces in a browser. If it has done so, the element has an id. */
function ofScript(script: TreeElement): Formula | null {
  const type = attributeOf(script, 'type') ?? ''
  if (!type.startsWith('math/tex') || attributeOf(script, 'id')?.startsWith('MathJax-') === true) return null
  return { tex: textOf(script).trim(), isDisplay: type.includes('display') }
}

/** Of Pandoc and Sphinx, and of MkDocs. */
const CLASSES: ReadonlySet<string> = new Set(['math', 'arithmatex'])
const DELIMITED = /^(?:\\\((.*)\\\)|\\\[(.*)\\\])$/s
const EQUATION_NUMBER = 'eqno'

function ofDelimitedText(element: TreeElement): Formula | null {
  if (childElements(element).some((child) => !classesOf(child).includes(EQUATION_NUMBER))) return null
  const [, inline, display] = DELIMITED.exec(textOf(element).trim()) ?? []
  const tex = inline ?? display
  return tex === undefined ? null : { tex: tex.trim(), isDisplay: display !== undefined }
}

/** The text that is directly in the element. */
function textOf({ childNodes }: TreeElement): string {
  return childNodes.map((node) => (isElement(node) ? '' : (textValue(node) ?? ''))).join('')
}
