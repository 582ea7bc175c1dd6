import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { TestStore } from '../ports/contracts/testing/store-harness.ts'
import { makeTestStore as makePostgresStore } from '../store/testing/postgres-test-store.ts'
import { makeTestStore as makeSqliteStore } from '../store/testing/sqlite-test-store.ts'
import { RULES } from './rules.ts'
import { auditSites, describeFinding, type TestSite } from './testing/audited-site.ts'

const links = (...paths: string[]) => paths.map((path) => `<a href=${path}>to ${path}</a>`).join('')
const prose = Array.from({ length: 400 }, (_, i) => `word${String.fromCharCode(97 + (i % 26))}${i % 17}x${i}`).join(' ')

const SITE: TestSite = {
  '/': `<title>Home</title>${links('/a', '/b', '/c', '/d', '/old', '/loop', '/gone', '/de', '/deep1', '/large', '/app')}`,
  '/a': '<title>Same</title><h1>One</h1><h1>Two</h1><img src=x.png><img src=http://x.test/y.png alt="">',
  '/b': '<title>Same</title><h1>One</h1><h1>Two</h1><img src=x.png><img src=http://x.test/y.png alt="">',
  '/c': `<title>${'Wide title '.repeat(12)}</title><meta name=description content="${'long text '.repeat(30)}">${prose}`,
  '/d': `<meta name=robots content=noindex><meta name=description content="${'long text '.repeat(30)}">${prose} more`,
  '/old': { to: '/older' },
  '/older': { to: '/new' },
  '/new': '<link rel=canonical href=/old><meta name=description content="Here">',
  '/loop': { to: '/loop2' },
  '/loop2': { to: '/loop' },
  '/de': '<link rel=alternate hreflang=xx href=/de><meta name=description content="Here">',
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`/deep${n}`, links(`/deep${n + 1}`)])),
  '/large': { html: 'large', bytes: 3_000_000, fetchMs: 2500 },
  '/app': '<div id=app></div><script src=app.js></script>',
  '/lonely': 'lonely',
  '/sitemap.xml': { lists: ['/', '/a', '/lonely'] },
}
const EARLIER: TestSite = { ...SITE, '/gone': 'still there' }

it('both stores lead to the same findings of every rule', async () => {
  const results: { counts: Record<string, number>; found: string[] }[] = []
  for (const open of [async () => makeSqliteStore(OPTIONS), () => makePostgresStore(OPTIONS)]) {
    const store: TestStore = await open()
    try {
      const { summary, findings } = await auditSites(store, RULES, [EARLIER, SITE])
      const found = [...findings].flatMap(([rule, list]) => list.map((item) => `${rule}: ${describeFinding(item)}`))
      results.push({ counts: summary.counts, found: found.sort() })
    } finally {
      await store.close()
    }
  }
  const [sqlite, postgres] = results
  assert.deepEqual(postgres, sqlite)
  const silent = Object.entries(sqlite?.counts ?? {}).flatMap(([rule, count]) => (count === 0 ? [rule] : []))
  assert.deepEqual(silent, ['near-duplicate-pages', 'duplicate-descriptions'])
})

const OPTIONS = { leaseMs: 30_000, random: () => 0.5 }
