import assert from 'node:assert/strict'
import { it } from 'node:test'
import { auditSite } from '../testing/audited-site.ts'
import { redirectChains } from './redirect-chains.ts'

it('reports a chain once, where it starts, and a single redirect not at all', async () => {
  const { found } = await auditSite(redirectChains, {
    '/': '<a href=/a>a</a><a href=/b>b</a><a href=/x>x</a>',
    '/a': { to: '/b' },
    '/b': { to: '/c' },
    '/c': { to: '/end' },
    '/end': 'end',
    '/x': { to: '/end' },
  })
  assert.deepEqual(found, ['/a | /end | 3 redirects: /a → /b → /c → /end'])
})

it('follows a chain to a URL that the crawl does not have, and leaves loops to their own rule', async () => {
  const { found } = await auditSite(redirectChains, {
    '/': '<a href=/a>a</a><a href=/l>l</a>',
    '/a': { to: '/b' },
    '/b': { to: 'mailto:x@y.test' },
    '/l': { to: '/m' },
    '/m': { to: '/l' },
  })
  assert.deepEqual(found, ['/a | mailto:x@y.test | 2 redirects: /a → /b → mailto:x@y.test'])
})
