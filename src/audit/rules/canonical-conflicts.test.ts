import assert from 'node:assert/strict'
import { it } from 'node:test'
import { auditSite } from '../testing/audited-site.ts'
import { canonicalConflicts } from './canonical-conflicts.ts'

const canonical = (href: string) => `<link rel=canonical href="${href}">`
const links = (paths: string[]) => paths.map((path) => `<a href=${path}>${path}</a>`).join('')

it('lists canonical URLs that are broken, redirect, opt out, or name another one', async () => {
  const { found } = await auditSite(canonicalConflicts, {
    '/': canonical('/') + links(['/a', '/b', '/c', '/d', '/gone', '/moved', '/hidden', '/next']),
    '/a': canonical('/gone'),
    '/b': canonical('/moved'),
    '/c': canonical('/hidden'),
    '/d': canonical('/next'),
    '/moved': { to: '/' },
    '/hidden': '<meta name=robots content=noindex>',
    '/next': canonical('/'),
  })
  assert.deepEqual(found, [
    '/a | /gone | The canonical URL is broken: Status 404',
    '/b | /moved | The canonical URL redirects to /',
    '/c | /hidden | The canonical URL has noindex',
    '/d | /next | The canonical URL names another canonical URL',
  ])
})

it('lists pages with several canonical links, but accepts equal ones and those of unknown URLs', async () => {
  const { found } = await auditSite(canonicalConflicts, {
    '/': links(['/a', '/b', '/c']),
    '/a': canonical('/a') + canonical('/b'),
    '/b': canonical('/b') + canonical('https://site.test/b'),
    '/c': `<p>${canonical('/b')}</p>`,
  })
  assert.deepEqual(found, ['/a | 2 canonical links: /a, /b'])
})
