import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { cpuMs } from '../../lib/testing/cpu-time.ts'
import { DEFAULT_URL_SHAPE_LIMITS, findUrlShapeProblem, type UrlShapeProblem } from './url-shape.ts'

const ORIGIN = 'http://example.com'
const NO_LIMITS = { maxPathSegments: Infinity, maxQueryParams: Infinity, maxRepeats: 2 }

function problemOf(rest: string): UrlShapeProblem | null {
  return findUrlShapeProblem(ORIGIN + rest, DEFAULT_URL_SHAPE_LIMITS)
}

const SHAPES: readonly [UrlShapeProblem | null, ...string[]][] = [
  [
    null,
    '/',
    '/?',
    '/a',
    '/a/',
    '/en/docs/en/',
    '/a/a',
    '/a/a/',
    '/a/b/a/b',
    '/a/b/a/b/a',
    '/a/x/a/y/a/z/a',
    '/a/aa/aaa',
    '/aa/a/aa/a/a',
    '/a//b//c',
    '/cdn-cgi/l/email-protection/x',
    '/a/cdn-cgi/l/email-protection',
    '/?next=/x/x/x/x',
    '/?a&&&b',
    '/2024/10/10/10',
    '/0/0/0/0/0/0/0',
    '/10/11/10/11/10/11/',
    '/%41/A/%41',
  ],
  [
    'repeated_segments',
    '/x/x/x',
    '/x/x/x/',
    '/x/x/x?q',
    '/start/x/x/x/end',
    '/a/b/a/b/a/b',
    '/a/b/a/b/a/b/c',
    '/0/a/b/a/b/a/b/',
    '/a/b/c/a/b/c/a/b/c',
    '/2024/a/2024/a/2024/a',
    '/a////b',
    '/a/b/b/a/a/b/a/b/a',
    '/a/1/a/2/a/3/a/4/a',
  ],
  ['path_too_deep', `/${'0/'.repeat(21)}`, `/${'0/'.repeat(20)}a`, `/${'x/'.repeat(21)}`, '/'.repeat(22)],
  ['hidden_email', '/cdn-cgi/l/email-protection'],
  ['too_many_parameters', `/?${'a&'.repeat(32)}a`, `/a/?${'&'.repeat(32)}`],
]

describe('findUrlShapeProblem', () => {
  for (const [problem, ...rests] of SHAPES) {
    for (const rest of rests) {
      it(`${rest.slice(0, 40)} is ${problem ?? 'fine'}`, () => assert.equal(problemOf(rest), problem))
    }
  }

  it('the limits themselves are allowed', () => {
    assert.equal(problemOf(`/${'0/'.repeat(20)}`), null)
    assert.equal(problemOf(`/?${'a&'.repeat(31)}a`), null)
  })

  it('a higher repeat limit allows more of them', () => {
    const limits = { ...DEFAULT_URL_SHAPE_LIMITS, maxRepeats: 3 }
    assert.equal(findUrlShapeProblem(`${ORIGIN}/x/x/x`, limits), null)
    assert.equal(findUrlShapeProblem(`${ORIGIN}/x/x/x/x`, limits), 'repeated_segments')
  })

  it('agrees with a naive implementation of the rule', () => {
    const segment = fc.constantFrom('a', 'b', 'ab', '1', '')
    const property = fc.property(fc.array(segment, { maxLength: 14 }), fc.boolean(), (segments, hasSlash) => {
      const path = `/${segments.join('/')}`
      const url = `${ORIGIN}${path}${hasSlash && !path.endsWith('/') ? '/' : ''}`
      const expected = isRepeatedByTheRule(new URL(url).pathname) ? 'repeated_segments' : null
      assert.equal(findUrlShapeProblem(url, NO_LIMITS), expected)
    })
    fc.assert(property, { numRuns: 10_000 })
  })

  it('two links that are relative by mistake yield fewer than 500 URLs', () => {
    let urls = 0
    let paths = ['']
    while (paths.length > 0) {
      paths = paths.flatMap((path) => [`${path}/a`, `${path}/b`]).filter((path) => problemOf(path) === null)
      urls += paths.length
    }
    assert.ok(urls < 500, `${urls} urls`)
  })

  it('a URL of a megabyte takes linear time', () => {
    const took = cpuMs(() => {
      for (const rest of ['/a', '/', '/1', '/ab/ba', '?', '&', `/${'x'.repeat(99)}`, `/a/b/c/d/e/f/g/h/i/j/k`]) {
        findUrlShapeProblem(`${ORIGIN}/${rest.repeat(1_000_000 / rest.length)}`, NO_LIMITS)
      }
      const distinct = Array.from({ length: 100_000 }, (_, i) => `s${i}`).join('/')
      assert.equal(findUrlShapeProblem(`${ORIGIN}/${distinct}`, NO_LIMITS), null)
    })
    assert.ok(took < 5000, `${took} ms`)
  })
})

function isRepeatedByTheRule(path: string): boolean {
  const segments = path.slice(1).replace(/\/$/, '').split('/')
  const isWord = (segment: string) => !/^\d+$/.test(segment)
  if (path === '/') return false
  for (let start = 0; start < segments.length; start++) {
    for (let run = 1; run <= 10 && start + 3 * run <= segments.length; run++) {
      const [a, b, c] = [0, 1, 2].map((n) => segments.slice(start + n * run, start + (n + 1) * run))
      if (a?.some(isWord) && a.join('/') === b?.join('/') && a.join('/') === c?.join('/')) return true
    }
  }
  return segments.some((word) => isWord(word) && segments.filter((each) => each === word).length > 4)
}
