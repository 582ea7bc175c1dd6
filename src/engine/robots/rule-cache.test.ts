import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type CachedRules, RobotsRuleCache } from './rule-cache.ts'

const MIB = 1024 * 1024

function rulesOf(bytes: number): CachedRules {
  return { rules: { kind: 'allow' }, expiresAt: 1, goodAt: null, bytes, sitemaps: [] }
}

describe('the rule cache', () => {
  it('holds at most ten thousand origins', () => {
    const cache = new RobotsRuleCache()
    for (let i = 0; i < 10_500; i++) cache.set(`http://h${i}.test`, rulesOf(0))
    let count = 0
    for (let i = 0; i < 10_500; i++) if (cache.get(`http://h${i}.test`) !== undefined) count += 1
    assert.ok(count <= 10_000 && count > 9000, `${count}`)
  })

  it('holds at most four megabytes of files, including the latest ones', () => {
    const cache = new RobotsRuleCache()
    const names = Array.from({ length: 20 }, (_, i) => `http://h${i}.test`)
    for (const name of names) {
      cache.set(name, rulesOf(MIB))
      assert.notEqual(cache.get(name), undefined)
      // Setting them again takes no more room.
      cache.set(name, rulesOf(MIB))
    }
    const left = names.filter((name) => cache.get(name) !== undefined).length
    assert.ok(left === 3 || left === 4, `${left}`)
    cache.set('http://large.test', rulesOf(5 * MIB))
    assert.notEqual(cache.get('http://large.test'), undefined)
    assert.equal(names.filter((name) => cache.get(name) !== undefined).length, 0)
  })

  it('does not evict many entries for a few large files', () => {
    const cache = new RobotsRuleCache()
    const small = Array.from({ length: 2000 }, (_, i) => `http://s${i}.test`)
    for (const [i, name] of small.entries()) cache.set(name, rulesOf(i % 2 === 0 ? 0 : 100))
    for (let i = 0; i < 50; i++) {
      const large = `http://l${i}.test`
      cache.set(large, rulesOf(MIB / 2))
      for (let n = 0; n < 100; n++) cache.get(large)
      for (const name of small) cache.get(name)
    }
    const left = small.filter((name) => cache.get(name) !== undefined).length
    assert.ok(left >= 1900, `${left} of 2000`)
  })

  it('evicts entries that are used least, and those unused for long', () => {
    const cache = new RobotsRuleCache()
    const busy = 'http://busy.test'
    cache.set(busy, rulesOf(MIB))
    const passBy = (rounds: number, isAsked: boolean) => {
      for (let i = 0; i < rounds; i++) {
        cache.set(`http://h${i}.test`, rulesOf(MIB))
        if (isAsked) for (let n = 0; n < 3; n++) assert.notEqual(cache.get(busy), undefined)
      }
    }
    passBy(100, true)
    passBy(500, false)
    assert.equal(cache.get(busy), undefined)
  })
})
