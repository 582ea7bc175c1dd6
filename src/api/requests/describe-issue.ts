// Describes validation issues in plain words; the messages of the schema library are meant for programmers.

import type { z } from 'zod'

type Issue = z.core.$ZodIssue

const KINDS: Record<string, string> = {
  string: 'Must be text.',
  number: 'Must be a number.',
  int: 'Must be a whole number.',
  boolean: 'Must be true or false.',
  array: 'Must be a list.',
  object: 'Must be an object.',
  record: 'Must be an object.',
  null: 'Must be null.',
}

/** The issue must have been created with `reportInput`. */
export function describeIssue(issue: Issue): string {
  if (issue.input === undefined && issue.code !== 'custom') return 'Required.'
  switch (issue.code) {
    case 'invalid_type':
      return KINDS[issue.expected] ?? 'Has the wrong type.'
    case 'too_small':
      return describeLimit(issue.origin, 'at least', Number(issue.minimum))
    case 'too_big':
      return describeLimit(issue.origin, 'at most', Number(issue.maximum))
    case 'invalid_value':
      return `Must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}.`
    case 'invalid_format':
      return issue.format === 'regex' ? 'Has an invalid format.' : `Is not a valid ${issue.format}.`
    case 'not_multiple_of':
      return `Must be a multiple of ${issue.divisor}.`
    case 'invalid_union':
      return 'Has none of the allowed forms.'
    case 'custom':
      return /[.!?]$/.test(issue.message) ? issue.message : `${issue.message}.`
    default:
      return 'Is not allowed.'
  }
}

function describeLimit(origin: string, bound: 'at least' | 'at most', value: number): string {
  switch (origin) {
    case 'string':
      return `Must have ${bound} ${value} ${value === 1 ? 'character' : 'characters'}.`
    case 'array':
    case 'set':
      return `Must have ${bound} ${value} ${value === 1 ? 'entry' : 'entries'}.`
    default:
      return `Must be ${bound} ${value}.`
  }
}
