// Tells from the text of a page that a selector matches nothing in it, which takes a small part of the time of a parser. A
// page passes if every name that the selector requires occurs somewhere in its source.

import type { Compound, Condition, Selector } from '../../config/values/parse-selector.ts'

export type MayMatch = (html: string) => boolean

/** False only if the selector matches no element of the page. */
export function compileMayMatch(selector: Selector): MayMatch {
  return anyOf(selector.map((chain) => allOf(chain.flatMap(requirementsOf))))
}

/** Elements that a parser adds by itself, or makes of an end tag or of another name. */
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
      return [...nameRequirement(condition.name, ''), ...valueRequirement(condition)]
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

/** Other characters may be written as named character references in the source, and so may the letters "fj". */
const PLAIN = /[a-z0-9]{2,}/gi
/** A letter or digit written as a number. */
const ENCODED_LETTER = /&#(?:x0*(?:3\d|[4-7][\da-f])|0*(?:4[89]|[5-9]\d|1[01]\d|12[0-2]))(?![\da-f])/i

function valueRequirement({ value, ignoresCase }: Extract<Condition, { kind: 'attribute' }>): Requirement[] {
  if (ignoresCase) return []
  const parts = (value.match(PLAIN) ?? []).filter((part) => !/fj/i.test(part))
  const longest = parts.reduce((best, part) => (part.length > best.length ? part : best), '')
  if (longest === '') return []
  return [{ cost: 0, isMet: (html) => html.includes(longest) || ENCODED_LETTER.test(html) }]
}

/** In any case. Names with other letters than those of ASCII are left to the parser. */
function nameRequirement(name: string, before: string): Requirement[] {
  if (!/^[\w-]+$/.test(name)) return []
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
