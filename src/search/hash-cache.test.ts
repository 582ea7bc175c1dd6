import assert from 'node:assert/strict'
import { it } from 'node:test'
import { HashCache } from './hash-cache.ts'
import { textHash } from './text-hash.ts'

it('a hash is known until another takes its slot or everything is cleared', () => {
  const cache = new HashCache(16)
  const [first, second] = [textHash('first'), textHash('second')]
  assert.equal(cache.has(first), false)
  cache.add(first)
  cache.add(second)
  assert.deepEqual([cache.has(first), cache.has(second)], [(first & 15) !== (second & 15), true])
  cache.add(second + 16)
  assert.equal(cache.has(second), false)
  cache.clear()
  assert.equal(cache.has(second + 16), false)
})
