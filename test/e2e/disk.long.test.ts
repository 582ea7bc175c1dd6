// Full and read-only disks end in a clear error without damage. Both need a file system of their own, which root can
// mount; elsewhere the tests say why they are skipped.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { serveSites } from '../../src/demo/serve.ts'
import { differences } from '../oracle/compare.ts'
import { expectCrawl } from '../oracle/expect.ts'
import { makeSite } from '../sites/graph.ts'
import { exportRows, FAST, run, summaryOf } from './program.ts'
import { mountTmpfs } from './small-disk.ts'

describe('disks', () => {
  for (const [archive, size] of [
    ['none', '600k'],
    ['all', '800k'],
  ] as const)
    it(`a full disk (--archive ${archive}) stops the crawl with a clear error, and resume goes on when there is room`, async (t) => {
      const disk = mountTmpfs(t, size)
      if (disk === null) return
      const web = await serveSites([makeSite(11, { pages: 800 })])
      t.after(() => web.close())
      const seed = `${web.placed[0]?.origin}/`
      const data = join(disk, 'data')
      const full = await run(['crawl', seed, '--data', data, ...FAST, '--archive', archive, '--min-free-disk', '0'])
      assert.equal(full.code, 1, full.stdout)
      assert.match(full.stderr, /disk that holds .* is full/)
      execFileSync('mount', ['-o', 'remount,size=100m', disk])
      const resumed = await run(['resume', '--data', data, '--json', '--min-free-disk', '0'])
      assert.equal(resumed.code, 0, resumed.stderr)
      const { crawl_id } = summaryOf(resumed)
      const expected = expectCrawl(web.placed, { seeds: [seed], maxDepth: null, retries: 2, followRedirects: true })
      const rows = await exportRows(data, crawl_id)
      const crawled = rows.map((row) => ({ ...row, httpStatus: row.http_status }))
      assert.deepEqual(differences(expected, crawled), [])
      assert.equal((await run(['verify', crawl_id, '--data', data])).code, 0)
      assert.equal((await run(['archive', 'verify', '--data', data])).code, 0)
    })

  it('a read-only disk is refused with a clear error', async (t) => {
    const disk = mountTmpfs(t, '10m')
    if (disk === null) return
    execFileSync('mount', ['-o', 'remount,ro', disk])
    const refused = await run(['crawl', 'http://127.0.0.1:1/', '--data', join(disk, 'data'), ...FAST])
    assert.equal(refused.code, 1, refused.stdout)
    assert.match(refused.stderr, /cannot be written/)
  })
})
