import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cpuMs } from '../../lib/testing/cpu-time.ts'
import { loadFilterLists } from './filter-list.ts'
import { MAX_URL_LENGTH } from './normalise-url.ts'

const PAGE = 'https://news.example.com/today'

async function match(lines: string[], url: string, pageUrl = PAGE): Promise<string | null> {
  return (await loadFilterLists([lines.join('\n')])).match(url, pageUrl)
}

describe('a filter list', () => {
  const cases: [fact: string, lines: string[], url: string, filter: string | null, page?: string][] = [
    ['blocks a domain', ['||ads.test^'], 'http://ads.test/x', '||ads.test^'],
    ['blocks its subdomains', ['||ads.test^'], 'https://cdn.ads.test:8080/', '||ads.test^'],
    ['blocks no domain that only looks alike', ['||ads.test^'], 'http://bads.test/ads.test^', null],
    ['blocks a part of a path', ['/banner/*'], 'http://shop.test/x/banner/1.html', '/banner/*'],
    ['blocks whatever the case', ['/Banner/'], 'http://shop.test/bAnNeR/', '/Banner/'],
    ['blocks by regular expression', ['/ad[0-9]+\\./'], 'http://shop.test/ad77.html', '/ad[0-9]+\\./'],
    ['blocks documents', ['||ads.test^$document'], 'http://ads.test/', '||ads.test^$document'],
    ['blocks no links for filters on images', ['||ads.test^$image,script'], 'http://ads.test/', null],
    ['blocks no links for filters on frames', ['||ads.test^$subdocument'], 'http://ads.test/', null],
    ['heeds exceptions', ['||ads.test^', '@@||ads.test/help^'], 'http://ads.test/help/1', null],
    ['heeds exceptions for documents', ['||ads.test^', '@@||ads.test^$document'], 'http://ads.test/', null],
    ['heeds exceptions for documents only', ['||ads.test^', '@@||ads.test^$image'], 'http://ads.test/', '||ads.test^'],
    ['lets important filters win', ['||a.test^$important', '@@||a.test^'], 'http://a.test/', '||a.test^$important'],
    ['tells third parties', ['||ads.test^$third-party'], 'http://ads.test/', '||ads.test^$third-party'],
    ['tells first parties', ['||ads.test^$third-party'], 'http://ads.test/', null, 'http://www.ads.test/'],
    [
      'tells users of one host apart',
      ['||b.github.io^$3p'],
      'http://b.github.io/',
      '||b.github.io^$3p',
      'http://a.github.io/',
    ],
    ['tells addresses apart', ['/x/$3p'], 'http://127.0.0.1/x/', '/x/$3p', 'http://127.0.0.2/'],
    ['knows an address again', ['/x/$3p'], 'http://127.0.0.1:81/x/', null, 'http://127.0.0.1:80/'],
    ['heeds the page', ['/x/$domain=example.com'], 'http://a.test/x/', '/x/$domain=example.com'],
    ['heeds that the page is another', ['/x/$domain=other.com'], 'http://a.test/x/', null],
    ['heeds that the page is excluded', ['/x/$domain=~news.example.com'], 'http://a.test/x/', null],
    ['heeds bad filters', ['||ads.test^', '||ads.test^$badfilter'], 'http://ads.test/', null],
    [
      'blocks nothing to change it',
      ['||a.test^$csp=x', '||a.test^$removeparam=y', '*$elemhide'],
      'http://a.test/?y=1',
      null,
    ],
    ['hides nothing', ['a.test##.ad', '##.ad', 'a.test#@#.ad', 'a.test#$#x'], 'http://a.test/.ad', null],
    ['has comments', ['! ||a.test^', '[Adblock Plus 2.0]', '# x', ''], 'http://a.test/', null],
  ]
  for (const [fact, lines, url, filter, page] of cases) {
    it(fact, async () => assert.equal(await match(lines, url, page), filter))
  }

  it('is matched in linear time, whatever the URL', async () => {
    const list = await loadFilterLists(['/q(a+)+$/\n||x.test/a*a*a*a*a*a*a*b|'])
    const before = process.threadCpuUsage()
    assert.equal(list.match(`http://x.test/q${'a'.repeat(1000)}!`, PAGE), null)
    assert.equal(list.match(`http://x.test/q${'a'.repeat(1000)}`, PAGE), '/q(a+)+$/')
    assert.equal(list.match('http://x.test/aaaaaaaaab', PAGE), '||x.test/a*a*a*a*a*a*a*b|')
    const { user, system } = process.threadCpuUsage(before)
    assert.ok(user + system < 2_000_000, `${user + system} us`)
  })

  it('lists filters that cannot be matched in linear time', async () => {
    const list = await loadFilterLists(['/ad(?=s)/\n/(a)\\1/\n/a{900}/\n||a.test^'])
    assert.equal(list.filters, 1)
    assert.deepEqual(list.unreadable, ['/ad(?=s)/', '/(a)\\1/', '/a{900}/'])
  })

  it('counts filters for links and lists unreadable lines', async () => {
    const first = '! title\r\n||a.test^\r\n||b.test^$nonsense\r\n||c.test^$image\r\na.test##.ad\r\na.test#$#x\r\n'
    const list = await loadFilterLists([first, '@@||d.test^\n/[/'])
    assert.equal(list.filters, 2)
    assert.deepEqual(list.unreadable, ['||b.test^$nonsense', '/[/'])
    assert.equal(list.match('http://a.test/', PAGE), '||a.test^')
  })

  it('combines several lists', async () => {
    const list = await loadFilterLists(['||a.test^', '||b.test^', '@@||a.test/ok'])
    assert.equal(list.match('http://b.test/', PAGE), '||b.test^')
    assert.equal(list.match('http://a.test/ok', PAGE), null)
    assert.equal(list.match('http://a.test/', PAGE), '||a.test^')
  })

  it('without filters blocks nothing', async () => {
    assert.equal((await loadFilterLists([])).match('http://a.test/', PAGE), null)
    assert.equal((await loadFilterLists([''])).match('http://a.test/', PAGE), null)
  })

  it('does not remember a page for too long', async () => {
    const list = await loadFilterLists(['||a.test^$third-party'])
    assert.equal(list.match('http://a.test/', 'http://b.test/'), '||a.test^$third-party')
    assert.equal(list.match('http://a.test/', 'http://x.a.test/'), null)
    assert.equal(list.match('http://a.test/', 'http://b.test/'), '||a.test^$third-party')
  })

  it('handles the longest URLs quickly, whatever they contain', async () => {
    const list = await loadFilterLists([
      '||a.test^*/x/*/y/*/z^',
      '/banner/*/img^',
      '/ad[a-z]+[0-9]*\\.html/',
      '-ad-*-top-',
    ])
    const took = cpuMs(() => {
      for (const each of ['x', '/', '/x/y', '?x&', '/banner', '%41', 'x.', 'ad', '-ad-to']) {
        const url = `http://a.test/${each.repeat(MAX_URL_LENGTH / each.length)}`
        assert.equal(list.match(url.slice(0, MAX_URL_LENGTH), PAGE), null)
      }
    })
    assert.ok(took < 5000, `${took} ms`)
  })
})
