// Writes the text of a paragraph, heading or cell: emphasis, code, links and images.

import { type Formula, formulaOf } from '../formula.ts'
import { attributeOf, classesOf, isElement, type TreeElement, type TreeNode, textValue } from '../tree-nodes.ts'
import { collapseText } from './collapse-text.ts'
import { escapeText, inlineCode, linkTarget } from './escape-text.ts'
import { headingAnchor } from './heading-anchor.ts'

export interface InlineSettings {
  baseUrl: string
  dropped: ReadonlySet<TreeElement>
  budget: MarkdownBudget
}

/** Remaining characters. A short link can have a long target, so targets count separately from the text. */
export interface MarkdownBudget {
  targets: number
  targetCharacters: number
}

const CODE: ReadonlySet<string> = new Set(['code', 'kbd', 'samp', 'tt'])
const MARKS: Readonly<Record<string, string>> = {
  strong: '**',
  b: '**',
  em: '*',
  i: '*',
  cite: '*',
  del: '~~',
  s: '~~',
  strike: '~~',
}
/** Replaces a line break until spaces are collapsed. */
const BREAK = '\u0001'

/** Every level copies the text inside. Deeper ones are text without emphasis and links. */
const MAX_DEPTH = 16

/** A line for each line break. */
export function writeInline(nodes: readonly TreeNode[], settings: InlineSettings): string[] {
  const text = nodes.map((node) => writeNode(node, settings, { depth: 0, isLinked: false })).join('')
  return text
    .split(BREAK)
    .map((line) => collapseText(line))
    .filter(Boolean)
}

interface InlinePlace {
  depth: number
  /** Links cannot be nested. */
  isLinked: boolean
}

function writeNode(node: TreeNode, settings: InlineSettings, { depth, isLinked }: InlinePlace): string {
  if (!isElement(node)) return escapeText(collapseText(textValue(node) ?? '', false))
  if (settings.dropped.has(node)) return ''
  if (depth > MAX_DEPTH) return escapeText(collapseText(plainText(node, settings.dropped), false))
  const name = node.tagName
  const place = { depth: depth + 1, isLinked: isLinked || name === 'a' }
  if (name === 'br') return BREAK
  if (name === 'img') return writeImage(node, settings)
  if (name === 'wbr') return ''
  if (CODE.has(name)) return writeCode(node, settings, isLinked)
  const formula = formulaOf(node)
  if (formula !== null) return writeFormula(formula)
  const inner = node.childNodes.map((child) => writeNode(child, settings, place)).join('')
  if (name === 'a') return isLinked ? inner : writeLink(node, inner, settings)
  if (name === 'q') return `"${inner}"`
  const mark = MARKS[name]
  return mark === undefined || inner.includes(BREAK) ? inner : wrap(inner, mark)
}

/** Spaces stay outside, since a mark next to a space means nothing. The marks of other emphasis inside go. */
function wrap(inner: string, mark: string): string {
  const text = inner.trim()
  if (text === '' || /^\W*$/u.test(text) || text.includes(mark)) return inner
  const start = inner.startsWith(' ') ? ' ' : ''
  return `${start}${mark}${text}${mark}${inner.endsWith(' ') ? ' ' : ''}`
}

/** Links inside code keep their target: references in API documentation are made of them. */
function writeCode(element: TreeElement, settings: InlineSettings, isLinked: boolean): string {
  const text = plainText(element, settings.dropped)
  const [only, ...others] = element.childNodes.filter(
    (node) => isElement(node) || (textValue(node) ?? '').trim() !== '',
  )
  if (only !== undefined && others.length === 0 && isElement(only) && only.tagName === 'a' && !isLinked) {
    return linkAround(inlineCode(text), only, settings)
  }
  return inlineCode(text)
}

/** Anchors that only mark a heading, shown as a symbol. */
const PERMALINK = /^[^\p{L}\p{N}]{0,3}$/u
const PERMALINK_CLASSES: ReadonlySet<string> = new Set([
  'headerlink',
  'permalink',
  'anchor',
  'header-anchor',
  'selflink',
])

