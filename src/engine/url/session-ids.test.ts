import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { cpuMs } from '../../lib/testing/cpu-time.ts'
import { normaliseUrl } from './normalise-url.ts'
import { stripSessionIds } from './session-ids.ts'

const HEX = '0123456789abcdef0123456789'
const HEX_32 = HEX + HEX

describe('stripSessionIds', () => {
  const dropped: [string, string][] = [
    ['/a;jsessionid=1A2B', '/a'],
    ['/a;JSESSIONID=1A2B!-77!88?b=1', '/a?b=1'],
    ['/a;v=1;jsessionid=1;w=2/b;jsessionid=', '/a;v=1;w=2/b'],
    ['/;jsessionid=1', '/'],
    ['/(S(lit3py55t21z5v55vlm25s55))/orders.aspx?id=1', '/orders.aspx?id=1'],
    ['/app/(S(lit3py55t21z5v55vlm25s55))/', '/app/'],
    ['/app/(S(lit3py55t21z5v55vlm25s55))', '/app'],
    ['/(S(lit3py55t21z5v55vlm25s55));jsessionid=1', '/'],
    ['/(S(lit3py55t21z5v55vlm25s55))//a', '//a'],
    ['/?PHPSESSID=x', '/'],
    ['/?a=1&PHPSESSID=x&b=2', '/?a=1&b=2'],
    ['/?PHPSESSID=x&b=%2f', '/?b=%2f'],
    ['/?a&phpsessid=x', '/?a'],
    ['/?JSESSIONID=x&&b', '/?&b'],
    ['/?&&PHPSESSID=x', '/?&'],
    ['/?ASPSESSIONIDQACBDTTQ=KJ&a=1', '/?a=1'],
    ['/?a=1&ASP.NET_SessionId=x', '/?a=1'],
    ['/?CFID=12&a=1&CFTOKEN=34', '/?a=1'],
    ['/?cfid=12&cftoken=34', '/'],
    [`/?sid=${HEX}`, '/'],
    [`/?sessionid=${HEX_32}&session_id=${HEX}&SID=${HEX}&p=1`, '/?p=1'],
    ['/?osCsid=h3k29fj20dk4mz81qp5xv7bn6c', '/'],
    ['/?zenid=a1b2c3d4e5f6g7h8i9j0k1l2m3', '/'],
    [`/?s=${HEX_32}&t=5`, '/?t=5'],
    ['/?sid=3f2a9c01', '/'],
    ['/list?page=2&sid=k4x9p2w7q1', '/list?page=2'],
    ['/pool/?C=N;O=D', '/pool/'],
    ['/pool/?C=M&O=A', '/pool/'],
    ['/pool/?S=D', '/pool/'],
    ['/files/?sort=namedirfirst&order=desc', '/files/'],
    ['/post/?replytocom=1234', '/post/'],
    ['/post/?share=facebook&nb=1', '/post/'],
    ['/post/?a=1&share=x', '/post/?a=1'],
    ['/page?print=1', '/page'],
    ['/w/index.php?title=A&printable=yes', '/w/index.php?title=A'],
  ]
  for (const [from, to] of dropped) {
    it(`${from} is ${to}`, () => {
      assert.equal(stripSessionIds(from), to)
      assert.equal(stripSessionIds(`http://example.com${from}`), `http://example.com${to}`)
    })
  }

  const kept = [
    '/',
    '/?',
    '/a?&&',
    '/a;v=1/b',
    '/api/index.html?org/junit/Test.html',
    '/a;jsessionidx=1;jsessionid',
    '/..;jsessionid=1/b',
    '/%2E.;jsessionid=1',
    '/?x=/a;jsessionid=1',
    '/?a=1;jsessionid=1',
    '/(S(x))/a',
    '/(S(lit3py55t21z5v55vlm25s55))a/b',
    '/?next=(S(lit3py55t21z5v55vlm25s55))',
    '/?PHPSESSID',
    '/?PHPSESSIDS=1&xPHPSESSID=1&PHPSESSID2=3',
    '/?x=PHPSESSID=1',
    '/?x=1?PHPSESSID=1',
    '/?CFID=12',
    '/?CFTOKEN=34',
    '/?x=?CFID=1&CFTOKEN=34',
    '/?CFIDs&CFTOKEN=34',
    '/?ASPSESSIONID=x&ASPSESSIONIDQACBDTT=x&ASPSESSIONIDQACBDTTQQ=x',
    '/?sid=12&sessionid=5',
    '/?sid=cafe2024',
    '/?sid=summer2024sale15',
    '/pool/?C=N;O=D;F=1',
    '/pool?C=N;O=D',
    '/pool/?C=X;O=D',
    '/files/?sort=name',
    '/post/?replytocom=me',
    '/post/?share=17',
    '/post/?nb=1',
    '/page?print=letter',
    '/?sid=1234567890123456',
    '/?sid=SummerCollection2024',
    '/?sid=summer-sale-2024-2025-x1y2',
    '/?sid=0123456789abcde',
    '/?session_id=introductiontocrawling',
    `/?s=${HEX}`,
    '/?s=windows11iphone15android12linux6xyz',
    `/?id=${HEX_32}&pid=${HEX}&token=${HEX}&hash=${HEX}&uid=${HEX}`,
  ]
  for (const url of kept) {
    it(`${url} stays`, () => {
      assert.equal(stripSessionIds(url), url)
      assert.equal(stripSessionIds(`http://example.com${url}`), `http://example.com${url}`)
    })
  }

  it('a host is not a path', () => {
    for (const url of ['http://a;jsessionid=1/', 'http://a;jsessionid=1/b;c']) assert.equal(stripSessionIds(url), url)
  })
})

