// Pages archived by a worker, read through several API processes that have no archive of their own.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { servePlainSite } from '../sites/plain-site.ts'
import { makeTemporaryFolder } from '../testing/program.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'
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
