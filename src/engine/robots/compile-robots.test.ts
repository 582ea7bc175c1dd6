import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decideRobots } from './compile-robots.ts'
import { parseRobots } from './parse-robots.ts'

/** [path, verdict, deciding line; 0 for none] */
type Case = [string, 'allow' | 'deny', number]

function decidesFor(product: string) {
  return (name: string, lines: string[], cases: Case[]) => {
    const file = parseRobots(lines.join('\n'))
    for (const [path, verdict, line] of cases) {
      it(`${name}: ${JSON.stringify(path)} for ${product}`, () => {
        const { allowed, rule } = decideRobots(file, product, path)
        assert.deepEqual([allowed ? 'allow' : 'deny', rule?.line ?? 0], [verdict, line])
      })
    }
  }
}

const decides = decidesFor('FooBot')

/** The pattern as the only rule, disallowed for every crawler. */
function denies(pattern: string, denied: string[], free: string[]): void {
  const cases = [...denied.map((path): Case => [path, 'deny', 2]), ...free.map((path): Case => [path, 'allow', 0])]
  decides(pattern, ['User-agent: *', `Disallow: ${pattern}`], cases)
}

describe('RFC 9309 section 5', () => {
  const simple = [
    ['User-Agent: *', 'Disallow: *.gif$', 'Disallow: /example/', 'Allow: /publications/', ''],
    ['User-Agent: foobot', 'Disallow:/', 'Allow:/example/page.html', 'Allow:/example/allowed.gif', ''],
    ['User-Agent: barbot', 'User-Agent: bazbot', 'Disallow: /example/page.html', '', 'User-Agent: quxbot', '', 'EOF'],
  ].flat()
  const everyone: Case[] = [
    ['/a.gif', 'deny', 2],
    ['/a.gif?x', 'allow', 0],
    ['/example/page.html', 'deny', 3],
    ['/publications/a', 'allow', 4],
    ['/publications/a.gif', 'allow', 4],
    ['/other', 'allow', 0],
  ]
  decidesFor('otherbot')('5.1 simple', simple, everyone)
  const foobot: Case[] = [
    ['/', 'deny', 7],
    ['/publications/', 'deny', 7],
    ['/example/page.html', 'allow', 8],
    ['/example/allowed.gif', 'allow', 9],
    ['/example/denied.gif', 'deny', 7],
  ]
  decidesFor('foobot')('5.1 simple', simple, foobot)
  for (const product of ['barbot', 'bazbot']) {
    const cases: Case[] = [
      ['/example/page.html', 'deny', 13],
      ['/example/', 'allow', 0],
      ['/a.gif', 'allow', 0],
    ]
    decidesFor(product)('5.1 simple', simple, cases)
  }
  decidesFor('quxbot')('5.1 simple', simple, [['/example/page.html', 'allow', 0]])
  const longest = ['User-Agent: foobot', 'Allow: /example/page/', 'Disallow: /example/page/disallowed.gif']
  const longestCases: Case[] = [
    ['/example/page/disallowed.gif', 'deny', 3],
    ['/example/page/', 'allow', 2],
    ['/example/', 'allow', 0],
  ]
  decides('5.2 longest match', longest, longestCases)
})

describe('the longest rule wins (2.2.2)', () => {
  const own = 'User-agent: FooBot'
  decides('order does not matter', [own, 'Disallow: /x/page.html', 'Allow: /x/'], [['/x/page.html', 'deny', 2]])
  const nested = [own, 'Disallow: /x', 'Allow: /x/', 'Disallow: /x/y$']
  const nestedCases: Case[] = [
    ['/x', 'deny', 2],
    ['/x/', 'allow', 3],
    ['/x/y', 'deny', 4],
    ['/x/yz', 'allow', 3],
    ['/X', 'allow', 0],
  ]
  decides('nested', nested, nestedCases)
  decides('allow wins a tie', [own, 'Disallow: /x', 'Allow: /x'], [['/x', 'allow', 3]])
  decides('allow wins a tie of wildcards', [own, 'Disallow: /*a', 'Allow: /a*'], [['/aa', 'allow', 3]])
  decides('allow wins a tie of spellings', [own, 'Allow: /ツ', 'Disallow: /%e3%83%84'], [['/ツ', 'allow', 2]])
  decides('the first of equal lines decides', [own, 'Disallow: /a', 'Disallow: /a'], [['/a', 'deny', 2]])
  decides('a star makes a rule longer', [own, 'Allow: /fish', 'Disallow: /fish*'], [['/fish', 'deny', 3]])
  decides('octets, not characters', [own, 'Allow: /ツ*', 'Disallow: /*abcd'], [['/ツabcd', 'allow', 2]])
  const extension = [own, 'Allow: /page', 'Disallow: /*.htm']
  const extensionCases: Case[] = [
    ['/page.htm', 'deny', 3],
    ['/page', 'allow', 2],
  ]
  decides('a longer wildcard beats a prefix', extension, extensionCases)
  const home = [own, 'Allow: /$', 'Disallow: /']
  const homeCases: Case[] = [
    ['/', 'allow', 2],
    ['', 'allow', 2],
    ['/a', 'deny', 3],
    ['/?a', 'deny', 3],
  ]
  decides('the home page only', home, homeCases)
  decides('empty rules', [own, 'Disallow:', 'Allow:'], [['/x', 'allow', 0]])
})

