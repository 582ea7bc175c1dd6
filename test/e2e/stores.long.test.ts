// G7: one worker, several workers and a single process with SQLite give the same export.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { serveSites } from '../../src/demo/serve-sites.ts'
import { makeSite } from '../sites/generated/make-site.ts'
import { FAST_FLAGS, makeTemporaryFolder, parseSummary, runProgram } from '../testing/program.ts'
import { openTestCluster } from './testing/test-cluster.ts'

const FLAGS = [...FAST_FLAGS, '--depth', '5']

interface Place {
  seeds: string[]
  folder: string
}

async function crawlInFile({ seeds, folder }: Place): Promise<string> {
  const data = join(folder, 'file')
  const programResult = await runProgram(['crawl', ...seeds, '--data', data, ...FLAGS])
  assert.equal(programResult.code, 0, programResult.stderr)
  return exportTo(join(folder, 'file.jsonl'), parseSummary(programResult).crawl_id, ['--data', data])
}

async function crawlInPostgres(t: TestContext, { seeds, folder }: Place, workers: number): Promise<string> {
  const testCluster = await openTestCluster(t)
  const created = await testCluster.runCommand(['crawl', ...seeds, '--detach', ...FLAGS])
  const { crawl_id } = JSON.parse(created.stdout) as { crawl_id: string }
  const programs = Array.from({ length: workers }, () => testCluster.startWorker(['--threads', '1']))
  await testCluster.waitForRow(`select 1 from crawls where status = 'completed'`)
  for (const { child } of programs) child.kill('SIGTERM')
  for (const { ended } of programs) assert.equal((await ended).code, 0, (await ended).stderr)
  await testCluster.runCommand(['verify', crawl_id])
  return exportTo(join(folder, `${workers}.jsonl`), crawl_id, ['--store', testCluster.url])
}

async function exportTo(out: string, crawlId: string, where: string[]): Promise<string> {
  const { code, stderr } = await runProgram(['export', crawlId, ...where, '--out', out])
  assert.equal(code, 0, stderr)
  return out
}

it('SQLite, one worker and three workers on Postgres give the same export', async (t) => {
  const web = await serveSites([7, 8, 9, 10].map((seed) => makeSite(seed, { pages: 120 })))
  t.after(() => web.close())
  const input = { seeds: web.sites.map(({ origin }) => `${origin}/`), folder: makeTemporaryFolder(t) }
  const file = await crawlInFile(input)
  for (const workers of [1, 3]) {
    const compared = await runProgram(['compare', file, await crawlInPostgres(t, input, workers)])
    assert.equal(compared.code, 0, `${workers} workers: ${compared.stdout}`)
  }
})
