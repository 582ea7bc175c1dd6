// G7: a site gives the same export with one thread and with several.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { serveSites } from '../../src/demo/serve-sites.ts'
import { makeSite } from '../sites/generated/make-site.ts'
import { FAST_FLAGS, makeTemporaryFolder, parseSummary, runProgram } from '../testing/program.ts'
import { runInProcess } from '../testing/run-in-process.ts'

describe('threads', () => {
  it('one thread and four threads give the same export', async (t) => {
    const folder = makeTemporaryFolder(t)
    const exports: string[] = []
    const sites = [makeSite(7, { pages: 200 }), makeSite(8, { pages: 200 })]
    const web = await serveSites(sites)
    t.after(() => web.close())
    const seeds = web.sites.map(({ origin }) => `${origin}/`)
    for (const threads of ['1', '4']) {
      const data = join(folder, `data-${threads}`)
      const programResult = await runProgram([
        'crawl',
        ...seeds,
        '--data',
        data,
        ...FAST_FLAGS,
        '--depth',
        '5',
        '--threads',
        threads,
      ])
      assert.equal(programResult.code, 0, programResult.stderr)
      const out = join(folder, `${threads}.jsonl`)
      await runInProcess(['export', parseSummary(programResult).crawl_id, '--data', data, '--out', out])
      exports.push(out)
    }
    const compared = await runProgram(['compare', ...exports])
    assert.equal(compared.code, 0, compared.stdout)
  })
})
