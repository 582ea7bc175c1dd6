// Prepares a monitor for the pages it watches, and finds errors in rules.

import { parseSelector } from '../config/values/parse-selector.ts'
import { translatePatterns } from '../config/values/translate-patterns.ts'
import { UrlPatterns } from '../engine/url/url-patterns.ts'
import type { MonitorRow, MonitorRule } from '../ports/monitors.ts'
import type { PageVersion } from '../ports/pages.ts'
import { compilePattern } from './rules/pattern.ts'
import { checkValue } from './rules/value.ts'
import { checkWords } from './rules/words.ts'
import { splitWords } from './text-words.ts'
import type { CheckPage } from './verdict.ts'

export interface CompiledMonitor {
  id: string
  watches(version: PageVersion): boolean
  check: CheckPage
}

/** A sentence for the user, with the field of the rule; null if the rule is fine. */
export function findRuleProblem(rule: MonitorRule): { field: string; message: string } | null {
  switch (rule.kind) {
    case 'words': {
      const empty = rule.words.find((phrase) => splitWords(phrase).count === 0)
      return empty === undefined ? null : { field: 'words', message: `"${empty}" contains no words.` }
    }
    case 'pattern': {
      const compiled = compilePattern(rule.pattern)
      return 'problem' in compiled ? { field: 'pattern', message: compiled.problem } : null
    }
    case 'selector': {
      const parsed = parseSelector(rule.selector)
      return 'problem' in parsed ? { field: 'selector', message: parsed.problem } : null
    }
    case 'copies':
      return null
  }
}

/** The problem of URL patterns; null if there is none. */
export function findUrlPatternProblem(patterns: readonly string[]): string | null {
  const translated = translatePatterns(patterns)
  return Array.isArray(translated) ? null : `Must be ${translated.expected}.`
}

/** `checkCopies` is used by a rule about copies. Throws if the rule is invalid: it was stored by another version. */
export function compileMonitor(monitor: MonitorRow, checkCopies: CheckPage): CompiledMonitor {
  const include = UrlPatterns.compile(monitor.include, 'include')
  const exclude = UrlPatterns.compile(monitor.exclude, 'exclude')
  const crawls = new Set(monitor.crawlIds)
  return {
    id: monitor.id,
    watches: ({ crawlId, url, visitedAt }) =>
      visitedAt >= monitor.createdAt &&
      (crawls.size === 0 || crawls.has(crawlId)) &&
      (include.isEmpty || include.matches(url)) &&
      !exclude.matches(url),
    check: compileRule(monitor.rule, checkCopies),
  }
}

function compileRule(rule: MonitorRule, checkCopies: CheckPage): CheckPage {
  switch (rule.kind) {
    case 'words':
      return checkWords(rule.words)
    case 'pattern': {
      const compiled = compilePattern(rule.pattern)
      if ('problem' in compiled) throw new Error(compiled.problem)
      return compiled.check
    }
    case 'selector': {
      const parsed = parseSelector(rule.selector)
      if ('problem' in parsed) throw new Error(parsed.problem)
      return checkValue(parsed.selector, rule.condition)
    }
    case 'copies':
      return checkCopies
  }
}
