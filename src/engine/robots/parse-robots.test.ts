import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { cpuMs } from '../../lib/testing/cpu-time.ts'
import { parseRobots } from './parse-robots.ts'

function groupsOf(text: string | Buffer): string[] {
  return parseRobots(text).groups.map(({ products, rules }) => {
    const names = products.map(({ token }) => token).join('+')
    return `${names} ${rules.map(({ allow, pattern, line }) => `${line}${allow ? '+' : '-'}${pattern}`).join(' ')}`
  })
}

function delaysOf(text: string): (number | null)[] {
  return parseRobots(text).groups.flatMap(({ products }) => products.map(({ crawlDelayMs }) => crawlDelayMs))
}

const SAMPLE = ['# c', 'User-agent: a', 'User-agent: B', '', 'Disallow: /x # why', '', 'Allow: /y', 'User-agent: *', '']

describe('parseRobots', () => {
  it('product and rule lines form groups, across blank lines', () => {
    assert.deepEqual(groupsOf(SAMPLE.join('\n')), ['a+b 5-/x 7+/y', '* '])
  })

  it('every kind of line break ends one line', () => {
    for (const end of ['\r\n', '\r']) assert.deepEqual(parseRobots(SAMPLE.join(end)), parseRobots(SAMPLE.join('\n')))
    assert.deepEqual(groupsOf('User-agent: a\r\n\n\rDisallow: /x'), ['a 4-/x'])
  })

  it('a rule keeps its line as written', () => {
    const [group] = parseRobots('User-agent: a\n  Disallow : /ツ # why\t').groups
    assert.deepEqual(group?.rules, [{ allow: false, pattern: '/%E3%83%84', line: 2, text: 'Disallow : /ツ # why' }])
  })

  it('a rule before any product is ignored', () => {
    assert.deepEqual(groupsOf('Disallow: /\nCrawl-delay: 1\nUser-agent: a\nAllow: /x'), ['a 4+/x'])
  })

  it('an empty rule has no effect except ending the list of products', () => {
    assert.deepEqual(groupsOf('User-agent: a\nDisallow:\nUser-agent: b\nAllow: /'), ['a ', 'b 4+/'])
  })

  it('other records end neither a group nor a list of products', () => {
    const others = ['Sitemap: http://a/', 'Crawl-delay: 3', 'Host: a', 'Request-rate: 1/5', 'nonsense']
    const lines = ['User-agent: a', ...others, 'User-agent: b', ...others, 'Disallow: /x', ...others, 'Disallow: /y']
    assert.deepEqual(groupsOf(lines.join('\n')), ['a+b 13-/x 19-/y'])
  })

  it('sitemaps are collected once each, anywhere in the file', () => {
    const text = 'Sitemap: http://a/1\nUser-agent: a\nsitemap:http://a/ツ\nDisallow: /\nSitemap: http://a/1\nSitemap:'
    assert.deepEqual(parseRobots(text).sitemaps, ['http://a/1', 'http://a/ツ'])
  })

  it('a delay applies to the products named before it', () => {
    assert.deepEqual(
      delaysOf('User-agent: a\nCrawl-delay: 10\nUser-agent: b\nDisallow: /\nCrawl-delay: 2.5'),
      [10000, 2500],
    )
    assert.deepEqual(delaysOf('User-agent: a\nUser-agent: b\nDisallow:\nCrawl-delay: .5'), [500, 500])
    assert.deepEqual(delaysOf('User-agent: a\nCrawl-delay: 10\nDisallow:\nUser-agent: *'), [10000, null])
  })

  it('a delay that is not a number of seconds is ignored', () => {
    for (const value of ['', '-1', 'ten', '1e3', '5s', '0x10', '1.2.3', 'Infinity', '.', '9'.repeat(400)]) {
      assert.deepEqual(delaysOf(`User-agent: a\nCrawl-delay: ${value}`), [null], value)
    }
    assert.deepEqual(delaysOf('User-agent: a\nCrawl-delay: x\nCrawl-delay: 0'), [0])
  })

  it('an HTML page has no rules', () => {
    const page = '<!DOCTYPE html>\n<pre>\nUser-agent: *\nDisallow: /\nSitemap: http://a/</pre>'
    assert.deepEqual(parseRobots(page), { groups: [], sitemaps: [] })
    assert.deepEqual(groupsOf('<p>\nUser-agent: *\nDisallow: /'), ['* 3-/'])
  })

  it('lines of any length are read completely', () => {
    const long = `/${'a'.repeat(100_000)}`
    assert.deepEqual(groupsOf(`User-agent: a\nDisallow: ${long}`), [`a 2-${long}`])
  })

  it('rules after 500 KiB of others still count', () => {
    const filler = `#${'x'.repeat(99)}\n`.repeat(5120)
    assert.deepEqual(groupsOf(`User-agent: a\n${filler}Disallow: /late`), ['a 5122-/late'])
  })

  it('many products times many rules stay small', () => {
    const text = `${'User-agent: a\n'.repeat(15_000)}${'Allow: /b\n'.repeat(25_000)}`
    const took = cpuMs(() => {
      assert.equal(parseRobots(text).groups[0]?.rules.length, 25_000)
    })
    assert.ok(took < 1000, `${took} ms`)
  })

  it('no input makes it throw', () => {
    const words = [
      'User-agent:',
      'Disallow',
      ':',
      '/',
      '*',
      '$',
      '%',
      '%E3',
      '#',
      '\r',
      '\n',
      '\xef\xbb',
      '\xff\xfe',
      ' ',
    ]
    const likely = fc
      .array(fc.constantFrom(...words), { maxLength: 30 })
      .map((all) => Buffer.from(all.join(''), 'latin1'))
    const anyBytes = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes))
    fc.assert(
      fc.property(fc.oneof(likely, anyBytes), (bytes) => {
        for (const { rules } of parseRobots(bytes).groups)
          for (const { pattern } of rules) assert.match(pattern, /^[!-~]+$/)
      }),
      { numRuns: 2000 },
    )
  })

  it('CR, LF and CRLF give the same result', () => {
    const line = fc.constantFrom(
      'User-agent: a',
      'user agent *',
      'Disallow: /x',
      'allow /y',
      'Crawl-delay: 1',
      '',
      '#',
      'z',
    )
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const byLf = parseRobots(lines.join('\n'))
        assert.deepEqual(parseRobots(lines.join('\r')), byLf)
        assert.deepEqual(parseRobots(lines.join('\r\n')), byLf)
      }),
    )
  })
})
