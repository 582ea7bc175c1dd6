// A file of policies, as the server and the commands see it.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { servePlainSite } from '../sites/plain-site.ts'
import { makeTemporaryFolder } from '../testing/program.ts'
import { runInProcess } from '../testing/run-in-process.ts'
import { crawlPlainSite } from './testing/plain-crawl.ts'

const links = (count: number) => Array.from({ length: count }, (_, i) => `<a href="/${i}">x</a>`).join('')

it('a file of policies limits the pages of a host, and the commands name the policy', async (t) => {
  const site = await servePlainSite(t, (path) => (path === '/' ? links(30) : 'page'))
  const file = join(makeTemporaryFolder(t), 'policies.json')
  writeFileSync(file, JSON.stringify([{ host: '127.*', max_pages: 7, delay: 20 }]))
  const { summary, data, outcomes } = await crawlPlainSite(t, site, [
    '--policies',
    file,
    '--ignore-robots',
    '--no-traps',
  ])
  assert.equal(site.requests.length, 7)
  const { stdout } = await runInProcess(['politeness', summary.crawl_id, '--data', data, '--json'])
  assert.equal((JSON.parse(stdout) as { policy: string }).policy, '127.*')
  const explained = await runInProcess(['policies', 'explain', new URL(site.origin).host, '--data', data])
  assert.equal(explained.stdout, 'delay: 20 ms (policy 127.*)\nmax pages: 7 (policy 127.*)\n')
  assert.equal(outcomes.filter((outcome) => outcome.endsWith(' excluded host_max_pages')).length, 24)
})

it('a value is added to a policy, or removed from it, if it goes with the others', async (t) => {
  const data = ['--data', makeTemporaryFolder(t)]
  const set = (...values: string[]) => runInProcess(['policies', 'set', 'a.test', ...values, ...data])
  assert.equal((await set('rate=2', 'delay=100')).code, 0)
  assert.equal((await set('burst=5')).code, 0)
  assert.equal((await set('delay=')).code, 0)
  const { stdout } = await runInProcess(['policies', 'list', '--json', ...data])
  assert.deepEqual(JSON.parse(stdout), { host: 'a.test', rate: 2, burst: 5 })
  assert.match((await set('rate=')).stderr, /burst: A burst needs a rate\./)
  assert.match((await set('dealy=')).stderr, /dealy: Unknown name\./)
})