const piece = fc.oneof(
  fc.constantFrom('/', '?', '&', '=', ';', '.', '..', '%2E', '(S(', '))', `(S(${HEX}))`, 'a', 'b=1', HEX, HEX_32),
  fc.constantFrom(';jsessionid=', ';JSessionID=a', '&PHPSESSID=', '&CFID=1', '&cftoken=2', '&sid=', '?s=', '&zenid='),
  fc.constantFrom('jsessionid=', 'CFID', 'ASPSESSIONIDABCDEFGH=', 'ASP.NET_SessionId=', `osCsid=${HEX}`),
)
const canonical = fc
  .array(piece, { maxLength: 10 })
  .map((pieces) => normaliseUrl(`http://example.com/${pieces.join('')}`))
  .filter((result) => 'url' in result)
  .map((result) => result.url)

describe('stripSessionIds on any URL', () => {
  it('is idempotent, and returns a canonical URL', () => {
    const property = fc.property(canonical, (url) => {
      const once = stripSessionIds(url)
      assert.equal(stripSessionIds(once), once)
      assert.deepEqual(normaliseUrl(once), { url: once, host: 'example.com' })
    })
    fc.assert(property, { numRuns: 20_000 })
  })

  it('returns the same for the path alone', () => {
    const property = fc.property(canonical, (url) => {
      const { origin } = new URL(url)
      assert.equal(origin + stripSessionIds(url.slice(origin.length)), stripSessionIds(url))
    })
    fc.assert(property, { numRuns: 5000 })
  })

  it('only removes parameters, and keeps their order', () => {
    const property = fc.property(canonical, (url) => {
      const rest = stripSessionIds(url).split(/[/?&;]/)
      const whole = url.split(/[/?&;]/)
      assert.ok(rest.every((each) => each === '' || whole.splice(0, whole.indexOf(each) + 1).length > 0))
    })
    fc.assert(property, { numRuns: 5000 })
  })

  it('leaves a URL without ids unchanged', () => {
    const property = fc.property(fc.webUrl({ withQueryParameters: true, withFragments: false }), (text) => {
      const result = normaliseUrl(text)
      return 'problem' in result || stripSessionIds(result.url) === result.url
    })
    fc.assert(property, { numRuns: 5000 })
  })

  it('a megabyte takes linear time', () => {
    const took = cpuMs(() => {
      for (const each of [
        'sid=',
        's=&',
        '=',
        '&',
        ';',
        '(S(',
        '/',
        ';jsessionid=1',
        '&PHPSESSID=1',
        `&sid=${HEX}`,
        'd=n',
      ]) {
        const text = each.repeat(1_000_000 / each.length)
        stripSessionIds(`http://example.com/?${text}`)
        stripSessionIds(`http://example.com/${text}`)
      }
    })
    assert.ok(took < 10_000, `${took} ms`)
  })
})
