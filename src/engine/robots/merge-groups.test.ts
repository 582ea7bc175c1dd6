import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compileRobots, decideRobots } from './compile-robots.ts'
import { parseRobots } from './parse-robots.ts'

const FILE = parseRobots(`
User-agent: FooBot
Disallow: /3

User-agent: *
Disallow: /6
Crawl-delay: 30

User-agent: BarBot/2.1
User-agent: fooBOT # again
Crawl-delay: 5
Disallow: /12

User-agent: Foo-News
Sitemap: https://example.com/sitemap.xml
User-agent: Baz Qux
Disallow: /17
Crawl-delay: 1.5

User-agent: FOOBOT
Allow: /3/21
Crawl-delay: 2
User-agent: Empty
User-agent:
`)

function linesOf(product: string): number[] {
  const denied = ['/3', '/6', '/12', '/17', '/3/21'].map((path) => decideRobots(FILE, product, path).rule?.line)
  return denied.flatMap((line) => line ?? [])
}

describe('the group of a crawler', () => {
  const expected: [string, number[], string | null, number | null][] = [
    ['FooBot', [3, 12, 21], 'FooBot', 5000],
    ['foobot/7.0 (+https://example.com)', [3, 12, 21], 'FooBot', 5000],
    ['BarBot', [12], 'BarBot/2.1', 5000],
    ['Baz', [17], 'Baz Qux', 1500],
    ['Foo-News', [17], 'Foo-News', 1500],
    ['Foo-News-Images', [17], 'Foo-News', 1500],
    ['FooBot-Images', [3, 12, 21], 'FooBot', 5000],
    ['Empty', [], 'Empty', null],
    ['Foo', [6], '*', 30000],
    ['FooBotNews', [6], '*', 30000],
    ['Qux', [6], '*', 30000],
    ['', [6], '*', 30000],
  ]
  for (const [product, lines, group, crawlDelayMs] of expected) {
    it(`${product || 'a crawler without a name'} obeys ${group}`, () => {
      assert.deepEqual(linesOf(product), lines)
      const compiled = compileRobots(FILE, product)
      assert.deepEqual([compiled.group, compiled.crawlDelayMs], [group, crawlDelayMs])
      const decision = compiled.decide('/none')
      assert.deepEqual(decision, { allowed: true, rule: null, group, crawlDelayMs })
    })
  }

  it('a crawler that a file without a star does not name is unrestricted', () => {
    const file = parseRobots('User-agent: other\nDisallow: /\nCrawl-delay: 9')
    assert.deepEqual(decideRobots(file, 'FooBot', '/x'), { allowed: true, rule: null, group: null, crawlDelayMs: null })
  })

  it('groups of the star are merged too', () => {
    const file = parseRobots(
      'User-agent: *\nDisallow: /a\nUser-agent: x\nDisallow: /\nUser-agent: * (all)\nDisallow: /b',
    )
    assert.deepEqual(
      ['/a', '/b', '/c'].map((path) => decideRobots(file, 'FooBot', path).allowed),
      [false, false, true],
    )
  })

  it('a decision names the rule as written', () => {
    const file = parseRobots('User-agent: *\n Disallow : /a  # why')
    assert.deepEqual(decideRobots(file, 'FooBot', '/a').rule, { line: 2, text: 'Disallow : /a  # why' })
  })
})
