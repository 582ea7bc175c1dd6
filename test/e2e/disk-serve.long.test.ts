// A server with a full disk stays up: it can be queried, says why its crawls wait, and continues when there is space.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { it } from 'node:test'
import { serveSites } from '../../src/demo/serve-sites.ts'
import { makeSite } from '../sites/generated/make-site.ts'
import { startServer } from '../testing/start-server.ts'
import { mountTmpfsForTest } from '../testing/tmpfs.ts'
import { waitUntil } from '../testing/wait-until.ts'
import { type JsonResponse, requestJson } from './testing/json-api.ts'

/** Many pages of the site fail a few times. */
const QUICK = { cooldown: 0, retry_delay: 10 }
const SETTINGS = { allow_private: true, ignore_robots: true, delay: 0, per_host: 8, traps: false, ...QUICK }
const PAGES = 1200
const TIMEOUT_MS = 90_000

const KINDS = [
  { what: 'urls', archive: 'none', roles: 'api,worker,maintenance', size: '1000k' },
  { what: 'urls, pages and a search index', archive: 'all', roles: 'api,worker,maintenance,indexer', size: '2m' },
]

for (const { what, archive, roles, size } of KINDS)
  it(`a full disk of ${what} holds the crawls of a server but not the server`, async (t) => {
    const disk = mountTmpfsForTest(t, size)
    if (disk === null) return
    const web = await serveSites([makeSite(11, { pages: PAGES })])
    t.after(() => web.close())
    const { address } = await startServer(t, { data: join(disk, 'data'), flags: ['--roles', roles] })
    const body = { url: `${web.sites[0]?.origin}/`, settings: { ...SETTINGS, archive } }
    const created = await requestJson(address, 'POST', '/api/v1/crawls', body)
    assert.equal(created.status, 201, JSON.stringify(created.body))
    const path = `/api/v1/crawls/${created.body['crawl_id']}`
    const waitForCrawl = async (isReached: (response: JsonResponse) => boolean): Promise<JsonResponse> => {
      let last: JsonResponse | null = null
      const check = async () => {
        last = await requestJson(address, 'GET', path)
        return isReached(last) ? last : null
      }
      return waitUntil(check, { pollMs: 100, timeoutMs: TIMEOUT_MS, timeoutMessage: () => JSON.stringify(last) })
    }
    await waitForCrawl(({ body: crawl }) => crawl['held'] === 'low_disk')
    const refused = await requestJson(address, 'POST', '/api/v1/crawls', body)
    assert.deepEqual([refused.status, refused.body['code']], [507, 'DISK_FULL'])
    assert.equal((await fetch(`${address}/healthz`)).status, 200)
    assert.equal((await requestJson(address, 'GET', '/api/v1/crawls')).status, 200)
    execFileSync('mount', ['-o', 'remount,size=100m', disk])
    const ended = await waitForCrawl(({ body: crawl }) => crawl['status'] === 'completed')
    assert.ok(Number(ended.body['total']) >= PAGES)
  })
