import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectCrawl } from '../../test/oracle/expected-crawl.ts'
import { makeMagazineSite } from './magazine-site.ts'

test('the demo site has about 400 pages, and almost all of them are found and visited', () => {
  const site = makeMagazineSite(2026)
  const origin = 'http://127.0.0.1:8080'
  const plan = { seeds: [`${origin}/`], maxDepth: null, retries: 3, followRedirects: true }
  const rows = [...expectCrawl([{ site, origin }], plan).values()]
  const count = (state: string) => rows.filter((row) => row.state === state).length
  assert.ok(site.nodes.size - rows.length <= 8, `${rows.length} of ${site.nodes.size} found`)
  assert.ok(count('visited') > 370 && count('visited') < 420, `${count('visited')} visited`)
  assert.ok(count('not_found') > 0 && count('not_found') < 12)
  assert.ok(count('redirected') > 2 && count('forbidden') === 1)
})
