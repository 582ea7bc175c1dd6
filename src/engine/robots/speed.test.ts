import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cpuMs } from '../../lib/testing/cpu-time.ts'
import { compileRobots, decideRobots } from './compile-robots.ts'
import { parseRobots } from './parse-robots.ts'

function fileOf(count: number, pattern: (n: number) => string): string {
  return `User-agent: *\n${Array.from({ length: count }, (_, n) => `Disallow: ${pattern(n)}\n`).join('')}`
}

describe('CPU limits, many times the measured values', () => {
  it('10,000 wildcard rules are parsed and matched in less than a second', () => {
    const text = fileOf(10_000, (n) => `/*a${n}*b*.html$`)
    const path = `/${'ab'.repeat(500)}.htm`
    const took = cpuMs(() => assert.equal(decideRobots(parseRobots(text), 'FooBot', path).allowed, true))
    assert.ok(took < 1000, `${took} ms`)
  })

  it('one rule with many stars on a long path takes less than half a second', () => {
    const compiled = compileRobots(parseRobots(`User-agent: *\nDisallow: /${'*a'.repeat(60)}*b$`), 'FooBot')
    const path = `/${'a'.repeat(100_000)}`
    const took = cpuMs(() => assert.equal(compiled.decide(path).allowed, true))
    assert.ok(took < 500, `${took} ms`)
  })

  it('a file full of rules that almost match takes less than a second', () => {
    const text = fileOf(500, () => `/*${'a'.repeat(1000)}b`)
    const took = cpuMs(() => decideRobots(parseRobots(text), 'FooBot', `/${'a'.repeat(2047)}`))
    assert.ok(took < 1000, `${took} ms`)
  })

  it('5,000 plain rules cost microseconds', () => {
    const compiled = compileRobots(parseRobots(fileOf(5000, (n) => `/shop/${n}/cart`)), 'FooBot')
    const took = cpuMs(() => {
      for (let n = 0; n < 10_000; n++) compiled.decide(`/shop/${n}/cart/x`)
    })
    assert.ok(took < 200, `${took} ms`)
  })
})
