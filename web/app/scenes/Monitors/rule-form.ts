// The rule of a monitor in words, and its conversion to and from the fields of the form.

import type { RouteRequest, RouteResponse } from '../../../../src/api/contract/routes.ts'
import { splitLines } from '../../text/crawl-settings.ts'
import { formatNumber, plural } from '../../text/format.ts'

export type Monitor = RouteResponse<'getMonitor'>
export type Rule = Monitor['rule']
export type RuleKind = Rule['kind']
export type NewRule = RouteRequest<'createMonitor'>['body']['rule']
type Condition = Extract<Rule, { kind: 'selector' }>['condition']
export type ConditionKind = Condition['kind']

export const RULE_LABELS: Record<RuleKind, string> = {
  words: 'Words',
  pattern: 'Pattern',
  selector: 'Element of the page',
  copies: 'Copies of documents',
}

export const CONDITION_LABELS: Record<ConditionKind, string> = {
  changed: 'Changes',
  contains: 'Contains',
  above: 'Rises above',
  below: 'Falls below',
}

export const RULE_KINDS = Object.keys(RULE_LABELS) as RuleKind[]
export const CONDITION_KINDS = Object.keys(CONDITION_LABELS) as ConditionKind[]

export interface RuleDraft {
  kind: RuleKind
  /** Words, one per line. */
  words: string
  pattern: string
  selector: string
  condition: ConditionKind
  /** The text or limit of the condition. */
  operand: string
  minWords: string
}

export const NEW_RULE: RuleDraft = {
  kind: 'words',
  words: '',
  pattern: '',
  selector: '',
  condition: 'changed',
  operand: '',
  minWords: '50',
}

export function toRuleDraft(rule: Rule): RuleDraft {
  switch (rule.kind) {
    case 'words':
      return { ...NEW_RULE, kind: rule.kind, words: rule.words.join('\n') }
    case 'pattern':
      return { ...NEW_RULE, kind: rule.kind, pattern: rule.pattern }
    case 'selector': {
      const { selector, condition } = rule
      return { ...NEW_RULE, kind: rule.kind, selector, condition: condition.kind, operand: operandOf(condition) }
    }
    case 'copies':
      return { ...NEW_RULE, kind: rule.kind, minWords: String(rule.min_words) }
  }
}

/** The server validates the values. */
export function fromRuleDraft(draft: RuleDraft): NewRule {
  switch (draft.kind) {
    case 'words':
      return { kind: draft.kind, words: splitLines(draft.words) }
    case 'pattern':
      return { kind: draft.kind, pattern: draft.pattern.trim() }
    case 'selector':
      return { kind: draft.kind, selector: draft.selector.trim(), condition: toCondition(draft) }
    case 'copies':
      return { kind: draft.kind, min_words: Number(draft.minWords) }
  }
}

/** Whether everything that the rule needs is filled in. */
export function isRuleComplete(draft: RuleDraft): boolean {
  switch (draft.kind) {
    case 'words':
      return splitLines(draft.words).length > 0
    case 'pattern':
      return draft.pattern.trim() !== ''
    case 'selector':
      return draft.selector.trim() !== '' && isConditionComplete(draft)
    case 'copies':
      return isNumber(draft.minWords)
  }
}

function isConditionComplete({ condition, operand }: RuleDraft): boolean {
  if (condition === 'changed') return true
  return condition === 'contains' ? operand.trim() !== '' : isNumber(operand)
}

function isNumber(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text))
}

function toCondition({ condition, operand }: RuleDraft): Condition {
  switch (condition) {
    case 'changed':
      return { kind: condition }
    case 'contains':
      return { kind: condition, text: operand.trim() }
    case 'above':
    case 'below':
      return { kind: condition, limit: Number(operand) }
  }
}

function operandOf(condition: Condition): string {
  switch (condition.kind) {
    case 'changed':
      return ''
    case 'contains':
      return condition.text
    case 'above':
    case 'below':
      return String(condition.limit)
  }
}

/** What a monitor watches for, in one sentence. */
export function ruleText({ rule, documents }: Pick<Monitor, 'rule' | 'documents'>): string {
  switch (rule.kind) {
    case 'words':
      return `Pages with ${rule.words.map((word) => `“${word}”`).join(' or ')}`
    case 'pattern':
      return `Pages that match ${rule.pattern}`
    case 'selector':
      return `${rule.selector} ${conditionText(rule.condition)}`
    case 'copies':
      return `Copies of ${plural(documents, 'document')}, of ${formatNumber(rule.min_words)} words or more`
  }
}

function conditionText(condition: Condition): string {
  const label = CONDITION_LABELS[condition.kind].toLowerCase()
  return condition.kind === 'contains' ? `${label} “${condition.text}”` : `${label} ${operandOf(condition)}`.trim()
}
