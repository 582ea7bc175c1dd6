// Changes that a user wants to ignore: lines that match a pattern, and elements that match a CSS selector.

import { parseSelector, type Selector } from '../config/values/parse-selector.ts'
import { removeSelected } from '../engine/select/select.ts'
import { UrlPatterns } from '../engine/url/url-patterns.ts'
import type { CrawlSettings } from '../ports/crawls.ts'

export interface IgnoreRules {
  isIgnored(line: string): boolean
  /** The HTML without ignored elements. */
  removeElements(html: string): string
}

/** Patterns see no more of a line, like of a URL. */
const MAX_LINE = 2000

export const NO_IGNORE_RULES: Pick<CrawlSettings, 'ignoreChanges' | 'ignoreSelectors'> = {
  ignoreChanges: [],
  ignoreSelectors: [],
}

export function compileIgnoreRules({
  ignoreChanges,
  ignoreSelectors,
}: Pick<CrawlSettings, 'ignoreChanges' | 'ignoreSelectors'>): IgnoreRules {
  const patterns = UrlPatterns.compile(ignoreChanges, '--ignore-changes')
  const selectors = ignoreSelectors.flatMap((text): Selector[] => {
    const parsed = parseSelector(text)
    return 'selector' in parsed ? [parsed.selector] : []
  })
  return {
    isIgnored: (line) => !patterns.isEmpty && patterns.matches(line.slice(0, MAX_LINE)),
    removeElements: (html) => (selectors.length === 0 ? html : (removeSelected(html, selectors) ?? html)),
  }
}

const SPECIAL = /[\\^$.*+?()[\]{}|/-]/g
const NUMBER = /\d+(?:[.,:]\d+)*/g

/** A pattern for all versions of a line: its numbers may differ. */
export function patternOfLine(line: string): string {
  const parts = line.trim().slice(0, 500).split(NUMBER)
  const texts = parts.map((part) => part.replace(SPECIAL, '\\$&').replace(/\s+/g, ' '))
  return `^${texts.join('[0-9.,:]+')}`
}
