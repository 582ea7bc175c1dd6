// Watches the value that a CSS selector selects. The first value seen of a URL is only remembered, except by a condition
// that it fulfils at once.

import type { Selector } from '../../config/values/parse-selector.ts'
import { readTree } from '../../engine/select/page-tree.ts'
import { selectValues } from '../../engine/select/select.ts'
import type { ValueCondition } from '../../ports/monitors.ts'
import type { CheckPage, PageContent } from '../verdict.ts'
import { parseNumber } from './parse-number.ts'

/** A selector may match several elements; their values are lines of one value. */
const MAX_ELEMENTS = 20
const MAX_VALUE = 2000

export function checkValue(selector: Selector, condition: ValueCondition): CheckPage {
  return (content) => {
    const after = readValue(content, selector)
    if (after === 'unreadable') return null
    return async (state) => {
      const before = state === null ? null : (JSON.parse(state) as { value: string | null }).value
      // A page that never had the element is not remembered.
      const newState = after === null && state === null ? null : JSON.stringify({ value: after })
      const isHit = isNews({ before, after, isFirst: state === null }, condition, content.lang)
      return { state: newState, evidence: isHit ? { kind: 'value', before, after } : null }
    }
  }
}

interface Values {
  before: string | null
  after: string | null
  isFirst: boolean
}

function isNews({ before, after, isFirst }: Values, condition: ValueCondition, lang: string | null): boolean {
  if (condition.kind === 'changed') return !isFirst && before !== after
  return fulfils(after, condition, lang) && (isFirst || !fulfils(before, condition, lang))
}

function fulfils(
  value: string | null,
  condition: Exclude<ValueCondition, { kind: 'changed' }>,
  lang: string | null,
): boolean {
  if (value === null) return false
  switch (condition.kind) {
    case 'contains':
      return value.toLowerCase().includes(condition.text.toLowerCase())
    case 'above':
    case 'below': {
      const number = parseNumber(value, lang)
      if (number === null) return false
      return condition.kind === 'above' ? number > condition.limit : number < condition.limit
    }
  }
}

/** Null if no element matches. */
function readValue({ html }: PageContent, selector: Selector): string | null | 'unreadable' {
  const tree = html === null ? null : readTree(html)
  if (tree === null) return 'unreadable'
  const values = selectValues(tree, selector, MAX_ELEMENTS)
  return values.length === 0 ? null : values.join('\n').slice(0, MAX_VALUE)
}
