// Checks the hooks of a program before its crawl starts: a hook with a misspelt name would never be called.

import { closestWord } from '../../lib/closest-word.ts'
import { AppError } from '../../lib/errors.ts'
import type { CrawlHooks } from './serve-hooks.ts'

const FUNCTIONS = ['onRequest', 'shouldFollow', 'extract'] as const satisfies (keyof CrawlHooks)[]
const NAMES = [...FUNCTIONS, 'timeoutMs']
/** The longest timer that Node supports. */
const LONGEST_MS = 2 ** 31 - 1

export function checkHooks(hooks: CrawlHooks): void {
  const wrong = FUNCTIONS.find((name) => !['function', 'undefined'].includes(typeof hooks[name]))
  if (wrong !== undefined) throw new AppError('BAD_CONFIG', `The hook ${wrong} must be a function.`)
  // An instance of a class may have additional fields.
  const unknown = isPlain(hooks) ? Object.keys(hooks).find((name) => !NAMES.includes(name)) : undefined
  if (unknown !== undefined) {
    const meant = closestWord(unknown, NAMES)
    const advice = meant === null ? `Hooks are ${NAMES.join(', ')}.` : `Did you mean ${meant}?`
    throw new AppError('BAD_CONFIG', `There is no hook ${unknown}. ${advice}`)
  }
  const { timeoutMs = 1 } = hooks
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > LONGEST_MS)
    throw new AppError('BAD_CONFIG', `timeoutMs of hooks must be a whole number from 1 to ${LONGEST_MS}.`)
}

function isPlain(hooks: CrawlHooks): boolean {
  const prototype: unknown = Object.getPrototypeOf(hooks)
  return prototype === Object.prototype || prototype === null
}
