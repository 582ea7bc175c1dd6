// Several API processes of one store, without archives: each returns the same pages, and a client may use any of them.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { servePlainSite } from '../sites/plain-site.ts'
import { makeTemporaryFolder } from '../testing/program.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'
import { waitUntil } from '../testing/wait-until.ts'
import type { JsonObject } from './testing/json-api.ts'
import { openTestCluster } from './testing/test-cluster.ts'

const CRAWL = ['--allow-private', '--ignore-robots', '--delay', '0', '--detach']
const PAGE = '<html><title>Looms</title><body><p>Looms and spindles</p><a href="/">home</a></body></html>'

function startReplica(t: TestContext, store: string): Promise<TestServer> {
  return startServer(t, { flags: ['--roles', 'api', '--store', store] })
}

async function pageIdOf({ address }: TestServer, url: string): Promise<number> {
  const response = await fetch(`${address}/api/v1/pages?url=${encodeURIComponent(url)}`)
  const { items } = (await response.json()) as { items: { page_id: number }[] }
  return items[0]?.page_id ?? assert.fail(`${url} was not archived`)
}

/** A page in every form that the API offers. */
async function contentOf({ address }: TestServer, id: number): Promise<string[]> {
  const paths = ['?html=true', '/raw', '/text', '/history'].map((path) => `${address}/api/v1/pages/${id}${path}`)
  return Promise.all(
    paths.map(async (path) => {
      const response = await fetch(path)
      return `${response.status} ${await response.text()}`
    }),
  )
}

it('every API process returns the same content, regardless of the others', async (t) => {
  const testCluster = await openTestCluster(t)
  const { origin } = await servePlainSite(t, (path) => (path === '/' ? '<a href="/looms">looms</a>' : PAGE))
  testCluster.startWorker()
  await testCluster.runCommand(['crawl', `${origin}/`, ...CRAWL])
  await testCluster.waitForRow(`select 1 from crawls where status = 'completed'`)
  const [first, second] = await Promise.all([startReplica(t, testCluster.url), startReplica(t, testCluster.url)])
  const id = await pageIdOf(first, `${origin}/looms`)
  const content = await contentOf(first, id)
  assert.equal(content[1], `200 ${PAGE}`)
  assert.deepEqual(await contentOf(second, id), content)
  first.program.child.kill('SIGKILL')
  await first.program.ended
  const third = await startReplica(t, testCluster.url)
  for (const one of [second, third]) {
    assert.deepEqual(await contentOf(one, id), content)
    assert.equal(existsSync(join(one.data, 'archive')), false)
  }

  // A page that any process drops is gone for all, even if they read it a moment ago.
  await testCluster.waitForRow('update pages set expires_at = 1 returning 1')
  await testCluster.runCommand(['archive', 'expire', '--data', makeTemporaryFolder(t)])
  for (const one of [second, third]) {
    assert.deepEqual(
      (await contentOf(one, id)).map((text) => text.slice(0, 4)),
      ['404 ', '404 ', '404 ', '404 '],
    )
  }
})

it('requests of one client may reach any API process in turn', async (t) => {
  const testCluster = await openTestCluster(t)
  const created = await testCluster.runCommand(['token', 'create', 'admin', 'admin', '--json'])
  const token = String((JSON.parse(created.stdout) as JsonObject)['token'])
  const flags = ['--roles', 'api', '--require-token', '--store', testCluster.url, '--allow-private']
  const processes = await Promise.all([startServer(t, { flags }), startServer(t, { flags })])
  let turn = 0
  const request = async (method: string, path: string, body?: unknown) => {
    turn += 1
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': 'once', 'content-type': 'application/json' }
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) }
    const response = await fetch(`${processes[turn % 2]?.address}${path}`, init)
    assert.ok(response.ok, `${method} ${path}: ${response.status}`)
    return (await response.json()) as JsonObject
  }

  // A repeated request creates one crawl.
  const seeds = Array.from({ length: 9 }, (_, i) => `http://127.0.0.1:9/${i}`)
  const start = { urls: seeds, settings: { scope: 'any' } }
  const [first, second] = [
    await request('POST', '/api/v1/crawls', start),
    await request('POST', '/api/v1/crawls', start),
  ]
  assert.equal(first['crawl_id'], second['crawl_id'])
  const crawl = `/api/v1/crawls/${first['crawl_id']}`

  // The changes of a graph continue.
  let [urls, version] = [0, 0]
  for (let i = 0; i < 5; i++) {
    const path = `/crawl-runs/${first['crawl_id']}/graph-delta?after_version=${version}&limit=2`
    const delta = (await request('GET', path)) as { urls: unknown[]; watermark: { graph_version: number } } & JsonObject
    urls += delta.urls.length
    version = delta.watermark.graph_version
  }
  assert.equal(urls, seeds.length)

  // A change made by one process is soon reported by the other.
  await request('POST', `${crawl}/pause`)
  const hasStatus = async (status: string) => (await request('GET', crawl))['status'] === status
  for (let i = 0; i < 2; i++) await waitUntil(() => hasStatus('paused'))
})
