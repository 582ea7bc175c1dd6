import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isSameSite, siteOf } from './site.ts'

it('hosts below a registrable domain are one site, those below a public suffix are not', () => {
  assert.deepEqual(['a.b.shop.co.uk', 'me.github.io', 'localhost', '10.1.2.3'].map(siteOf), [
    'shop.co.uk',
    'me.github.io',
    'localhost',
    '10.1.2.3',
  ])
})

it('a request of a page is of the same site if its page and its origin are', () => {
  const url = 'https://api.shop.test/x'
  const asks = (pageUrl: string, origin?: string) =>
    isSameSite({ url, pageUrl, headers: origin === undefined ? [] : [['Origin', origin]] })
  assert.equal(asks('https://www.shop.test/'), true)
  assert.equal(asks('https://www.shop.test/', 'https://www.shop.test'), true)
  assert.equal(asks('https://evil.test/'), false)
  for (const origin of ['https://evil.test', 'null'])
    assert.equal(asks('https://www.shop.test/', origin), false, origin)
})
