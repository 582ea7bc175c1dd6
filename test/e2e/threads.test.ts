// G7: the same site gives the same export with one thread and with many.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { serveSites } from '../../src/demo/serve.ts'
import { makeSite } from '../sites/graph.ts'
import { FAST, run, summaryOf, temporaryFolder } from './program.ts'

describe('threads', () => {
  it('one thread and four threads give the same export', async (t) => {
    const folder = temporaryFolder(t)
    const exports: string[] = []
    const sites = [makeSite(7, { pages: 200 }), makeSite(8, { pages: 200 })]
    const web = await serveSites(sites)
    t.after(() => web.close())
    const seeds = web.placed.map(({ origin }) => `${origin}/`)
    for (const threads of ['1', '4']) {
      const data = join(folder, `data-${threads}`)
      const ended = await run(['crawl', ...seeds, '--data', data, ...FAST, '--depth', '5', '--threads', threads])
      assert.equal(ended.code, 0, ended.stderr)
      const out = join(folder, `${threads}.jsonl`)
      await run(['export', summaryOf(ended).crawl_id, '--data', data, '--out', out])
      exports.push(out)
    }
    const compared = await run(['compare', ...exports])
    assert.equal(compared.code, 0, compared.stdout)
  })
})
