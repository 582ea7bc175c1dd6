import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ManualClock } from '../../../lib/testing/manual-clock.ts'
import { MAX_COOKIES } from '../../../ports/cookies.ts'
import { CookieJar } from './cookie-jar.ts'

const DAY_MS = 86_400_000

function makeJar(...lines: string[]) {
  const clock = new ManualClock(1_800_000_000_000)
  const jar = new CookieJar(lines, clock)
  const receive = (url: string, ...cookies: string[]) =>
    jar.receive(url, ['Content-Type', 'text/html', ...cookies.flatMap((cookie) => ['Set-Cookie', cookie])])
  return { jar, clock, receive }
}

describe('a cookie is sent', () => {
  it('to the host that set it, and to subdomains only if it names a domain', () => {
    const { jar, receive } = makeJar()
    receive('https://www.shop.test/', 'own=1', 'all=2; Domain=.Shop.test')
    assert.equal(jar.headerFor('https://www.shop.test/x'), 'own=1; all=2')
    assert.equal(jar.headerFor('https://shop.test/'), 'all=2')
    assert.equal(jar.headerFor('https://a.b.shop.test/'), 'all=2')
    assert.equal(jar.headerFor('https://notshop.test/'), null)
  })

  it('below its path, longer paths first, then older ones', () => {
    const { jar, clock, receive } = makeJar()
    receive('https://a.test/x/y', 'new=1; Path=/', 'deep=2', 'bad=3; Path=nonsense')
    clock.advance(1)
    receive('https://a.test/x/y', 'later=4; Path=/', 'new=5; Path=/')
    assert.equal(jar.headerFor('https://a.test/x/z'), 'deep=2; bad=3; new=5; later=4')
    assert.equal(jar.headerFor('https://a.test/x'), 'deep=2; bad=3; new=5; later=4')
    assert.equal(jar.headerFor('https://a.test/xy'), 'new=5; later=4')
  })

  it('over TLS alone if it is secure, which a page without TLS cannot change', () => {
    const { jar, receive } = makeJar()
    receive('https://a.test/', 's=1; Secure')
    receive('http://a.test/', 's=2', 't=3; Secure', 'u=4')
    assert.equal(jar.headerFor('https://a.test/'), 's=1; u=4')
    assert.equal(jar.headerFor('http://a.test/'), 'u=4')
  })

  it('until it expires or is removed; Max-Age goes before Expires', () => {
    const { jar, clock, receive } = makeJar()
    receive(
      'https://a.test/',
      'a=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
      'b=2; Expires=Wed, 20-Jan-27 10:00:00 GMT',
      'c=3; Max-Age=999999999999',
      'd=4; Max-Age=0',
      'e=5',
    )
    assert.equal(jar.headerFor('https://a.test/'), 'a=1; b=2; c=3; e=5')
    clock.advance(60_000)
    assert.equal(jar.headerFor('https://a.test/'), 'b=2; c=3; e=5')
    clock.advance(10 * DAY_MS)
    receive('https://a.test/', 'e=; Max-Age=-1')
    assert.equal(jar.headerFor('https://a.test/'), 'c=3')
    clock.advance(400 * DAY_MS)
    assert.equal(jar.headerFor('https://a.test/'), null)
  })
})

describe('a cookie is ignored', () => {
  it('for a domain that is not that of its host, or that many sites share', () => {
    const { jar, receive } = makeJar()
    receive('https://a.shop.co.uk/', 'a=1; Domain=co.uk', 'b=2; Domain=other.test', 'c=3; Domain=x.a.shop.co.uk')
    receive('https://me.github.io/', 'd=4; Domain=github.io', 'e=5; Domain=me.github.io')
    receive('https://10.1.2.3/', 'f=6; Domain=2.3', 'g=7')
    receive('https://github.io/', 'h=8; Domain=github.io')
    assert.equal(jar.headerFor('https://a.shop.co.uk/'), null)
    assert.equal(jar.headerFor('https://me.github.io/'), 'e=5')
    assert.equal(jar.headerFor('https://10.1.2.3/'), 'g=7')
    assert.equal(jar.headerFor('https://github.io/'), 'h=8')
  })

  it('if it is too long, has control characters, or breaks the promise of its prefix', () => {
    const { jar, receive } = makeJar()
    receive(
      'https://a.test/x',
      `long=${'x'.repeat(5000)}`,
      'cut=1\u0001',
      '',
      '=',
      '=__Secure-b=1',
      `${'n'.repeat(1000)}=1`,
      '__Secure-a=1',
      '__Host-a=1; Secure',
      '__Host-b=1; Secure; Path=/; Domain=a.test',
      '__Host-c=1; Secure; Path=/',
    )
    assert.equal(jar.headerFor('https://a.test/x'), '__Host-c=1')
  })
})

