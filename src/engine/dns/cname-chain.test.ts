import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { array, assert as check, nat, property } from 'fast-check'
import { type CnameChain, followCnames, type QueryCname } from './cname-chain.ts'

/** Follows the aliases of a table; `queries` counts them. */
function follow(
  aliases: Record<string, string>,
  name: string,
  maxDepth = 8,
): { chain: CnameChain | null; queries: number } {
  const result: { chain: CnameChain | null; queries: number } = { chain: null, queries: 0 }
  const ask: QueryCname = (from, done) => {
    result.queries += 1
    const target = aliases[from]
    if (target === 'broken') done({ kind: 'failed' })
    else done(target === undefined ? { kind: 'none' } : { kind: 'alias', target })
  }
  followCnames({ name, maxDepth }, ask, (cnameChain) => {
    assert.equal(result.chain, null)
    result.chain = cnameChain
  })
  return result
}

describe('followCnames', () => {
  it('ends at a name that is not an alias', () => {
    assert.deepEqual(follow({}, 'a').chain, { names: [], end: 'whole' })
    assert.deepEqual(follow({ a: 'b', b: 'c' }, 'a').chain, { names: ['b', 'c'], end: 'whole' })
  })

  it('cuts a loop', () => {
    assert.deepEqual(follow({ a: 'a' }, 'a').chain, { names: [], end: 'cut' })
    assert.deepEqual(follow({ a: 'b', b: 'a' }, 'a').chain, { names: ['b'], end: 'cut' })
    assert.deepEqual(follow({ a: 'b', b: 'c', c: 'b' }, 'a').chain, { names: ['b', 'c'], end: 'cut' })
  })

  it('is unknown if a query fails', () => {
    assert.deepEqual(follow({ a: 'b', b: 'broken' }, 'a').chain, { names: ['b'], end: 'unknown' })
  })

  it('sends at most one query more than the maximum depth, whatever the aliases', () => {
    check(
      property(array(nat(30), { maxLength: 30 }), nat(10), (targets, maxDepth) => {
        const aliases = Object.fromEntries(targets.map((target, name) => [`n${name}`, `n${target}`]))
        const { chain, queries } = follow(aliases, 'n0', maxDepth)
        assert.ok(chain !== null && chain.names.length <= maxDepth && queries <= maxDepth + 1)
        assert.equal(new Set(['n0', ...chain.names]).size, chain.names.length + 1)
      }),
    )
  })
})
