// Reads the rule of a monitor from the arguments of `monitors add`.

import type { ClientResponse } from '../../api/client.ts'
import { AppError } from '../../lib/errors.ts'

type Rule = ClientResponse<'getMonitor'>['rule']
type Condition = Extract<Rule, { kind: 'selector' }>['condition']

export interface ParsedRule {
  rule: Rule
  /** Files and URLs of documents. */
  documents: string[]
}

const DEFAULT_MIN_WORDS = 50
const RULE_USAGE =
  'Name a rule: words <word>..., pattern <regex>, selector <css> changed|contains <text>|above <number>|below <number>, or copies <file or URL>...'

export function parseRule([kind, ...args]: string[]): ParsedRule {
  const [first] = args
  if (first === undefined) throw new AppError('USAGE', RULE_USAGE)
  switch (kind) {
    case 'words':
      return { rule: { kind: 'words', words: args }, documents: [] }
    case 'pattern':
      return { rule: { kind: 'pattern', pattern: first }, documents: [] }
    case 'selector':
      return { rule: { kind: 'selector', selector: first, condition: parseCondition(args.slice(1)) }, documents: [] }
    case 'copies':
      return { rule: { kind: 'copies', min_words: DEFAULT_MIN_WORDS }, documents: args }
    default:
      throw new AppError('USAGE', RULE_USAGE)
  }
}

function parseCondition([kind = 'changed', value]: string[]): Condition {
  switch (kind) {
    case 'changed':
      return { kind }
    case 'contains':
      if (value === undefined) throw new AppError('USAGE', 'Name the text that the selected element contains.')
      return { kind, text: value }
    case 'above':
    case 'below': {
      const limit = Number(value)
      if (value === undefined || !Number.isFinite(limit)) {
        throw new AppError('USAGE', `Name a number: selector <css> ${kind} <number>.`)
      }
      return { kind, limit }
    }
    default:
      throw new AppError('USAGE', RULE_USAGE)
  }
}
