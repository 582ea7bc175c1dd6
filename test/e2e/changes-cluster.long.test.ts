// Changes found by several servers on Postgres, each with a separate archive: published once, in one order, with
// differences between versions that different servers have archived.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createClient } from '../../src/api/client.ts'
import { makeTestDatabase } from '../../src/store/testing/test-database.ts'
import { ChangingSite, htmlPage } from '../sites/changing-site.ts'
import { startServer } from '../testing/start-server.ts'
import { waitUntil } from '../testing/wait-until.ts'

it('servers of a cluster publish each change once', async (t) => {
  const paths = Array.from({ length: 12 }, (_, i) => `/${i}`)
  const setPages = (round: string) => {
    for (const path of paths) site.pages.set(path, htmlPage(`Page ${path.slice(1)} ${round}`))
  }
  const site = await ChangingSite.serve({ '/': htmlPage('Home', paths) })
  t.after(() => site.close())
  setPages('first')
  const database = await makeTestDatabase()
  t.after(() => database.drop())
  const flags = ['--store', database.url]
  const servers = [await startServer(t, { flags }), await startServer(t, { flags })]
  const [client, other] = servers.map(({ address }) => createClient({ baseUrl: address }))
  assert.ok(client !== undefined && other !== undefined)
  const settings = { allow_private: true, ignore_robots: true, delay: 0, traps: false, recrawl: '2s' }
  const { crawl_id } = await client.createCrawl({ body: { url: `${site.origin}/`, settings } })
  const waitForVisits = (count: number) => waitUntil(() => paths.every((path) => site.requestsOf(path).length >= count))
  await waitForVisits(2)
  const rounds = ['second', 'third']
  for (const round of rounds) {
    const before = Math.max(...paths.map((path) => site.requestsOf(path).length))
    setPages(round)
    await waitForVisits(before + 2)
  }
  const total = rounds.length * paths.length
  const published = await waitUntil(async () => {
    const { items } = await other.listChanges({ query: { crawl_id, order: 'oldest', limit: 1000 } })
    return items.length >= total ? items : null
  })
  assert.deepEqual(
    published.map(({ kind, cursor }) => [kind, cursor]),
    Array.from({ length: total }, (_, i) => ['changed', i + 1]),
  )
  for (const { change_id } of published) {
    const { diff, problem } = await other.getChange({ params: { change_id } })
    assert.deepEqual([problem, diff?.words_added, diff?.words_removed], [null, 1, 1])
  }
})
