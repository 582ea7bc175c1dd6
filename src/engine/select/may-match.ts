// Tells from the text of a page that a selector matches nothing in it, which takes a small part of the time of a parser. A
// page passes if every name that the selector requires occurs somewhere in its source.

import type { Compound, Condition, Selector } from '../../config/values/parse-selector.ts'

export type MayMatch = (html: string) => boolean

/** False only if the selector matches no element of the page. */
export function compileMayMatch(selector: Selector): MayMatch {
  return anyOf(selector.map((chain) => allOf(chain.flatMap(requirementsOf))))
}

/** Elements that a parser adds by itself, or creates for an end tag or another name. */
const IMPLIED_ELEMENTS = new Set(['html', 'head', 'body', 'tbody', 'tr', 'colgroup', 'p', 'br', 'img'])

interface Requirement {
  /** Cheaper and more selective ones are checked first. */
  cost: number
  isMet: MayMatch
}

function requirementsOf({ conditions }: Compound): Requirement[] {
  return conditions.flatMap(requirementOf)
}

function requirementOf(condition: Condition): Requirement[] {
  switch (condition.kind) {
    case 'name':
      return IMPLIED_ELEMENTS.has(condition.name) ? [] : nameRequirement(condition.name, '<')
    case 'attribute':
      if (condition.test === 'not') return []
      return attributeRequirement(condition)
    case 'matches':
      return condition.isNegated ? [] : [{ cost: 2, isMet: compileMayMatch(condition.selector) }]
    case 'has':
      return [{ cost: 2, isMet: compileMayMatch(condition.selector) }]
    case 'position':
    case 'empty':
    case 'root':
      return []
  }
}

const ASCII_NAME = /^[\w-]+$/
const UNQUOTED_END = /[\t\n\f\r >]/g
/** Other characters may be written as named character references in the source, and so may the letters "fj". */
const PLAIN = /[a-z0-9]{2,}/gi
/** A letter or digit written as a number. */
const ENCODED_LETTER = /&#(?:x0*(?:3\d|[4-7][\da-f])(?![\da-f])|0*(?:4[89]|[5-9]\d|1[01]\d|12[0-2])(?!\d))/iy

function attributeRequirement({ name, value, ignoresCase }: Extract<Condition, { kind: 'attribute' }>): Requirement[] {
  const parts = ignoresCase ? [] : (value.match(PLAIN) ?? []).filter((part) => !/fj/i.test(part))
  const longest = parts.reduce((best, part) => (part.length > best.length ? part : best), '')
  if (longest === '' || !ASCII_NAME.test(name)) return nameRequirement(name, '')
  const isMet: MayMatch = (html) => hasInValue(html, name, longest) || hasEncodedLetter(html)
  return [{ cost: 0, isMet }]
}

/**
 * Whether a value of an attribute with this name contains the text. Each search starts where the previous one ended:
 * linear time.
 */
function hasInValue(html: string, name: string, text: string): boolean {
  let textAt = html.indexOf(text)
  if (textAt === -1) return false
  const ends = { '"': -1, "'": -1, unquoted: -1 }
  for (const { index, 0: before } of html.matchAll(new RegExp(`${name}\\s*=\\s*`, 'gi'))) {
    const start = index + before.length
    if (textAt < start) textAt = html.indexOf(text, start)
    if (textAt === -1) return false
    const first = html[start]
    const kind = first === '"' || first === "'" ? first : 'unquoted'
    const from = kind === 'unquoted' ? start : start + 1
    if (ends[kind] < from) ends[kind] = endOfValue(html, kind, from)
    if (textAt + text.length <= ends[kind]) return true
  }
  return false
}

function endOfValue(html: string, kind: '"' | "'" | 'unquoted', from: number): number {
  if (kind !== 'unquoted') return orEnd(html.indexOf(kind, from), html)
  UNQUOTED_END.lastIndex = from
  return UNQUOTED_END.exec(html)?.index ?? html.length
}

function orEnd(index: number, html: string): number {
  return index === -1 ? html.length : index
}

/** Searching for the first two characters takes a tenth of the time that the pattern would take. */
function hasEncodedLetter(html: string): boolean {
  for (let at = html.indexOf('&#'); at !== -1; at = html.indexOf('&#', at + 2)) {
    ENCODED_LETTER.lastIndex = at
    if (ENCODED_LETTER.test(html)) return true
  }
  return false
}

/** Searches for the name in any case. Names with letters other than ASCII are left to the parser. */
function nameRequirement(name: string, before: string): Requirement[] {
  if (!ASCII_NAME.test(name)) return []
  const pattern = new RegExp(before + name, 'i')
  return [{ cost: 1, isMet: (html) => pattern.test(html) }]
}

function allOf(requirements: Requirement[]): MayMatch {
  const inOrder = requirements.toSorted((a, b) => a.cost - b.cost)
  return (html) => inOrder.every(({ isMet }) => isMet(html))
}

function anyOf(alternatives: MayMatch[]): MayMatch {
  return (html) => alternatives.some((mayMatch) => mayMatch(html))
}
