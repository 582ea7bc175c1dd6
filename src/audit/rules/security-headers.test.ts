import assert from 'node:assert/strict'
import { it } from 'node:test'
import { auditSite } from '../testing/audited-site.ts'
import { securityHeaders } from './security-headers.ts'

const ALL: [string, string][] = [
  ['Strict-Transport-Security', 'max-age=31536000'],
  ['x-content-type-options', 'nosniff'],
  ['Content-Security-Policy', "default-src 'self'; frame-ancestors 'none'"],
]

it('counts the pages of each host that lack a header', async () => {
  const { found } = await auditSite(securityHeaders, {
    '/': { html: '<a href=/a>a</a><a href=http://plain.test/>p</a>', headers: ALL },
    '/a': { html: '<meta http-equiv=content-security-policy content=x>', headers: [['X-Frame-Options', 'DENY']] },
    'http://plain.test/': { html: 'plain', headers: ALL.slice(1) },
  })
  assert.deepEqual(found, [
    '/a | Strict-Transport-Security | Missing on 1 of 2 pages of ',
    '/a | X-Content-Type-Options: nosniff | Missing on 1 of 2 pages of ',
  ])
})
