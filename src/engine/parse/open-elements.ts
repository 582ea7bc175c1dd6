import type { Attributes } from './attributes.ts'
import { equalsIgnoringCase } from './characters.ts'
import { BREAKOUTS, HTML_CONTAINERS, NEVER_OPEN, PARAGRAPH_CLOSERS } from './elements.ts'
import { Run } from './run.ts'

export type Namespace = 'html' | 'svg' | 'math'

const SVG = 1
const MATH = 2
// HTML starts again inside these: foreignObject, desc and title of SVG; annotation-xml with HTML in it.
const HTML_POINT = 4
// mi, mo, mn, ms, mtext: HTML, except for two MathML tags.
const TEXT_POINT = 8
const ANNOTATION = 16

const SVG_POINTS: ReadonlySet<string> = new Set(['foreignobject', 'desc', 'title'])
const MATH_POINTS: ReadonlySet<string> = new Set(['mi', 'mo', 'mn', 'ms', 'mtext'])
const UNSEEN_IN_FOREIGN: ReadonlySet<string> = new Set(['style', 'script', 'title', 'desc', 'metadata'])

/**
 * The open elements from the outermost `<svg>`, `<math>` or `<template>` inward; empty on most of a page.
 * Kept as runs of the same kind: a template, foreign elements, HTML elements inside foreign ones. HTML outside of
 * those is not tracked. Only the page reader calls this, once per tag while it is not empty.
 */
export class OpenElements {
  readonly #runs: Run[] = []
  #templates = 0

  get isEmpty(): boolean {
    return this.#runs.length === 0
  }

  get inTemplate(): boolean {
    return this.#templates > 0
  }

  /** Whether the innermost element is SVG or MathML, so that `<![CDATA[` is text. */
  get inForeign(): boolean {
    return this.#top()?.kind === 'foreign'
  }

  get hidesText(): boolean {
    const top = this.#top()
    return this.#templates > 0 || (top?.kind === 'foreign' && UNSEEN_IN_FOREIGN.has(top.lastName))
  }

  openTemplate(): void {
    this.#runs.push(new Run('template'))
    this.#templates++
  }

  openForeign(root: 'svg' | 'math'): void {
    this.#runOf('foreign').push(root, root === 'svg' ? SVG : MATH)
  }

  /** Takes a start tag and says which namespace its element is in. The caller opens svg, math and template itself. */
  start(name: string, attributes: Attributes): Namespace {
    const top = this.#top()
    if (top?.kind === 'foreign' && !isHtmlHere(top.lastMarks, name)) {
      if (!breaksOut(name, attributes)) return this.#startForeign(top, name, attributes)
      this.#leaveForeign()
    }
    if (this.#top()?.kind !== 'template' && !this.isEmpty) this.#startHtml(name)
    return 'html'
  }

  end(name: string): void {
    const top = this.#top()
    if (top === undefined) return
    if (top.kind === 'foreign') this.#endInForeign(top, name)
    else if (name === 'template') this.#closeTemplate()
    else this.#endHtml(name)
  }

  #startForeign(top: Run, name: string, attributes: Attributes): Namespace {
    const isSvg = (top.lastMarks & SVG) !== 0
    if (!attributes.selfClosing) top.push(name, isSvg ? svgMarks(name) : mathMarks(name, attributes))
    return isSvg ? 'svg' : 'math'
  }

  #startHtml(name: string): void {
    if (PARAGRAPH_CLOSERS.has(name)) this.#endHtml('p')
    if (name === 'a' || name === 'button' || name === 'nobr') this.#endHtml(name)
    if (NEVER_OPEN.has(name)) return
    const top = this.#top()
    const siblings = top?.kind === 'html' ? closedBy(name) : undefined
    if (top !== undefined && siblings?.includes(top.lastName)) top.pop()
    this.#runOf('html').push(name, 0)
  }

  #endHtml(name: string): void {
    const top = this.#top()
    if (top?.kind !== 'html' || !top.has(name)) return
    top.popThrough(name)
    if (top.isEmpty) this.#runs.pop()
  }

  #endInForeign(top: Run, name: string): void {
    if (name === 'p' || name === 'br') {
      this.#leaveForeign()
      this.#endHtml(name)
      return
    }
    if (top.has(name)) {
      top.popThrough(name)
      if (top.isEmpty) this.#runs.pop()
      return
    }
    if (name === 'template') {
      this.#closeTemplate()
      return
    }
    const below = this.#runs.at(-2)
    const closesParent = below?.kind === 'html' ? below.has(name) : HTML_CONTAINERS.has(name)
    if (!closesParent) return
    this.#runs.pop()
    this.#endHtml(name)
  }

  #closeTemplate(): void {
    if (this.#templates === 0) return
    while (this.#runs.pop()?.kind !== 'template');
    this.#templates--
  }

  #leaveForeign(): void {
    const top = this.#top()
    if (top?.kind !== 'foreign') return
    while (!top.isEmpty && (top.lastMarks & (HTML_POINT | TEXT_POINT)) === 0) top.pop()
    if (top.isEmpty) this.#runs.pop()
  }

  #top(): Run | undefined {
    return this.#runs[this.#runs.length - 1]
  }

  #runOf(kind: 'foreign' | 'html'): Run {
    const top = this.#top()
    if (top?.kind === kind) return top
    const run = new Run(kind)
    this.#runs.push(run)
    return run
  }
}

function isHtmlHere(marks: number, name: string): boolean {
  if ((marks & HTML_POINT) !== 0) return true
  if ((marks & TEXT_POINT) !== 0) return name !== 'mglyph' && name !== 'malignmark'
  return (marks & ANNOTATION) !== 0 && name === 'svg'
}

function breaksOut(name: string, attributes: Attributes): boolean {
  if (name === 'font') return attributes.has('color') || attributes.has('face') || attributes.has('size')
  return BREAKOUTS.has(name)
}

function svgMarks(name: string): number {
  return SVG_POINTS.has(name) ? SVG | HTML_POINT : SVG
}

function mathMarks(name: string, attributes: Attributes): number {
  if (MATH_POINTS.has(name)) return MATH | TEXT_POINT
  if (name !== 'annotation-xml') return MATH
  const encoding = attributes.get('encoding') ?? ''
  const holdsHtml = equalsIgnoringCase(encoding, 'text/html') || equalsIgnoringCase(encoding, 'application/xhtml+xml')
  return MATH | ANNOTATION | (holdsHtml ? HTML_POINT : 0)
}

/** The open siblings that a start tag of this name ends. */
function closedBy(name: string): string[] {
  switch (name) {
    case 'li':
      return ['li']
    case 'dd':
    case 'dt':
      return ['dd', 'dt']
    case 'option':
      return ['option']
    default:
      return /^h[1-6]$/.test(name) ? ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] : []
  }
}
