import assert from 'node:assert/strict'
import { it } from 'node:test'
import { auditSite } from '../testing/audited-site.ts'
import { mixedContent } from './mixed-content.ts'

it('lists what a page over HTTPS loads over HTTP; links are not loaded', async () => {
  const { found } = await auditSite(mixedContent, {
    '/': '<a href=/a>a</a><a href=/b>b</a><a href=http://plain.test/>p</a><a href=http://x.test/y>y</a>',
    '/a': '<img src=http://x.test/1.png srcset="http://x.test/2.png 2x, /3.png 3x"><script src="HTTP://x.test/s.js"></script>',
    '/b': '<img src=//x.test/1.png><link rel=alternate href=http://x.test/feed><img src=http://127.0.0.1/x>',
    'http://plain.test/': '<img src=http://x.test/1.png>',
  })
  assert.deepEqual(found, ['/a | Over HTTP: http://x.test/1.png, http://x.test/2.png, http://x.test/s.js'])
})

it('accepts pages that let browsers upgrade the requests', async () => {
  const image = '<img src=http://x.test/1.png>'
  const policy = 'upgrade-insecure-requests'
  const { found } = await auditSite(mixedContent, {
    '/': { html: `${image}<a href=/a>a</a>`, headers: [['Content-Security-Policy', `default-src *; ${policy}`]] },
    '/a': `<meta http-equiv=Content-Security-Policy content="${policy}">${image}`,
  })
  assert.deepEqual(found, [])
})
