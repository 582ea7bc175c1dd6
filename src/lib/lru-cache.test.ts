import assert from 'node:assert/strict'
import { it } from 'node:test'
import { array, assert as check, constantFrom, integer, property, tuple } from 'fast-check'
import { LruCache } from './lru-cache.ts'

it('an LruCache holds the most recently used keys, up to its size', () => {
  const step = tuple(constantFrom('get', 'peek', 'set'), constantFrom('a', 'b', 'c', 'd', 'e', 'f'))
  check(
    property(integer({ min: 1, max: 4 }), array(step), (max, steps) => {
      const map = new LruCache<number>(max)
      let model: [string, number][] = []
      for (const [index, [verb, key]] of steps.entries()) {
        const known = model.find(([name]) => name === key)
        if (verb !== 'set') assert.equal(verb === 'get' ? map.get(key) : map.peek(key), known?.[1])
        const used: [string, number] | undefined = verb === 'set' ? [key, index] : known
        if (verb === 'set') map.set(key, index)
        if (verb !== 'peek' && used !== undefined) {
          model = [...model.filter(([name]) => name !== key), used].slice(-max)
        }
        assert.equal(map.size, model.length)
      }
    }),
  )
})
