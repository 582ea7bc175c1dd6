import assert from 'node:assert/strict'
import { it } from 'node:test'
import { maskProxyEntry, parseProxyEntry } from './proxy-entry.ts'

it('an entry names a proxy, and may name its hosts', () => {
  const names = (text: string) => {
    const entry = parseProxyEntry(text)
    return entry === null ? null : [entry.host, typeof entry.via === 'string' ? entry.via : entry.via.name]
  }
  assert.deepEqual(names('proxy:3128'), [null, 'http://proxy:3128'])
  assert.deepEqual(names('http://u:a=b@proxy'), [null, 'http://proxy:80'])
  assert.deepEqual(names('*.Example.com=socks5://[::1]'), ['*.example.com', 'socks5://[::1]:1080'])
  assert.deepEqual(names('a.test:8080=direct'), ['a.test:8080', 'direct'])
  assert.deepEqual(names('env'), [null, 'env'])
  for (const wrong of [
    '',
    'direct',
    'a.test=env',
    'ftp://proxy',
    'http://proxy/path',
    'http://proxy?x',
    'a b=http://p',
  ])
    assert.equal(names(wrong), null, wrong)
  assert.equal(names(`http://${'u'.repeat(256)}:p@proxy`), null)
  assert.equal(names('http://u%0d%0a:p@proxy'), null)
  assert.equal(names('http://u%ZZ:p@proxy'), null)
})

it('user and password are hidden', () => {
  assert.equal(maskProxyEntry('a.test=http://u:p%40@proxy:1', '***'), 'a.test=http://***@proxy:1')
  assert.equal(maskProxyEntry('socks5h://proxy', '***'), 'socks5h://proxy:1080')
  assert.equal(maskProxyEntry('http://u:geheim@proxy/x', '***'), '***')
})
