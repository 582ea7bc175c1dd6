import assert from 'node:assert/strict'
import { it } from 'node:test'
import { auditSite } from '../testing/audited-site.ts'
import { linksToRedirects } from './links-to-redirects.ts'

it('lists links to redirects with the last URL, but not those that end in an error or a loop', async () => {
  const { found } = await auditSite(linksToRedirects, {
    '/': '<a href=/old>Old</a><a href=/new/>New</a><a href=/lost>Lost</a><a href=/loop>Loop</a>',
    '/old': { to: '/old2' },
    '/old2': { to: '/new/', status: 302 },
    '/new/': 'new',
    '/lost': { to: '/gone' },
    '/loop': { to: '/loop2' },
    '/loop2': { to: '/loop' },
  })
  assert.deepEqual(found, ['/ | /old | Old | Status 301, leads to /new/'])
})
