import assert from 'node:assert/strict'
import { it } from 'node:test'
import { auditSite } from '../testing/audited-site.ts'
import { redirectLoops } from './redirect-loops.ts'

it('lists the URLs of a loop, and those that lead into it', async () => {
  const { found } = await auditSite(redirectLoops, {
    '/': '<a href=/in>in</a><a href=/fine>fine</a>',
    '/in': { to: '/a' },
    '/a': { to: '/b' },
    '/b': { to: '/a' },
    '/fine': { to: '/end' },
    '/end': 'end',
  })
  assert.deepEqual(found, ['/in | /a | /in → /a → /b → /a', '/a | /b | /a → /b → /a', '/b | /a | /b → /a → /b'])
})
