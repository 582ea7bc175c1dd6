// Programs that operate a store: monitors, policies, tokens, workers, the archive, and a move.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import pg from 'pg'
import { type CrawlOptions, crawl, moveStore, openStore, type Store } from '../../src/library/index.ts'
import { makeTestDatabase } from '../../src/store/testing/test-database.ts'
import { servePlainSite } from '../sites/plain-site.ts'
import { makeTemporaryFolder } from '../testing/program.ts'
import { startServer } from '../testing/start-server.ts'
import { waitUntil } from '../testing/wait-until.ts'

const FAST: CrawlOptions = {
  cooldown: 0,
  allowPrivate: true,
  ignoreRobots: true,
  delay: 0,
  threads: 1,
  minFreeDisk: 0,
  retries: 0,
}
/** Enough words for a protected document. */
const ESSAY = Array.from({ length: 80 }, (_, i) => `word${i * 7}`).join(' ')

const serveSite = (t: TestContext) =>
  servePlainSite(t, (path) => {
    if (path === '/') return '<title>Orchard</title><p>Two apple trees<a href=/pears>pears</a><a href=/copy>copy</a>'
    return path === '/copy' ? `<p>${ESSAY}` : '<title>Pears</title><p>No apple here'
  })

async function open(t: TestContext, options: { data: string; store?: string }): Promise<Store> {
  const store = await openStore(options)
  t.after(() => store.close())
  return store
}

async function makeDatabase(t: TestContext): Promise<string> {
  const database = await makeTestDatabase()
  t.after(() => database.drop())
  return database.url
}

const STORES = {
  SQLite: async (t: TestContext) => ({ data: makeTemporaryFolder(t) }),
  Postgres: async (t: TestContext) => ({ data: makeTemporaryFolder(t), store: await makeDatabase(t) }),
}

/** Makes all pages expire, because a test cannot wait for it. */
async function expirePages({ data, store }: { data: string; store?: string }): Promise<void> {
  const statement = 'update pages set expires_at = 1'
  if (store === undefined) {
    using db = new DatabaseSync(join(data, 'store.db'))
    db.exec(statement)
    return
  }
  const client = new pg.Client(store)
  await client.connect()
  await client.query(statement)
  await client.end()
}

