import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { QueryNode } from '../../ports/search.ts'
import { toFtsMatch } from '../sqlite/read/fts-match.ts'
import { interpretQuery } from './interpret-query.ts'
import { normaliseNegations } from './normalise-negations.ts'
import { NO_SYNONYMS } from './synonyms.ts'
import { NO_FORMS } from './word-forms.ts'

const WORDS = ['a', 'b', 'c', 'd']
const { node: nodes } = fc.letrec<{ node: QueryNode }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom(...WORDS).map((term): QueryNode => ({ kind: 'term', terms: [term], isPrefix: false, field: null })),
    fc.record({ kind: fc.constant('not' as const), part: tie('node') }),
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      parts: fc.array(tie('node'), { minLength: 1, maxLength: 3 }),
    }),
  ),
}))

function matches(node: QueryNode, has: ReadonlySet<string>): boolean {
  if (node.kind === 'not') return !matches(node.part, has)
  if ('parts' in node) {
    const each = node.parts.map((part) => matches(part, has))
    return node.kind === 'and' ? each.every(Boolean) : each.some(Boolean)
  }
  return node.terms.some((term) => has.has(term))
}

describe('normalised negations', () => {
  it('drop double negations and keep the meaning of the query', () => {
    fc.assert(
      fc.property(nodes, fc.subarray(WORDS), (node, has) => {
        const normalised = normaliseNegations(node)
        assert.equal(matches(normalised, new Set(has)), matches(node, new Set(has)), JSON.stringify(normalised))
        assert.doesNotMatch(JSON.stringify(normalised), /"not","part":\{"kind":"not"/)
      }),
    )
  })

  it('warn about an exclusion next to OR without a positive part', () => {
    const warningFor = (text: string) =>
      interpretQuery(text, { languages: ['en'], synonyms: NO_SYNONYMS, forms: NO_FORMS, now: 0 }).warning
    assert.match(warningFor('fig OR -pear') ?? '', /ignored an exclusion next to OR/i)
    assert.equal(warningFor('plum (fig OR -pear)'), null)
    assert.equal(warningFor('plum -(fig OR -pear)'), null)
  })

  it('become these index queries', () => {
    const MATCHES = {
      'plum -(-pear)': '("plum" AND "pear")',
      '-(-pear)': '"pear"',
      '-(plum OR -pear)': '("pear" NOT "plum")',
      'fig -(-apple (-pear OR plum))': '("fig" AND ("appl" OR ("pear" NOT "plum")))',
      'fig -(-pear -plum)': '("fig" AND ("pear" OR "plum"))',
      'fig -(pear -plum)': '("fig" NOT ("pear" NOT "plum"))',
      'fig (plum OR -pear)': '("fig" NOT ("pear" NOT "plum"))',
    }
    for (const [query, match] of Object.entries(MATCHES)) {
      const { text } = interpretQuery(query, { languages: ['en'], synonyms: NO_SYNONYMS, forms: NO_FORMS, now: 0 })
      assert.equal(text === null ? null : toFtsMatch(text), match, query)
    }
  })
})