function writeLink(element: TreeElement, inner: string, settings: InlineSettings): string {
  const href = attributeOf(element, 'href')
  if (href === null || inner.trim() === '') return inner
  if (href.startsWith('#') && PERMALINK.test(inner.trim())) return ''
  if (href.startsWith('#') && isHeadingToItself(element, href.slice(1))) return inner
  if (classesOf(element).some((name) => PERMALINK_CLASSES.has(name)) && inner.trim().length <= 2) return ''
  return linkAround(inner, element, settings)
}

/** A heading with more parts is not one link, and its text is not read for each of them. */
const MAX_PARTS = 8

/** mdBook and Asciidoctor link each heading to itself. */
function isHeadingToItself(link: TreeElement, fragment: string): boolean {
  const { parentNode } = link
  if (parentNode === null || !('tagName' in parentNode) || !/^h[1-6]$/.test(parentNode.tagName)) return false
  if (parentNode.childNodes.length > MAX_PARTS) return false
  const anchors = [attributeOf(link, 'id'), attributeOf(link, 'name'), headingAnchor(parentNode)]
  if (!anchors.includes(fragment) && !anchors.includes(decodeFragment(fragment))) return false
  return plainText(parentNode, NONE).trim() === plainText(link, NONE).trim()
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    // Not every percent sign begins an escape.
    return fragment
  }
}

const NONE: ReadonlySet<TreeElement> = new Set()

export function linkAround(inner: string, link: TreeElement, settings: InlineSettings): string {
  const text = inner.trim()
  if (text === '' || text.includes(BREAK)) return inner
  const target = spendTarget(attributeOf(link, 'href') ?? '', settings)
  if (target === null) return inner
  return `${inner.startsWith(' ') ? ' ' : ''}[${text}](${target})${inner.endsWith(' ') ? ' ' : ''}`
}

/** What would end a formula before its end, or let a backtick in it pair with one after it. */
const FORMULA_END = /(?<!\\)(?:\\\\)*(?:\$|\\$)|`/
/** What some Markdown readers take for HTML or a link even inside a formula. TeX ignores a space there. */
const MARKUP = /<(?=[a-z/!?])|\](?=\()/gi

function writeFormula({ tex, isDisplay }: Formula): string {
  const source = collapseText(tex)
  if (FORMULA_END.test(source)) return escapeText(source)
  const mark = isDisplay ? '$$' : '$'
  return `${mark}${source.replace(MARKUP, '$& ')}${mark}`
}

function writeImage(element: TreeElement, settings: InlineSettings): string {
  const alt = collapseText(attributeOf(element, 'alt') ?? '')
  const source = attributeOf(element, 'src') ?? attributeOf(element, 'data-src')
  const target = source === null ? null : spendTarget(source, settings)
  return target === null ? escapeText(alt) : `![${escapeText(alt)}](${target})`
}

function spendTarget(href: string, { baseUrl, budget }: InlineSettings): string | null {
  if (budget.targets <= 0 || budget.targetCharacters <= 0) return null
  budget.targets -= 1
  const target = linkTarget(href, baseUrl)
  budget.targetCharacters -= target?.length ?? 0
  return target
}

/** The text of an element, with its line breaks. */
export function plainText(element: TreeElement, dropped: ReadonlySet<TreeElement>): string {
  const parts: string[] = []
  collectText(element, dropped, parts)
  return parts.join('')
}

function collectText({ childNodes }: TreeElement, dropped: ReadonlySet<TreeElement>, parts: string[]): void {
  for (const child of childNodes) {
    if (!isElement(child)) parts.push(textValue(child) ?? '')
    else if (child.tagName === 'br') parts.push('\n')
    else if (!dropped.has(child) && !isLineNumber(child)) collectText(child, dropped, parts)
  }
}

const LINE_NUMBERS: ReadonlySet<string> = new Set(['lineno', 'linenos', 'linenumber', 'line-number', 'ln', 'lnt'])
/** Elsewhere, a gutter is the space between two columns of content. */
const CELL_OF_LINE_NUMBERS = 'gutter'

export function isLineNumber(element: TreeElement): boolean {
  return classesOf(element).some(
    (name) => LINE_NUMBERS.has(name.toLowerCase()) || (name === CELL_OF_LINE_NUMBERS && element.tagName === 'td'),
  )
}
