import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type CachedRules, RobotsRuleCache } from './rule-cache.ts'

const MIB = 1024 * 1024

function rulesOf(bytes: number): CachedRules {
  return { rules: { kind: 'allow' }, expiresAt: 1, goodAt: null, bytes, sitemaps: [] }
}

describe('the rules that a thread knows', () => {
  it('are those of ten thousand origins at most', () => {
    const known = new RobotsRuleCache()
    for (let i = 0; i < 10_500; i++) known.set(`http://h${i}.test`, rulesOf(0))
    let count = 0
    for (let i = 0; i < 10_500; i++) if (known.get(`http://h${i}.test`) !== undefined) count += 1
    assert.ok(count <= 10_000 && count > 9000, `${count}`)
  })

  it('come from four megabytes of files at most, and the last ones are among them', () => {
    const known = new RobotsRuleCache()
    const names = Array.from({ length: 20 }, (_, i) => `http://h${i}.test`)
    for (const name of names) {
      known.set(name, rulesOf(MIB))
      assert.notEqual(known.get(name), undefined)
      // Told anew, they take no more room than before.
      known.set(name, rulesOf(MIB))
    }
    const left = names.filter((name) => known.get(name) !== undefined).length
    assert.ok(left === 3 || left === 4, `${left}`)
    known.set('http://large.test', rulesOf(5 * MIB))
    assert.notEqual(known.get('http://large.test'), undefined)
    assert.equal(names.filter((name) => known.get(name) !== undefined).length, 0)
  })

  it('of many are not pushed out by a few large files', () => {
    const known = new RobotsRuleCache()
    const small = Array.from({ length: 2000 }, (_, i) => `http://s${i}.test`)
    for (const [i, name] of small.entries()) known.set(name, rulesOf(i % 2 === 0 ? 0 : 100))
    for (let i = 0; i < 50; i++) {
      const large = `http://l${i}.test`
      known.set(large, rulesOf(MIB / 2))
      for (let n = 0; n < 100; n++) known.get(large)
      for (const name of small) known.get(name)
    }
    const left = small.filter((name) => known.get(name) !== undefined).length
    assert.ok(left >= 1900, `${left} of 2000`)
  })

  it('give way when they are asked for least, and when nobody has asked for long', () => {
    const known = new RobotsRuleCache()
    const busy = 'http://busy.test'
    known.set(busy, rulesOf(MIB))
    const passBy = (rounds: number, isAsked: boolean) => {
      for (let i = 0; i < rounds; i++) {
        known.set(`http://h${i}.test`, rulesOf(MIB))
        if (isAsked) for (let n = 0; n < 3; n++) assert.notEqual(known.get(busy), undefined)
      }
    }
    passBy(100, true)
    passBy(500, false)
    assert.equal(known.get(busy), undefined)
  })
})
