import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { cpuMs } from '../../lib/testing/cpu-time.ts'
import { compileWildcard, matchesWildcard } from './wildcard.ts'

function matches(pattern: string, path: string): boolean {
  return matchesWildcard(compileWildcard(pattern), path)
}

describe('matchesWildcard', () => {
  const yes: [string, string][] = [
    ['/*ab$', '/abab'],
    ['/*', '/'],
    ['/fish*', '/fish'],
    ['/*.php', '/a.php?x'],
    ['/a$', '/a'],
    ['/a*$', '/abc'],
    ['/a**b', '/ab'],
    ['*.gif$', '/x.gif'],
    ['/a*b*a$', '/aba'],
    ['', '/'],
  ]
  const no: [string, string][] = [
    ['/a$', '/ab'],
    ['/*.php$', '/a.php?x'],
    ['/a*a$', '/a'],
    ['/ab*ba$', '/aba'],
    ['$', '/'],
    ['/x*y', '/yx'],
  ]
  for (const [pattern, path] of yes) it(`${pattern} matches ${path}`, () => assert.equal(matches(pattern, path), true))
  for (const [pattern, path] of no) it(`${pattern} misses ${path}`, () => assert.equal(matches(pattern, path), false))

  it('agrees with a regular expression', () => {
    const pattern = fc
      .tuple(fc.stringMatching(/^\/[ab/*]{0,8}$/), fc.constantFrom('', '$'))
      .map((ends) => ends.join(''))
    const property = fc.property(pattern, fc.stringMatching(/^\/[ab/]{0,10}$/), (text, path) => {
      assert.equal(matches(text, path), new RegExp(`^${text.replaceAll('*', '.*')}`).test(path))
    })
    fc.assert(property, { numRuns: 3000 })
  })

  it('60 stars on a long path take less than 50 ms', () => {
    const path = `/${'a'.repeat(100_000)}`
    const took = cpuMs(() => {
      assert.equal(matches(`/${'a*'.repeat(60)}b`, path), false)
      assert.equal(matches(`/${'*a'.repeat(60)}b$`, path), false)
      assert.equal(matches(`/${'*aaaaaaaaaab'.repeat(60)}`, path), false)
    })
    assert.ok(took < 50, `${took} ms`)
  })
})
