// The findings that a build accepts: a rule by its name accepts none, and broken-links=5 accepts up to five.

import { closestWord } from '../lib/closest-word.ts'
import { AppError } from '../lib/errors.ts'
import { RULE_NAMES } from './rules.ts'

export interface BudgetLimit {
  rule: string
  max: number
}

export function parseBudget(items: readonly string[]): BudgetLimit[] {
  return items
    .flatMap((item) => item.split(','))
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .map(parseLimit)
}

function parseLimit(item: string): BudgetLimit {
  const [, rule = '', max = '0'] = /^([^=]*)(?:=(.*))?$/.exec(item) ?? []
  checkRule(rule)
  if (!/^\d{1,9}$/.test(max)) throw new AppError('USAGE', `Give a number of findings, as in ${rule}=5, not "${max}".`)
  return { rule, max: Number(max) }
}

export function checkRule(name: string): void {
  if (RULE_NAMES.includes(name)) return
  const suggestion = closestWord(name, RULE_NAMES)
  const hint = suggestion === null ? '' : ` Did you mean ${suggestion}?`
  throw new AppError('USAGE', `There is no rule "${name}".${hint} Rules are ${RULE_NAMES.join(', ')}.`)
}

/** A rule that could not be applied is over its limit too: a build must not pass because nothing was checked. */
export function findExceeded(
  budget: readonly BudgetLimit[],
  rules: readonly { name: string; count: number | null }[],
): BudgetLimit[] {
  return budget.filter(({ rule, max }) => (rules.find(({ name }) => name === rule)?.count ?? Infinity) > max)
}
