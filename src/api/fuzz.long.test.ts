// Random requests generated from the contract: the server must answer all of them without an internal error.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ERRORS } from '../lib/errors.ts'
import { seededRandom } from '../lib/seeded-random.ts'
import { makeTestDatabase } from '../store/testing/test-database.ts'
import { PATHS, type RouteName } from './contract/paths.ts'
import type { Problem } from './http/problem.ts'
import { type KnownIds, randomRequest } from './testing/random-requests.ts'
import { startTestApi, type TestApi } from './testing/test-api.ts'

const SEED = Number(process.env['TEST_GRAPH_SEED'] ?? 1)
const REQUESTS_PER_ROUTE = 25
/** Routes that act beyond the server or affect the other requests. */
const SKIPPED: readonly RouteName[] = ['startDemo', 'createWebhook']
/** Run last, because the other routes need the crawls. */
const LAST: readonly RouteName[] = ['cancelCrawl', 'deleteCrawl']
const NAMES = Object.keys(PATHS).filter((name) => !SKIPPED.includes(name as RouteName)) as RouteName[]

interface StoreSetup {
  flags: string[]
  drop(): Promise<void>
}

const STORES: Record<string, () => Promise<StoreSetup>> = {
  sqlite: async () => ({ flags: [], drop: async () => undefined }),
  async postgres() {
    const { url, drop } = await makeTestDatabase()
    return { flags: ['--store', url], drop }
  },
}

for (const [store, open] of Object.entries(STORES)) {
  describe(`random requests on ${store} (seed ${SEED})`, () => {
    let setup: StoreSetup
    let api: TestApi
    let knownIds: KnownIds

    before(async () => {
      setup = await open()
      api = await startTestApi(setup.flags)
      const crawl = await api.crawlSite()
      const { items } = await api.client.listUrls({ params: { crawl_id: crawl.id } })
      const { crawl_id } = await api.client.createCrawl({ body: { url: 'http://spare.test/' } })
      knownIds = { crawlIds: [crawl.id, crawl_id], urlIds: items.map(({ url_id }) => url_id) }
    })
    after(async () => {
      await api.close()
      await setup.drop()
    })

    for (const name of [...NAMES.filter((name) => !LAST.includes(name)), ...LAST]) {
      it(`to ${name} never break the server`, async () => {
        const random = seededRandom(SEED)
        for (let i = 0; i < REQUESTS_PER_ROUTE; i++) {
          const { method, path, headers, body } = randomRequest(name, random, knownIds)
          const response = await api.request(path, { method, headers, body })
          const what = `${method} ${path} ${body ?? ''}: ${response.status}`
          const text = response.status < 400 ? '' : await response.text()
          assert.ok(response.status < 500, `${what} ${text}`)
          if (response.status < 400) await response.body?.cancel()
          else assert.equal(ERRORS[(JSON.parse(text) as Problem).code]?.http, response.status, what)
        }
      })
    }
  })
}
