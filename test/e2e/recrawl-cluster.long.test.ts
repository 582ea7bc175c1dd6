// A crawl with --recrawl on several workers and Postgres: each page is visited again, by one worker at a time, also while
// workers are killed.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ChangingSite, htmlPage } from '../sites/changing-site.ts'
import { waitUntil } from '../testing/wait-until.ts'
import { openTestCluster } from './testing/test-cluster.ts'

it('workers of a cluster share revisits, and killed workers lose none', async (t) => {
  const paths = Array.from({ length: 30 }, (_, i) => `/${i}`)
  const pages = Object.fromEntries(paths.map((path) => [path, { ...htmlPage(path), etag: `"${path}"` }]))
  const site = await ChangingSite.serve({ '/': htmlPage('Home', paths), ...pages })
  t.after(() => site.close())
  const cluster = await openTestCluster(t)
  const workers = [cluster.startWorker(), cluster.startWorker()]
  const flags = ['--allow-private', '--ignore-robots', '--delay', '0', '--no-traps', '--archive', 'none', '--detach']
  await cluster.runCommand(['crawl', `${site.origin}/`, '--recrawl', '2s', ...flags])
  const visitsOf = (path: string) => site.requestsOf(path).length
  await waitUntil(() => paths.every((path) => visitsOf(path) >= 2))
  workers[0]?.child.kill('SIGKILL')
  cluster.startWorker()
  const before = new Map(paths.map((path) => [path, visitsOf(path)]))
  await waitUntil(() => paths.every((path) => visitsOf(path) >= (before.get(path) ?? 0) + 3))
  assert.ok(site.requests.some(({ status }) => status === 304))
  const id = await readCrawlId(cluster)
  await cluster.runCommand(['complete', id])
  await cluster.waitForRow(`select 1 from crawls where status = 'completed'`)
  const { stdout } = await cluster.runCommand(['status', id, '--json'])
  const { states, total } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}') as {
    states: Record<string, number>
    total: number
  }
  assert.deepEqual([states['visited'], total], [31, 31])
  await cluster.runCommand(['verify', id])
})

async function readCrawlId(cluster: Awaited<ReturnType<typeof openTestCluster>>): Promise<string> {
  const { stdout } = await cluster.runCommand(['crawls', '--json'])
  return /"crawl_id":"([^"]+)"/.exec(stdout)?.[1] ?? ''
}
