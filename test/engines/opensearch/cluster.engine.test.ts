// The real program with a store in Postgres and its index in OpenSearch: kills, restarts, rebuilds and snapshots.

import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import { parseSearchUrl } from '../../../src/config/values/search-url.ts'
import { makeDocument } from '../../../src/ports/contracts/testing/test-index.ts'
import { SearchClient } from '../../../src/search/opensearch/client.ts'
import { DocumentIndexer, toStoredDocument } from '../../../src/search/opensearch/document-source.ts'
import { writeBulk } from '../../../src/search/opensearch/write/bulk-writer.ts'
import { FAST_FLAGS, makeTemporaryFolder, startProgram } from '../../testing/program.ts'
import { startServer } from '../../testing/start-server.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { anySearchEngine } from './search-engines.ts'
import { type SearchNode, startSearchNode } from './search-node.ts'
import { crawlSite, VERIFIED } from './test-cluster.ts'

const PAGES = 1500

describe('an index in OpenSearch', () => {
  let node: SearchNode
  const cleanups: (() => unknown)[] = []
  before(async () => {
    node = await startSearchNode({ after: (cleanUp) => cleanups.push(cleanUp) }, anySearchEngine())
  })
  after(async () => {
    for (const cleanUp of cleanups) await cleanUp()
  })

  const crawl = (t: TestContext, pages: number) => crawlSite(t, node, pages)

  it('has every page once after indexers are killed and the node restarts', async (t) => {
    const { env, data, shown, count } = await crawl(t, PAGES)
    const first = startProgram(['index', 'run'], { env })
    t.after(() => first.child.kill('SIGKILL'))
    // A new index cannot be counted immediately.
    await waitUntil(() => count().catch(() => 0), { timeoutMs: 120_000 })
    first.child.kill('SIGKILL')
    await first.ended

    const server = await startServer(t, { data, env, flags: ['--roles', 'api,indexer'] })
    const search = async (q: string) => {
      const response = await fetch(`${server.address}/api/v1/search?q=${q}`)
      return { status: response.status, body: (await response.json()) as { results?: { url: string }[] } }
    }
    await node.kill()
    const away = await search('common')
    assert.equal(away.status, 503)
    await node.start()
    await waitUntil(async () => (await count().catch(() => 0)) > PAGES, { timeoutMs: 240_000 })
    const found = await waitUntil(
      async () => {
        const { body } = await search('number1234')
        return body.results?.length === 1 ? body.results : null
      },
      { timeoutMs: 60_000 },
    )
    assert.match(found[0]?.url ?? '', /\/1234$/)
    assert.equal(await server.stop(), 0)
    await shown(['index', 'run'])
    assert.equal(await count(), PAGES + 1)
    assert.match(await shown(['index', 'verify']), VERIFIED)
  })

  it('serves searches while it is rebuilt, and switches when every page is indexed again', async (t) => {
    const { env, shown, count, indexNames, prefix } = await crawl(t, 300)
    await shown(['index', 'run'])
    const before = await indexNames()
    assert.match(before[0] ?? '', new RegExp(`^${prefix}-\\d{4}-\\d\\d$`))
    const rebuild = startProgram(['index', 'rebuild'], { env })
    const counts = new Set<number>()
    let isOver = false
    void rebuild.ended.then(() => {
      isOver = true
    })
    while (!isOver) counts.add(await count())
    assert.equal((await rebuild.ended).code, 0)
    assert.deepEqual([...counts], [301])
    assert.deepEqual(
      await indexNames(),
      before.map((name) => `${name}-r2`),
    )
    assert.match(await shown(['index', 'verify']), VERIFIED)
    assert.match(await shown(['search', 'number77']), /\/77/)
  })

  it('is restored from a snapshot', async (t) => {
    const { shown, indexNames, prefix, run } = await crawl(t, 20)
    await shown(['index', 'run'])
    await node.request('PUT', '/_snapshot/backup', { type: 'fs', settings: { location: 'backup' } })
    t.after(() => node.request('DELETE', '/_snapshot/backup'))
    const indices = `${prefix}-*`
    const snapshot = '/_snapshot/backup/first'
    await node.request('PUT', `${snapshot}?wait_for_completion=true`, { indices, include_global_state: false })
    for (const name of await indexNames()) await node.request('DELETE', `/${name}`)
    const damaged = await run(['index', 'verify'])
    assert.equal(damaged.code, 1)
    assert.match(damaged.stdout + damaged.stderr, /The search engine does not have page \d+ of http/)
    await node.request('POST', `${snapshot}/_restore?wait_for_completion=true`, { indices })
    assert.match(await shown(['index', 'verify']), VERIFIED)
  })

  it('refuses the late write of an earlier version, and takes the same one twice', async (t) => {
    const search = node.makeSearchUrl()
    const location = parseSearchUrl(search) ?? assert.fail()
    const client = new SearchClient(location, { idleMs: 60_000, attempts: 1 })
    t.after(() => client.close())
    const place = { index: `${location.prefix}-2026-11`, routing: 'a.test' }
    const indexer = new DocumentIndexer()
    const write = (version: number, page: number | null) =>
      writeBulk(client, version, [
        { id: '1', place, document: page === null ? null : indexer.toIndexed(toStoredDocument(makeDocument(page))) },
      ])
    const pageNow = async () => {
      const path = `/${place.index}/_doc/1?routing=${place.routing}`
      const found = await client.getOrNull<{ _source: { page: number } }>(path)
      return found?._source.page ?? null
    }
    await write(7, 3)
    await write(5, 2)
    assert.equal(await pageNow(), 3)
    await write(7, 3)
    await write(9, null)
    await write(8, 4)
    assert.equal(await pageNow(), null)
  })

  it('says why documents are rejected when the disk is full, and writes them when there is space', async (t) => {
    const { shown, run, origin, indexNames } = await crawl(t, 3)
    await shown(['index', 'run'])
    const [name = ''] = await indexNames()
    // Does what a node does to its indices when its disk reaches the flood stage.
    const setBlock = (value: true | null) =>
      node.request('PUT', `/${name}/_settings`, { 'index.blocks.read_only_allow_delete': value })
    await shown(['crawl', `${origin}/1`, ...FAST_FLAGS])
    await setBlock(true)
    const full = await run(['index', 'run'])
    assert.equal(full.code, 1)
    assert.match(full.stderr, /The search engine .*: .*disk usage exceeded/)
    await setBlock(null)
    await shown(['index', 'run'])
    assert.match(await shown(['index', 'verify']), VERIFIED)
    assert.deepEqual(await indexNames(), [name])
  })

  it('fails a search while a shard is away, in place of missing its pages', async (t) => {
    const { shown, run, prefix } = await crawl(t, 3)
    await shown(['index', 'run'])
    await node.request('PUT', `/${prefix}-1999-01?wait_for_active_shards=0`, {
      settings: { 'index.routing.allocation.require._name': 'nobody' },
      aliases: { [prefix]: {} },
    })
    const away = await run(['search', 'common'])
    assert.equal(away.code, 1)
    assert.match(away.stderr, /The search engine at .* is not available: status 503/)
  })

  it('is not taken for another one, and its password is not shown', async (t) => {
    const { run, shown, search, prefix, origin } = await crawl(t, 3)
    await shown(['index', 'run'])
    const inPostgres = await run(['search', 'common'], { ORBWEAVER_SEARCH: undefined })
    assert.match(inPostgres.stderr, /The index of this store is in a search engine\. Name it with --search/)
    const alone = { ORBWEAVER_STORE: undefined, ORBWEAVER_DATA: makeTemporaryFolder(t) }
    await run(['crawl', `${origin}/`, ...FAST_FLAGS], alone)
    const local = await run(['index', 'run'], alone)
    assert.match(local.stderr, /--search needs a store in Postgres/)
    const other = await crawl(t, 1)
    const same = await other.run(['index', 'run'], { ORBWEAVER_SEARCH: search })
    assert.match(same.stderr, new RegExp(`The indices ${prefix}-\\* belong to another store`))
    const nobody = 'opensearch://user:not-to-be-shown@127.0.0.1:1/x'
    const away = await run(['search', 'common'], { ORBWEAVER_SEARCH: nobody })
    assert.match(away.stderr, /The search engine at http:\/\/127\.0\.0\.1:1 does not respond/)
    const wrong = await run(['search', 'common'], { ORBWEAVER_SEARCH: `${nobody}?what=1` })
    assert.match(wrong.stderr, /a URL such as opensearch:\/\/host:9200/)
    for (const { stdout, stderr } of [away, wrong]) assert.doesNotMatch(stdout + stderr, /not-to-be-shown/)
  })
})
