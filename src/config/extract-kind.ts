// The setting with the rules of own fields.

import { InvalidValue, type SettingKind } from './setting-kinds.ts'
import {
  EXTRACT_RULE_SCHEMA,
  type ExtractRule,
  findDoubleName,
  InvalidRule,
  MAX_RULES,
  parseExtractRule,
} from './values/extract-rules.ts'

/** Rules as objects, or each as JSON text. On the command line and in files also names of files with a list of rules. */
export function extractRules(): SettingKind<ExtractRule[]> {
  return {
    placeholder: 'FILE',
    schema: { type: 'array', items: EXTRACT_RULE_SCHEMA, maxItems: MAX_RULES },
    isList: true,
    isReadFromFiles: true,
    parse(raw) {
      const items = typeof raw === 'string' ? raw.split('\n').filter(Boolean) : raw
      if (!Array.isArray(items)) return new InvalidValue('a list of rules')
      if (items.length > MAX_RULES) return new InvalidValue(`at most ${MAX_RULES} rules`, `a list of ${items.length}`)
      const rules: ExtractRule[] = []
      for (const item of items) {
        const rule = parseExtractRule(item)
        if (rule instanceof InvalidRule) return new InvalidValue(rule.expected, item)
        rules.push(rule)
      }
      const double = findDoubleName(rules)
      return double === null ? rules : new InvalidValue('a list of rules with different names', double)
    },
  }
}
