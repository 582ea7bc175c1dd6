import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { QueryNode } from '../../ports/search.ts'
import { toFtsMatch } from '../sqlite/read/fts-match.ts'
import { interpretQuery } from './interpret-query.ts'
import { normaliseNegations } from './normalise-negations.ts'
import { NO_SYNONYMS } from './synonyms.ts'

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

function fits(node: QueryNode, has: ReadonlySet<string>): boolean {
  if (node.kind === 'not') return !fits(node.part, has)
  if ('parts' in node) {
    const each = node.parts.map((part) => fits(part, has))
    return node.kind === 'and' ? each.every(Boolean) : each.some(Boolean)
  }
  return node.terms.some((term) => has.has(term))
}

describe('what is refused twice', () => {
  it('is wanted, and the query means what it meant', () => {
    fc.assert(
      fc.property(nodes, fc.subarray(WORDS), (node, has) => {
        const settled = normaliseNegations(node)
        assert.equal(fits(settled, new Set(has)), fits(node, new Set(has)), JSON.stringify(settled))
        assert.doesNotMatch(JSON.stringify(settled), /"not","part":\{"kind":"not"/)
      }),
    )
  })

  it('is said when it stands beside OR, and nothing is wanted beside that', () => {
    const noteOf = (text: string) => interpretQuery(text, { languages: ['en'], synonyms: NO_SYNONYMS, now: 0 }).warning
    assert.match(noteOf('fig OR -pear') ?? '', /left out what is refused beside OR/i)
    assert.equal(noteOf('plum (fig OR -pear)'), null)
    assert.equal(noteOf('plum -(fig OR -pear)'), null)
  })

  it('is asked of the index so', () => {
    const READINGS = {
      'plum -(-pear)': '("plum" AND "pear")',
      '-(-pear)': '"pear"',
      '-(plum OR -pear)': '("pear" NOT "plum")',
      'fig -(-apple (-pear OR plum))': '("fig" AND ("appl" OR ("pear" NOT "plum")))',
      'fig -(-pear -plum)': '("fig" AND ("pear" OR "plum"))',
      'fig -(pear -plum)': '("fig" NOT ("pear" NOT "plum"))',
      'fig (plum OR -pear)': '("fig" NOT ("pear" NOT "plum"))',
    }
    for (const [query, match] of Object.entries(READINGS)) {
      const { text } = interpretQuery(query, { languages: ['en'], synonyms: NO_SYNONYMS, now: 0 })
      assert.equal(text === null ? null : toFtsMatch(text), match, query)
    }
  })
})