describe('/robots.txt is always allowed', () => {
  const cases: Case[] = [
    ['/robots.txt', 'allow', 0],
    ['/robots%2Etxt', 'allow', 0],
    ['/robots.txt.bak', 'deny', 2],
    ['/a/robots.txt', 'deny', 2],
  ]
  decides('under a full stop', ['User-agent: *', 'Disallow: /'], cases)
})

describe('percent-encoding (2.2.2, table)', () => {
  denies('/foo/bar?baz=quz', ['/foo/bar?baz=quz', '/foo/bar?baz=quzz'], ['/foo/bar?baz=qu', '/foo/bar'])
  const link = ['/foo/bar?baz=https://foo.bar', '/foo/bar?baz=https%3A%2F%2Ffoo.bar', '/foo/bar?baz=https:/%2ffoo.bar']
  denies('/foo/bar?baz=https://foo.bar', link, ['/foo/bar?baz=http://foo.bar'])
  denies('/foo/bar?baz=https%3A%2F%2Ffoo.bar', link, [])
  denies('/*baz=https://foo', ['/foo/bar?baz=https://foo.bar'], [])
  denies('/foo/bar/ツ', ['/foo/bar/ツ', '/foo/bar/%E3%83%84', '/foo/bar/%e3%83%84x'], ['/foo/bar/%E3%83%85'])
  denies('/foo/bar/%e3%83%84', ['/foo/bar/ツ', '/foo/bar/%E3%83%84'], [])
  denies('/foo/bar/%62%61%7A', ['/foo/bar/baz', '/foo/bar/%62az'], [])
  denies('/foo/bar/baz', ['/foo/bar/%62%61%7A'], [])
  denies('/a%2Fb', ['/a%2fb'], ['/a/b'])
  denies('/a/b', ['/a/b'], ['/a%2Fb'])
  denies('/~joe', ['/%7Ejoe', '/~joe/x'], [])
  denies('/a b', ['/a%20b'], ['/a+b'])
  denies('/wiki/Talk:A', ['/wiki/Talk:A', '/wiki/Talk%3AA'], [])
  denies('/?f[]=1', ['/?f[]=1', '/?f%5B%5D=1'], [])
})

describe('special characters (2.2.3)', () => {
  denies(
    '/path/file-with-a-%2A.html',
    ['/path/file-with-a-*.html', '/path/file-with-a-%2a.html'],
    ['/path/file-with-a-b.html'],
  )
  denies('/path/foo-%24', ['/path/foo-$', '/path/foo-$x'], ['/path/foo-'])
  denies('/a$b', ['/a$b', '/a%24bc'], ['/a'])
  denies('/*ab$', ['/abab', '/ab'], ['/aba'])
  denies('/foo/*/qux', ['/foo/bar/qux', '/foo//qux', '/foo/a/b/quxx'], ['/foo/qux'])
  denies('/foo/bar$', ['/foo/bar'], ['/foo/bar/', '/foo/bar?'])
  denies('/*.php$', ['/a.php', '/b/a.php'], ['/a.php?x', '/a.php5', '/a.PHP'])
  denies('/*?', ['/?', '/a?b'], ['/a'])
  denies('*', ['/', '/a'], [])
  denies('*/private', ['/private', '/a/private/b'], ['/a'])
  denies('/foo/quz#qux', ['/foo/quz', '/foo/quzz'], ['/foo/qu'])
  denies('fish', [], ['/fish', '/'])
  denies('$', [], ['/'])
})

describe('the lenient parser', () => {
  const typed = [
    ['useragent: FooBot', 'dissallow: /1', 'disallow /2', 'Disallow : /3', 'disalow:/4'],
    ['user agent: FooBot', 'DISALLOW: /6', 'diasllow: /7', 'dis-allow: /8', 'Disallow: /9 # but not /x'],
  ].flat()
  const cases = [1, 2, 3, 4, 6, 7, 8, 9].map((n): Case => [`/${n}`, 'deny', n + 1])
  decides('misspelt', typed, [...cases, ['/x', 'allow', 0]])
  decides('no colon', ['user-agent FooBot', 'disallow /'], [['/x', 'deny', 2]])
  decides('unknown names', ['foo: FooBot', 'bar: /'], [['/x', 'allow', 0]])
  decides('a byte order mark', ['\ufeffUser-agent: FooBot', 'Disallow: /'], [['/x', 'deny', 2]])
  decides('an empty file', [], [['/x', 'allow', 0]])
})

it('a rule in Latin-1 denies the URL that escapes the same bytes', () => {
  const file = parseRobots(Buffer.from('User-agent: *\nDisallow: /caf\xe9', 'latin1'))
  assert.equal(decideRobots(file, 'FooBot', '/caf%E9').allowed, false)
  assert.equal(decideRobots(file, 'FooBot', '/caf%C3%A9').allowed, true)
})
