// A server whose disk runs full lives on: it can be looked at, says why its crawls wait, and goes on when there is room.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { serveSites } from '../../src/demo/serve-sites.ts'
import { makeSite } from '../sites/generated/make-site.ts'
import { readServerAddress, startProgram } from '../testing/program.ts'
import { mountTmpfsForTest } from '../testing/tmpfs.ts'
import { type JsonResponse, requestJson } from './testing/json-api.ts'

/** Many pages of the site fail a few times. */
const QUICK = { cooldown: 0, retry_delay: 10 }
const SETTINGS = { allow_private: true, ignore_robots: true, delay: 0, per_host: 8, traps: false, ...QUICK }
const PAGES = 1200
const PATIENCE_MS = 90_000

const KINDS = [
  { what: 'urls', archive: 'none', roles: 'api,worker,maintenance', size: '800k' },
  { what: 'urls, pages and a search index', archive: 'all', roles: 'api,worker,maintenance,indexer', size: '2m' },
]

for (const { what, archive, roles, size } of KINDS)
  it(`a full disk of ${what} holds the crawls of a server and not the server`, async (t) => {
    const disk = mountTmpfsForTest(t, size)
    if (disk === null) return
    const web = await serveSites([makeSite(11, { pages: PAGES })])
    t.after(() => web.close())
    const flags = ['--port', '0', '--health-port', '0', '--min-free-disk', '0', '--roles', roles]
    const server = startProgram(['serve', '--data', join(disk, 'data'), ...flags])
    t.after(async () => {
      server.child.kill('SIGTERM')
      await server.ended
    })
    const address = await readServerAddress(server)
    const body = { url: `${web.sites[0]?.origin}/`, settings: { ...SETTINGS, archive } }
    const made = await requestJson(address, 'POST', '/api/v1/crawls', body)
    assert.equal(made.status, 201, JSON.stringify(made.body))
    const path = `/api/v1/crawls/${made.body['crawl_id']}`
    const until = async (isSo: (answer: JsonResponse) => boolean): Promise<JsonResponse> => {
      const late = Date.now() + PATIENCE_MS
      for (;;) {
        const answer = await requestJson(address, 'GET', path)
        if (isSo(answer)) return answer
        assert.ok(Date.now() < late, JSON.stringify(answer.body))
        await sleep(100)
      }
    }
    await until((answer) => answer.body['held'] === 'low_disk')
    const refused = await requestJson(address, 'POST', '/api/v1/crawls', body)
    assert.deepEqual([refused.status, refused.body['code']], [507, 'DISK_FULL'])
    assert.equal((await fetch(`${address}/healthz`)).status, 200)
    assert.equal((await requestJson(address, 'GET', '/api/v1/crawls')).status, 200)
    execFileSync('mount', ['-o', 'remount,size=100m', disk])
    const ended = await until((answer) => answer.body['status'] === 'completed')
    assert.ok(Number(ended.body['total']) >= PAGES)
  })
