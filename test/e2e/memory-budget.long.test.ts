// A server that exceeds its memory budget says so, holds its crawls briefly, and completes them.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { serveSites } from '../../src/demo/serve-sites.ts'
import { makeSite } from '../sites/generated/make-site.ts'
import { makeTemporaryFolder } from '../testing/program.ts'
import { startServer } from '../testing/start-server.ts'
import { waitUntil } from '../testing/wait-until.ts'
import { requestJson } from './testing/json-api.ts'

/** Slow enough to last longer than the pause between two holds. */
const SLOW = { max_rate: 10, delay: 0, per_host: 8, cooldown: 0, retry_delay: 10 }
const SETTINGS = { allow_private: true, ignore_robots: true, traps: false, archive: 'none', ...SLOW }
const PAGES = 150
const TIMEOUT_MS = 180_000
/** Allocated in the main thread before the program starts. */
const TAKE_MEMORY = `if (require('node:worker_threads').isMainThread) globalThis.taken = Buffer.alloc(400 << 20, 1)`

it('a server over its memory budget holds its crawls, but not for ever', async (t) => {
  const web = await serveSites([makeSite(11, { pages: PAGES })])
  t.after(() => web.close())
  const folder = makeTemporaryFolder(t)
  const script = join(folder, 'take-memory.cjs')
  writeFileSync(script, TAKE_MEMORY)
  const flags = ['--memory', '256m', '--roles', 'api,worker,maintenance']
  const env = { ...process.env, NODE_OPTIONS: `--require ${script}` }
  const { address } = await startServer(t, { data: join(folder, 'data'), flags, env })
  const body = { url: `${web.sites[0]?.origin}/`, settings: SETTINGS }
  const created = await requestJson(address, 'POST', '/api/v1/crawls', body)
  assert.equal(created.status, 201, JSON.stringify(created.body))
  const waitForCrawl = async (name: 'held' | 'status', value: string) => {
    let last: unknown = null
    const check = async () => {
      const { body: crawl } = await requestJson(address, 'GET', `/api/v1/crawls/${created.body['crawl_id']}`)
      last = crawl
      return crawl[name] === value
    }
    await waitUntil(check, { pollMs: 100, timeoutMs: TIMEOUT_MS, timeoutMessage: () => JSON.stringify(last) })
  }
  await waitForCrawl('held', 'memory')
  const metrics = await (await fetch(`${address}/metrics`)).text()
  assert.match(metrics, /^orbweaver_memory_budget_bytes 268435456$/m)
  for (const thread of ['main', 'store', 'crawl', 'reader']) {
    assert.match(metrics, new RegExp(`^orbweaver_heap_bytes\\{thread="${thread}"\\} [1-9]\\d+$`, 'm'))
  }
  await waitForCrawl('status', 'completed')
})
