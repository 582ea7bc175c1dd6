// Crawls sites built with real frameworks in a real browser. The result must be exactly what the sites define.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { packagedBrowser } from '../../src/render/testing/test-pool.ts'
import { serveRenderedSites } from '../sites/rendered/rendered-sites.ts'
import { FAST_FLAGS, makeTemporaryFolder, parseSummary, runProgram } from '../testing/program.ts'
import { exportRows } from '../testing/run-in-process.ts'

describe('a crawl that renders', () => {
  it('finds every page of every site, and requests each file once', async (t) => {
    const sites = await serveRenderedSites(t)
    const data = makeTemporaryFolder(t)
    const { path: browser } = await packagedBrowser()
    const seeds = sites.map(({ site }) => `${site.origin}/`)
    const flags = ['--render', 'all', '--render-scroll', '--hash-routes', '--browser', browser]
    const result = await runProgram(['crawl', ...seeds, '--data', data, ...FAST_FLAGS, ...flags])
    assert.equal(result.code, 0, result.stderr)
    const rows = await exportRows(data, parseSummary(result).crawl_id)
    for (const { name, site, expected } of sites) {
      const own = rows.filter(({ url }) => url.startsWith(`${site.origin}/`))
      const found = own.map(({ url, title, state }) => [
        url.slice(site.origin.length),
        state === 'visited' ? title : state,
      ])
      assert.deepEqual(Object.fromEntries(found), expected, name)
      const files = site.paths().filter((path) => path.startsWith('/assets/'))
      assert.equal(new Set(files).size, files.length, `${name}: ${files}`)
    }
  })
})
