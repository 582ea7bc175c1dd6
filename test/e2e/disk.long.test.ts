// Full and read-only disks end in a clear error without damage. Both need to mount a file system, which needs root;
// otherwise the tests are skipped.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { serveSites } from '../../src/demo/serve-sites.ts'
import { findDifferences } from '../oracle/compare-crawl.ts'
import { expectCrawl } from '../oracle/expected-crawl.ts'
import { makeSite } from '../sites/generated/make-site.ts'
import { FAST_FLAGS, parseSummary, runProgram } from '../testing/program.ts'
import { exportRows } from '../testing/run-in-process.ts'
import { mountTmpfsForTest } from '../testing/tmpfs.ts'

describe('disks', () => {
  for (const [archive, size] of [
    ['none', '1000k'],
    ['all', '1200k'],
  ] as const)
    it(`a full disk (--archive ${archive}) stops the crawl with an error, and resume continues`, async (t) => {
      const disk = mountTmpfsForTest(t, size)
      if (disk === null) return
      const web = await serveSites([makeSite(11, { pages: 800 })])
      t.after(() => web.close())
      const seed = `${web.sites[0]?.origin}/`
      const data = join(disk, 'data')
      const full = await runProgram([
        'crawl',
        seed,
        '--data',
        data,
        ...FAST_FLAGS,
        '--archive',
        archive,
        '--min-free-disk',
        '0',
      ])
      assert.equal(full.code, 1, full.stdout)
      assert.match(full.stderr, /disk that holds .* is full/)
      execFileSync('mount', ['-o', 'remount,size=100m', disk])
      const resumed = await runProgram(['resume', '--data', data, '--json', '--min-free-disk', '0'])
      assert.equal(resumed.code, 0, resumed.stderr)
      const { crawl_id } = parseSummary(resumed)
      const expected = expectCrawl(web.sites, { seeds: [seed], maxDepth: null, retries: 2, followRedirects: true })
      const rows = await exportRows(data, crawl_id)
      const crawled = rows.map((exportRow) => ({ ...exportRow, httpStatus: exportRow.http_status }))
      assert.deepEqual(findDifferences(expected, crawled), [])
      assert.equal((await runProgram(['verify', crawl_id, '--data', data])).code, 0)
      assert.equal((await runProgram(['archive', 'verify', '--data', data])).code, 0)
    })

  it('a read-only disk is rejected with a clear error', async (t) => {
    const disk = mountTmpfsForTest(t, '10m')
    if (disk === null) return
    execFileSync('mount', ['-o', 'remount,ro', disk])
    const refused = await runProgram(['crawl', 'http://127.0.0.1:1/', '--data', join(disk, 'data'), ...FAST_FLAGS])
    assert.equal(refused.code, 1, refused.stdout)
    assert.match(refused.stderr, /Cannot write to the data directory/)
  })
})
