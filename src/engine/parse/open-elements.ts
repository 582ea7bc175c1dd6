import type { Attributes } from './attributes.ts'
import { equalsIgnoringCase } from './characters.ts'
import { BREAKOUTS, HTML_CONTAINERS, NEVER_OPEN, PARAGRAPH_CLOSERS } from './element-names.ts'
import { ElementStack, FOREIGN, HTML, TEMPLATE } from './element-stack.ts'

export type Namespace = 'html' | 'svg' | 'math'

// Marks foreign elements as SVG; without it, they are MathML.
const SVG = 8
// HTML starts again inside these: foreignObject, desc and title of SVG; annotation-xml with HTML content.
const HTML_INTEGRATION_POINT = 16
// mi, mo, mn, ms, mtext: HTML, except for two MathML tags.
const MATHML_TEXT_POINT = 32
const ANNOTATION = 64

const SVG_POINTS: ReadonlySet<string> = new Set(['foreignobject', 'desc', 'title'])
const MATH_POINTS: ReadonlySet<string> = new Set(['mi', 'mo', 'mn', 'ms', 'mtext'])
const HEADINGS: ReadonlySet<string> = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
const HIDDEN_IN_FOREIGN: ReadonlySet<string> = new Set(['style', 'script', 'title', 'desc', 'metadata', 'annotation'])
/** KaTeX writes a formula twice: in MathML, which it hides, and in HTML. */
const HIDDEN_MATH = /katex-mathml["']?>\s{0,9}<math\b[^<>]{0,200}>$/
const MAX_HIDDEN_MATH = 250

// Limit on backward searches for the start of an element that is closed from inside SVG: more is an attack.
const MAX_BACK_SEARCHES = 8

/**
 * The open elements from the outermost `<svg>`, `<math>` or `<template>` inward; empty on most of a page. HTML is
 * tracked only inside SVG and MathML, to know when it ends there. Only the page reader calls this, once per tag while
 * it is not empty.
 */
export class OpenElements {
  readonly #html: string
  readonly #stack = new ElementStack()
  #templates = 0
  #rootEnd = 0
  /** Depth of the MathML that is hidden. */
  #hiddenFrom = Number.POSITIVE_INFINITY
  #backSearches = 0

  constructor(html: string) {
    this.#html = html
  }

  get isEmpty(): boolean {
    return this.#stack.size === 0
  }

  get inTemplate(): boolean {
    return this.#templates > 0
  }

  /** Whether the innermost element is SVG or MathML, so that `<![CDATA[` is text. */
  get inForeign(): boolean {
    return (this.#stack.marks & FOREIGN) !== 0
  }

  get hidesText(): boolean {
    if (this.isEmpty) return false
    if (this.#templates > 0 || this.#stack.size >= this.#hiddenFrom) return true
    return this.inForeign && HIDDEN_IN_FOREIGN.has(this.#stack.name)
  }

  openTemplate(): void {
    if (this.#stack.push('template', TEMPLATE)) this.#templates++
  }

  /** `end` is the end of the tag. */
  openForeign(root: 'svg' | 'math', end: number): void {
    if (!this.inForeign) {
      this.#rootEnd = end
      const isHidden = root === 'math' && HIDDEN_MATH.test(this.#html.slice(Math.max(0, end - MAX_HIDDEN_MATH), end))
      this.#hiddenFrom = isHidden ? this.#stack.size + 1 : Number.POSITIVE_INFINITY
    }
    this.#stack.push(root, root === 'svg' ? FOREIGN | SVG : FOREIGN)
  }

  /** Handles a start tag and returns the namespace of its element. The caller opens svg, math and template itself. */
  start(name: string, attributes: Attributes): Namespace {
    const { marks } = this.#stack
    if ((marks & FOREIGN) !== 0 && !isHtmlIntegrationPoint(marks, name)) {
      if (!breaksOut(name, attributes)) return this.#startForeign(name, attributes)
      this.#leaveForeign()
    }
    if ((this.#stack.marks & (FOREIGN | HTML)) !== 0) this.#startHtml(name)
    return 'html'
  }

  end(name: string): void {
    if (this.inForeign) this.#endInForeign(name)
    else if (name === 'template') this.#closeTemplate()
    else this.#endHtml(name)
  }

  #startForeign(name: string, attributes: Attributes): Namespace {
    const isSvg = (this.#stack.marks & SVG) !== 0
    if (!attributes.selfClosing) this.#stack.push(name, isSvg ? svgMarks(name) : mathMarks(name, attributes))
    return isSvg ? 'svg' : 'math'
  }

  #startHtml(name: string): void {
    if (PARAGRAPH_CLOSERS.has(name)) this.#endHtml('p')
    if (name === 'a' || name === 'button' || name === 'nobr') this.#endHtml(name)
    if (NEVER_OPEN.has(name)) return
    if ((this.#stack.marks & HTML) !== 0 && endsSibling(name, this.#stack.name)) this.#stack.pop()
    this.#stack.push(name, HTML)
  }

  #endHtml(name: string): void {
    if ((this.#stack.marks & HTML) === 0) return
    const at = this.#stack.findInRun(name)
    if (at !== -1) this.#stack.popTo(at)
  }

  #endInForeign(name: string): void {
    if (name === 'p' || name === 'br') {
      this.#leaveForeign()
      this.#endHtml(name)
      return
    }
    const at = this.#stack.findInRun(name)
    if (at !== -1) this.#stack.popTo(at)
    else if (name === 'template') this.#closeTemplate()
    else this.#endOutside(name)
  }

  /** An end tag inside SVG or MathML that can only belong to an HTML element around it. */
  #endOutside(name: string): void {
    if ((this.#stack.outerMarks & HTML) !== 0) {
      const at = this.#stack.findInOuterRun(name)
      if (at !== -1) this.#stack.popTo(at)
    } else if (this.#isOpenOutside(name)) {
      this.#stack.popTo(this.#stack.runStart)
    }
  }

  /** Elements outside are not tracked, so their tags are counted on demand: in practice, never. */
  #isOpenOutside(name: string): boolean {
    if (this.#backSearches === MAX_BACK_SEARCHES || !HTML_CONTAINERS.has(name)) return false
    this.#backSearches++
    let depth = 0
    const tags = new RegExp(`<(/?)${name}[\\t\\n\\f\\r />]`, 'gi')
    for (const [, slash] of this.#html.slice(0, this.#rootEnd).matchAll(tags)) {
      depth = slash === '' ? depth + 1 : Math.max(0, depth - 1)
    }
    return depth > 0
  }

  #closeTemplate(): void {
    if (this.#templates === 0) return
    while ((this.#stack.marks & TEMPLATE) === 0) this.#stack.pop()
    this.#stack.pop()
    this.#templates--
  }

  #leaveForeign(): void {
    while (this.inForeign && (this.#stack.marks & (HTML_INTEGRATION_POINT | MATHML_TEXT_POINT)) === 0) this.#stack.pop()
  }
}

function isHtmlIntegrationPoint(marks: number, name: string): boolean {
  if ((marks & HTML_INTEGRATION_POINT) !== 0) return true
  if ((marks & MATHML_TEXT_POINT) !== 0) return name !== 'mglyph' && name !== 'malignmark'
  return (marks & ANNOTATION) !== 0 && name === 'svg'
}

function breaksOut(name: string, attributes: Attributes): boolean {
  if (name === 'font') return attributes.has('color') || attributes.has('face') || attributes.has('size')
  return BREAKOUTS.has(name)
}

function svgMarks(name: string): number {
  return SVG_POINTS.has(name) ? FOREIGN | SVG | HTML_INTEGRATION_POINT : FOREIGN | SVG
}

function mathMarks(name: string, attributes: Attributes): number {
  if (MATH_POINTS.has(name)) return FOREIGN | MATHML_TEXT_POINT
  if (name !== 'annotation-xml') return FOREIGN
  const encoding = attributes.get('encoding') ?? ''
  const holdsHtml = equalsIgnoringCase(encoding, 'text/html') || equalsIgnoringCase(encoding, 'application/xhtml+xml')
  return FOREIGN | ANNOTATION | (holdsHtml ? HTML_INTEGRATION_POINT : 0)
}

/** Whether a start tag closes the element that is currently open. */
function endsSibling(name: string, open: string): boolean {
  switch (name) {
    case 'li':
    case 'option':
      return open === name
    case 'dd':
    case 'dt':
      return open === 'dd' || open === 'dt'
    default:
      return HEADINGS.has(name) && HEADINGS.has(open)
  }
}
