import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromRuleDraft, isRuleComplete, NEW_RULE, type Rule, ruleText, toRuleDraft } from './rule-form.ts'

const RULES: { rule: Rule; text: string }[] = [
  { rule: { kind: 'words', words: ['recall', 'safety notice'] }, text: 'Pages with “recall” or “safety notice”' },
  { rule: { kind: 'pattern', pattern: '\\d{4}' }, text: 'Pages that match \\d{4}' },
  { rule: { kind: 'selector', selector: 'h1', condition: { kind: 'changed' } }, text: 'h1 changes' },
  {
    rule: { kind: 'selector', selector: 'h1', condition: { kind: 'contains', text: 'sold out' } },
    text: 'h1 contains “sold out”',
  },
  {
    rule: { kind: 'selector', selector: '.price', condition: { kind: 'below', limit: 99.5 } },
    text: '.price falls below 99.5',
  },
  { rule: { kind: 'copies', min_words: 50 }, text: 'Copies of 2 documents, of 50 words or more' },
]

test('a rule is described, and survives the form', () => {
  for (const { rule, text } of RULES) {
    assert.equal(ruleText({ rule, documents: 2 }), text)
    assert.deepEqual(fromRuleDraft(toRuleDraft(rule)), rule)
    assert.ok(isRuleComplete(toRuleDraft(rule)))
  }
})

test('a rule is complete with everything that its kind needs', () => {
  assert.ok(!isRuleComplete(NEW_RULE))
  assert.ok(!isRuleComplete({ ...NEW_RULE, kind: 'pattern', pattern: ' ' }))
  const element = { ...NEW_RULE, kind: 'selector', selector: 'h1' } as const
  assert.ok(isRuleComplete(element))
  assert.ok(!isRuleComplete({ ...element, condition: 'contains' }))
  assert.ok(!isRuleComplete({ ...element, condition: 'above', operand: 'ten' }))
  assert.ok(isRuleComplete({ ...element, condition: 'above', operand: '10' }))
  assert.ok(!isRuleComplete({ ...NEW_RULE, kind: 'copies', minWords: '' }))
})
