// Watches the value that a CSS selector selects. The first value seen on a URL is only stored, unless it fulfils the
// condition at once. The last value stays stored while a page cannot be read or has no such element, so that an error
// page is not followed by a hit for an unchanged value.

import type { Selector } from '../../config/values/parse-selector.ts'
import { parseNumber } from '../../engine/extract/parse-number.ts'
import { compileMayMatch, type MayMatch } from '../../engine/select/may-match.ts'
import { selectValues } from '../../engine/select/select.ts'
import type { ValueCondition } from '../../ports/monitors.ts'
import { type CheckPage, keepState, NO_VERDICT, type PageContent } from '../verdict.ts'

/** A selector may match several elements; their values are lines of one value. */
const MAX_ELEMENTS = 20
const MAX_VALUE = 2000

export function checkValue(selector: Selector, condition: ValueCondition): CheckPage {
  const mayMatch = compileMayMatch(selector)
  return (content) => {
    const after = readValue(content, selector, mayMatch)
    if (after === 'unreadable') return keepState
    return async (state) => {
      // A page that never had the element is not remembered.
      if (state === null && after === null) return NO_VERDICT
      const before = state === null ? null : (JSON.parse(state) as SeenValue)
      const seen: SeenValue = after === null ? { value: before?.value ?? null, isMissing: true } : { value: after }
      const isHit = isNews(before, after, condition, content.lang)
      const evidence = isHit ? { kind: 'value' as const, before: before?.value ?? null, after } : null
      return { state: JSON.stringify(seen), evidence }
    }
  }
}

interface SeenValue {
  /** The last one. Null if it was forgotten by an earlier version of this program. */
  value: string | null
  /** The page no longer has such an element. */
  isMissing?: boolean
}

function isNews(
  before: SeenValue | null,
  after: string | null,
  condition: ValueCondition,
  lang: string | null,
): boolean {
  if (condition.kind !== 'changed') {
    return fulfils(after, condition, lang) && !fulfils(before?.value ?? null, condition, lang)
  }
  if (before === null) return false
  return after === null ? before.isMissing !== true && before.value !== null : before.value !== after
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
function readValue(content: PageContent, selector: Selector, mayMatch: MayMatch): string | null | 'unreadable' {
  if (content.html === null) return 'unreadable'
  if (!mayMatch(content.html)) return null
  const tree = content.tree()
  if (tree === null) return 'unreadable'
  const values = selectValues(tree, selector, MAX_ELEMENTS)
  return values.length === 0 ? null : values.join('\n').slice(0, MAX_VALUE)
}