describe('a flood of cookies', () => {
  it('displaces the oldest cookies of its own site alone', () => {
    const { jar, receive } = makeJar('login=1; Domain=shop.test')
    receive('https://other.test/', 'o=1')
    for (let i = 0; i < 2000; i += 1) receive(`https://h${i}.evil.test/`, `c${i}=${i}; Domain=evil.test`)
    assert.equal(jar.headerFor('https://other.test/'), 'o=1')
    assert.equal(jar.headerFor('https://evil.test/')?.split('; ').length, 150)
    for (let i = 0; i <= MAX_COOKIES; i += 1) receive(`https://s${i}.test/`, 'c=1')
    assert.equal(jar.headerFor('https://shop.test/'), 'login=1')
    assert.equal(jar.headerFor('https://other.test/'), null)
    assert.equal(jar.headerFor(`https://s${MAX_COOKIES}.test/`), 'c=1')
  })

  it('keeps what the user has given, and what is sent again and again, on its own site too', () => {
    const { jar, receive } = makeJar('login=1; Domain=shop.test')
    receive('https://shop.test/', 'session=2; Path=/')
    for (let i = 0; i < 400; i += 1) {
      assert.match(jar.headerFor(`https://shop.test/${i}/page`) ?? '', /login=1; session=2|session=2; login=1/)
      receive(`https://shop.test/${i}/page`, 'seen=1')
    }
    assert.equal(jar.takeChanges().length, 149)
  })

  it('makes no header that servers refuse, and one response sets 50 at most', () => {
    const { jar, receive } = makeJar()
    for (let i = 0; i < 10; i += 1) receive('https://a.test/', `c${i}=${'x'.repeat(4000)}`)
    assert.ok((jar.headerFor('https://a.test/') ?? '').length <= 8192)
    receive('https://b.test/', ...Array.from({ length: 99 }, (_, i) => `c${i}=1`))
    assert.equal(jar.headerFor('https://b.test/')?.split('; ').length, 50)
  })
})

it('given cookies are sent as UTF-8', () => {
  const { jar } = makeJar('a=\u010aé; Domain=a.test')
  assert.equal(Buffer.from(jar.headerFor('https://a.test/') ?? '', 'latin1').toString(), 'a=\u010aé')
})

it('changes are taken once, and a cookie that stays the same is none', () => {
  const { jar, clock, receive } = makeJar('start=1; Domain=a.test')
  receive('https://a.test/', 'a=1; Max-Age=86400', 'gone=1; Max-Age=0')
  assert.deepEqual(
    jar.takeChanges().map(({ name }) => name),
    ['a'],
  )
  clock.advance(1000)
  receive('https://a.test/', 'a=1; Max-Age=86400')
  assert.deepEqual(jar.takeChanges(), [])
  receive('https://a.test/', 'a=; Max-Age=0')
  assert.deepEqual(
    jar.takeChanges().map(({ name, expiresAt }) => [name, expiresAt]),
    [['a', 0]],
  )
})

it('what others changed is merged, unless it changed here since', () => {
  const [one, two] = [makeJar(), makeJar()]
  one.receive('https://a.test/', 'a=1', 'b=1')
  two.jar.merge(one.jar.takeChanges())
  assert.equal(two.jar.headerFor('https://a.test/'), 'a=1; b=1')
  two.receive('https://a.test/', 'a=2')
  one.receive('https://a.test/', 'a=3', 'b=; Max-Age=0')
  two.jar.merge(one.jar.takeChanges())
  assert.equal(two.jar.headerFor('https://a.test/'), 'a=2')
})