for (const [name, locate] of Object.entries(STORES)) {
  describe(`a store on ${name} that a program operates`, () => {
    it('has monitors, which find what is archived, and hits that are acknowledged', async (t) => {
      const site = await serveSite(t)
      const where = await locate(t)
      const { crawlId } = await crawl(site.origin, { ...FAST, ...where }).run()
      const { monitors } = await open(t, where)
      assert.deepEqual(await monitors.list(), [])
      const rule = { kind: 'words' as const, words: ['apple'] }
      const apples = await monitors.add({ name: 'apples', rule, crawlIds: [crawlId.slice(0, 8)] })
      assert.deepEqual([apples.rule, apples.crawlIds, apples.isMuted, apples.hits], [rule, [crawlId], false, 0])
      const copies = await monitors.add({ name: 'copies', rule: { kind: 'copies' } }, [{ title: 'Essay', text: ESSAY }])
      assert.deepEqual([copies.rule, copies.documents], [{ kind: 'copies', minWords: 50 }, 1])
      await monitors.addDocuments('copies', [{ url: `${site.origin}/copy` }])

      assert.deepEqual(await monitors.scan('apples'), { examined: 3, unread: 0, newHits: 2 })
      assert.equal((await monitors.scan('apples')).newHits, 0)
      assert.equal((await monitors.scan(copies.monitorId)).newHits, 1)
      const found = await Array.fromAsync(monitors.hits({ monitorId: 'apples', crawlId }))
      assert.deepEqual(found.map(({ url }) => url).sort(), [`${site.origin}/`, `${site.origin}/pears`])
      assert.ok(found.every(({ evidence, at }) => evidence.kind === 'passages' && at.getTime() <= Date.now()))
      assert.equal((await Array.fromAsync(monitors.hits({ url: `${site.origin}/copy` }))).length, 1)
      for await (const { hitId } of monitors.hits({ monitorId: 'apples', isOpen: true }))
        assert.equal(await monitors.acknowledge([hitId]), 1)
      assert.deepEqual(await Array.fromAsync(monitors.hits({ monitorId: 'apples', isOpen: true })), [])
      assert.equal(await monitors.acknowledge([]), 0)
      assert.deepEqual(
        (await monitors.list()).map(({ name, hits, openHits }) => [name, hits, openHits]),
        [
          ['apples', 2, 0],
          ['copies', 1, 1],
        ],
      )

      assert.equal((await monitors.update('apples', { isMuted: true, name: 'fruit' })).isMuted, true)
      await monitors.muteUrl('fruit', `${site.origin}/pears`)
      assert.deepEqual((await monitors.list())[0]?.mutedUrls, [`${site.origin}/pears`])
      await monitors.unmuteUrl('fruit', `${site.origin}/pears`)
      await monitors.delete('copies')
      const [left, ...others] = await monitors.list()
      assert.deepEqual([left?.name, left?.isMuted, left?.mutedUrls, others], ['fruit', true, [], []])
    })

    it('has policies and tokens', async (t) => {
      const where = await locate(t)
      const site = await serveSite(t)
      await crawl(site.origin, { ...FAST, ...where }).run()
      const { policies, tokens } = await open(t, where)
      await policies.set('*.Example.com ', { delay: 2000, recrawlMin: '6h' })
      await policies.set('www.example.com', { rate: 0.5, perHost: 1 })
      // Programs in JavaScript pass on options that are not set.
      const notSet: object = { rate: undefined }
      await policies.set('www.example.com', { burst: 5, perHost: null, ...notSet })
      const listed = (await policies.list()).map(({ updatedAt: _, ...policy }) => policy)
      assert.deepEqual(listed, [
        { host: '*.example.com', delay: 2000, recrawlMin: '6h' },
        { host: 'www.example.com', rate: 0.5, burst: 5 },
      ])
      assert.deepEqual(await policies.explain('WWW.example.com'), [
        { name: 'delay', value: 2000, policy: '*.example.com' },
        { name: 'rate', value: 0.5, policy: 'www.example.com' },
        { name: 'burst', value: 5, policy: 'www.example.com' },
        { name: 'recrawlMin', value: '6h', policy: '*.example.com' },
      ])
      await assert.rejects(policies.set('www.example.com', { perHost: 0 }), {
        code: 'BAD_CONFIG',
        message: /perHost: Expected/,
      })
      await assert.rejects(policies.set('www.example.com', { rate: null }), /A burst needs a rate/)
      await assert.rejects(policies.set('http://x/', { delay: 1 }), /Not a host name/)
      await assert.rejects(policies.delete('example.com'), { code: 'POLICY_NOT_FOUND' })
      assert.deepEqual(
        (await policies.list()).map(({ updatedAt: _, ...policy }) => policy),
        listed,
      )
      await policies.delete('*.example.com')
      assert.deepEqual(await policies.explain('a.example.com'), [])

      const { token, ...created } = await tokens.create({ name: 'ci', scope: 'crawl', expires: '30d' })
      assert.match(token, /^orbw_/)
      assert.deepEqual(await tokens.list(), [created])
      const lifetimeMs = (created.expiresAt?.getTime() ?? 0) - created.createdAt.getTime()
      // The request takes its time on a busy machine.
      assert.ok(Math.abs(lifetimeMs - 30 * 86_400_000) < 60_000, `${lifetimeMs}`)
      await assert.rejects(
        tokens.create({ name: 'ci', scope: 'boss' as 'admin' }),
        /scope: Must be one of read, crawl, admin/,
      )
      await assert.rejects(tokens.create({ name: ' ', scope: 'read' }), /name: Must have at least 1 character/)
      await assert.rejects(tokens.create({ name: 'ci', scope: 'read', expires: 'soon' }), { code: 'BAD_CONFIG' })
      await assert.rejects(tokens.revoke('nobody'), { code: 'TOKEN_NOT_FOUND' })
      assert.equal((await tokens.list()).length, 1)
      await tokens.revoke(created.tokenId)
      assert.deepEqual(await tokens.list(), [])
    })

    it('has an archive, which is verified and whose expired pages are deleted', async (t) => {
      const where = await locate(t)
      const site = await serveSite(t)
      await crawl(site.origin, { ...FAST, ...where }).run()
      const { archive } = await open(t, where)
      assert.deepEqual((await archive.verify()).problems, [])
      await assert.rejects(archive.expire({ signal: AbortSignal.abort() }), { code: 'INTERRUPTED' })
      await expirePages(where)
      const { versions, segmentsDeleted, damaged } = await archive.expire()
      assert.deepEqual([versions, segmentsDeleted, damaged], [3, 1, []])
      assert.equal((await archive.expire()).versions, 0)
      assert.equal((await archive.verify()).records, 0)
      await assert.rejects(archive.upload(), { code: 'USAGE', message: /^Name the bucket: openStore\(/ })
      await assert.rejects(archive.drain(), { code: 'USAGE', message: /mode=read/ })
    })
  })
}

it('a store keeps its monitors when a new one is invalid', async (t) => {
  const where = { data: makeTemporaryFolder(t) }
  const site = await serveSite(t)
  await crawl(site.origin, { ...FAST, ...where }).run()
  const { monitors } = await open(t, where)
  const rule = { kind: 'words' as const, words: ['apple'] }
  await monitors.add({ name: 'apples', rule })
  const before = await monitors.list()
  const misspelt = { name: 'x', rule, crawlIDs: [] }
  await assert.rejects(monitors.add(misspelt), { name: 'OrbweaverError', message: /^crawlIDs: |Did you mean crawlIds/ })
  await assert.rejects(monitors.add({ name: '', rule }), /^OrbweaverError: name: Must have at least 1 character\.$/)
  await assert.rejects(monitors.add({ name: 'x', rule: { kind: 'pattern', pattern: '(' } }), {
    code: 'BAD_CONFIG',
    message: /^rule\.pattern: /,
  })
  await assert.rejects(
    monitors.add({ name: 'x', rule: { kind: 'copies', minWords: 1 } }),
    /^OrbweaverError: rule\.minWords: /,
  )
  await assert.rejects(monitors.add({ name: 'x', rule: { kind: 'copies' } }, [{ title: 'short', text: 'few words' }]), {
    code: 'BAD_CONFIG',
    message: /The document has 2 words/,
  })
  await assert.rejects(monitors.add({ name: 'x', rule, crawlIds: ['ffffffff'] }), { code: 'CRAWL_NOT_FOUND' })
  await assert.rejects(monitors.update('pears', { isMuted: true }), { code: 'MONITOR_NOT_FOUND' })
  await assert.rejects(monitors.delete('pears'), { code: 'MONITOR_NOT_FOUND' })
  await assert.rejects(Array.fromAsync(monitors.hits({ url: 'pears' })), { code: 'BAD_SEED' })
  assert.deepEqual(await monitors.list(), before)
})

it('a store is moved to a database and back, and a refused move changes nothing', async (t) => {
  const site = await serveSite(t)
  const [data, back] = [join(makeTemporaryFolder(t), 'data'), join(makeTemporaryFolder(t), 'back')]
  const url = await makeDatabase(t)
  const { crawlId } = await crawl(site.origin, { ...FAST, data }).run()
  await assert.rejects(moveStore(data, `${data}/.`), { code: 'USAGE', message: /same store/ })
  await assert.rejects(moveStore(data, 'mysql://x/y'), { code: 'BAD_CONFIG', message: /^to must be/ })
  await assert.rejects(moveStore(data, url, { signal: AbortSignal.abort() }), {
    code: 'INTERRUPTED',
    message: /The source is unchanged/,
  })
  const tables = new Set<string>()
  const moved = await moveStore(data, url, {
    data: join(back, 'files'),
    onProgress: (event) => event.kind === 'rows' && tables.add(event.table),
  })
  assert.deepEqual([moved.rows['crawls'], moved.rows['urls'], tables.has('urls')], [1, 3, true])
  const store = await open(t, { data: join(back, 'files'), store: url })
  assert.equal((await (await store.crawl(crawlId)).verify()).isSound, true)
  assert.deepEqual((await store.archive.verify()).problems, [])

  const elsewhere = { data: makeTemporaryFolder(t) }
  await assert.rejects(moveStore(url, join(back, 'again'), elsewhere), {
    code: 'SEGMENTS_ELSEWHERE',
    message: /3 pages cannot be read\. Copy the segments there, .* pass force: true/,
  })
  const warnings: string[] = []
  await moveStore(url, join(back, 'again'), {
    ...elsewhere,
    force: true,
    onProgress: (event) => event.kind === 'warning' && warnings.push(event.text),
  })
  assert.equal(warnings.length, 1)
  const again = await open(t, { data: join(back, 'again') })
  assert.equal((await again.crawls())[0]?.visitedPages, 3)
})

it('a program operates the data directory that it crawls into', async (t) => {
  const site = await serveSite(t)
  const data = makeTemporaryFolder(t)
  const names: string[][] = []
  for await (const _ of crawl(site.origin, { ...FAST, perHost: 1, data })) {
    const store = await open(t, { data })
    await store.monitors.add({ name: `monitor ${names.length}`, rule: { kind: 'words', words: ['pears'] } })
    names.push((await store.monitors.list()).map(({ name }) => name))
    const pid = new RegExp(`in use by process ${process.pid}, which deletes expired pages by itself`)
    await assert.rejects(store.archive.expire(), pid)
  }
  assert.deepEqual(names.at(-1), ['monitor 0', 'monitor 1', 'monitor 2'])
})

describe('a data directory that a server has', () => {
  it('has monitors, policies, tokens and workers that a program changes through the server', async (t) => {
    const { data, address } = await startServer(t)
    const site = await serveSite(t)
    const store = await open(t, { data })
    const { token, tokenId } = await store.tokens.create({ name: 'me', scope: 'admin' })
    const list = async () => fetch(`${address}/api/v1/monitors`, { headers: { authorization: `Bearer ${token}` } })
    await store.policies.set('127.*', { maxPages: 2 })
    await store.monitors.add({ name: 'apples', rule: { kind: 'words', words: ['apple'] } })
    const { items } = (await (await list()).json()) as { items: { name: string }[] }
    assert.deepEqual(
      items.map(({ name }) => name),
      ['apples'],
    )
    const { crawlId } = await store.start(site.origin, { ...FAST, perHost: 1 })
    await waitUntil(async () => (await store.crawl(crawlId)).status === 'completed')
    assert.equal((await store.crawl(crawlId)).visitedPages, 2)
    await waitUntil(async () => (await Array.fromAsync(store.monitors.hits({ crawlId }))).length > 0)
    for (const work of [() => store.archive.expire(), () => openAndUpload(data)])
      await assert.rejects(work, {
        code: 'DATA_IN_USE',
        message: /in use by process \d+, which .* by itself\. Stop it/,
      })
    await assert.rejects(moveStore(data, await makeDatabase(t)), { code: 'DATA_IN_USE' })
    await store.tokens.revoke(tokenId)
    await waitUntil(async () => (await list()).status === 401)

    const [worker, ...others] = await store.workers()
    assert.deepEqual([worker?.state, others], ['working', []])
    await assert.rejects(async () => worker?.drain(), {
      code: 'LAST_WORKER',
      message: /is the only worker.* To drain it anyway, call drain\(\{ force: true \}\)\./,
    })
    assert.equal((await store.workers())[0]?.state, 'working')
    await worker?.drain({ force: true })
    await waitUntil(async () => (await store.workers())[0]?.state !== 'working')
  })
})

async function openAndUpload(data: string): Promise<unknown> {
  const store = await openStore({ data, archiveStore: ['s3://bucket/prefix?endpoint=http://127.0.0.1:9'] })
  try {
    return await store.archive.upload()
  } finally {
    await store.close()
  }
}
