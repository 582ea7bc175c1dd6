// What is wrong with a value, in plain words. The words of the schema library are for programmers.

import type { z } from 'zod'

type Issue = z.core.$ZodIssue

const KINDS: Record<string, string> = {
  string: 'It must be text.',
  number: 'It must be a number.',
  int: 'It must be a whole number.',
  boolean: 'It must be true or false.',
  array: 'It must be a list.',
  object: 'It must be an object.',
  record: 'It must be an object.',
  null: 'It must be null.',
}

/** Of an issue that has its input. */
export function describeIssue(issue: Issue): string {
  if (issue.input === undefined && issue.code !== 'custom') return 'It is missing.'
  switch (issue.code) {
    case 'invalid_type':
      return KINDS[issue.expected] ?? 'It is of the wrong kind.'
    case 'too_small':
      return describeLimit(issue.origin, 'at least', Number(issue.minimum))
    case 'too_big':
      return describeLimit(issue.origin, 'at most', Number(issue.maximum))
    case 'invalid_value':
      return `It must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}.`
    case 'invalid_format':
      return issue.format === 'regex' ? 'It has a form that is not allowed.' : `It is not a valid ${issue.format}.`
    case 'not_multiple_of':
      return `It must be a multiple of ${issue.divisor}.`
    case 'invalid_union':
      return 'It has none of the forms that are allowed.'
    case 'custom':
      return /[.!?]$/.test(issue.message) ? issue.message : `${issue.message}.`
    default:
      return 'It is not allowed.'
  }
}

function describeLimit(origin: string, bound: 'at least' | 'at most', value: number): string {
  switch (origin) {
    case 'string':
      return `It must have ${bound} ${value} ${value === 1 ? 'character' : 'characters'}.`
    case 'array':
    case 'set':
      return `It must have ${bound} ${value} ${value === 1 ? 'entry' : 'entries'}.`
    default:
      return `It must be ${bound} ${value}.`
  }
}
