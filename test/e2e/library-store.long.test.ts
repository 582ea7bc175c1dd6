// Programs that use a store: alone, beside a crawl of their own, and beside a server.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import {
  type CrawlOptions,
  checkRobots,
  crawl,
  extractPage,
  openStore,
  renderPage,
  resumeCrawl,
  type Store,
} from '../../src/library/index.ts'
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
  perHost: 8,
  threads: 1,
  minFreeDisk: 0,
  retries: 0,
}
const PRICE = [{ name: 'price', selector: '.price', type: 'number' }] as const

async function open(t: TestContext, options: { data: string; store?: string }): Promise<Store> {
  const store = await openStore(options)
  t.after(() => store.close())
  return store
}

const STORES = {
  SQLite: async (t: TestContext) => ({ data: makeTemporaryFolder(t) }),
  async Postgres(t: TestContext) {
    const database = await makeTestDatabase()
    t.after(() => database.drop())
    return { data: makeTemporaryFolder(t), store: database.url }
  },
}

for (const [name, locate] of Object.entries(STORES)) {
  describe(`a store on ${name} from a program`, () => {
    it('verifies, compares, audits, retries, indexes and deletes crawls', async (t) => {
      let isBroken = true
      const site = await servePlainSite(t, (path) => {
        if (path === '/')
          return '<title>Orchard</title><p>Two apple trees<a href=/pears>pears</a><a href=/late>late</a>'
        if (path === '/pears') return '<title>Pears</title><p class=price>1.50 EUR'
        return isBroken ? { status: 500 } : 'late'
      })
      const where = await locate(t)
      const first = await crawl(site.origin, { ...FAST, ...where }).run()
      isBroken = false
      const second = await crawl(site.origin, { ...FAST, ...where }).run()
      const store = await open(t, where)
      const stored = await store.crawl(first.crawlId.slice(0, 8))
      assert.deepEqual([stored.status, stored.visitedPages, stored.urls.http_error], ['completed', 2, 1])
      assert.deepEqual(await stored.verify(), { isSound: true, urls: stored.urls, findings: [] })
      const { added, changed, same, differences } = await stored.compareWith(second.crawlId)
      assert.deepEqual([added, changed, same], [0, 1, 2])
      assert.equal(differences[0]?.url, `${site.origin}/late`)
      const [host] = await Array.fromAsync(stored.politeness())
      assert.deepEqual([host?.host, host?.requests], [new URL(site.origin).host, 3])
      assert.deepEqual(await stored.traps(), [])
      assert.equal((await stored.audit()).pages, 2)
      await assert.rejects(stored.releaseTrap('/x/*'), { code: 'PATTERN_NOT_FOUND' })

      const page = (await store.history(`${site.origin}/pears`))[0]
      assert.equal((await page?.extract(PRICE))?.fields[0]?.value, 1.5)
      assert.equal((await store.page(page?.id ?? 0)).title, 'Pears')
      const [root] = await store.history(site.origin)
      assert.equal(root?.title, 'Orchard')
      await assert.rejects(store.history('orchard'), { code: 'BAD_SEED' })
      const lines = (await page?.diffFrom(root?.id ?? 0)) ?? []
      assert.ok(
        lines.some(({ kind, text }) => kind === 'added' && text === '1.50 EUR'),
        JSON.stringify(lines),
      )
      await assert.rejects(store.page(999), { code: 'PAGE_NOT_FOUND' })

      const archive = await store.archive.verify()
      assert.deepEqual([archive.records > 0, archive.problems], [true, []])
      assert.equal((await store.index.status()).documents, 0)
      assert.ok(((await store.index.run())?.indexed ?? 0) >= 2)
      assert.equal((await store.search('apple')).hits[0]?.title, 'Orchard')
      await assert.rejects(store.search('apple', { crawlId: 'ffffffff' }), { code: 'CRAWL_NOT_FOUND' })
      assert.ok((await store.index.rebuild()).indexed >= 2)
      assert.deepEqual((await store.index.verify()).problems, [])
      assert.equal((await store.index.status()).waiting, 0)

      const misspelt: string = 'http-error'
      await assert.rejects(stored.retry(misspelt as 'http_error'), {
        code: 'BAD_CONFIG',
        message: /^state must be one of/,
      })
      assert.throws(() => stored.export('xml' as 'csv'), { code: 'BAD_CONFIG', message: /^format must be one of/ })
      assert.equal((await stored.verify()).isSound, true)
      await assert.rejects(stored.cancel(), { code: 'CRAWL_CLOSED' })
      assert.equal(await stored.retry('http_error'), 1)
      assert.equal((await resumeCrawl(first.crawlId, { ...FAST, ...where }).run()).urls.visited, 3)
      await stored.delete()
      assert.deepEqual(
        (await store.crawls()).map(({ crawlId }) => crawlId),
        [second.crawlId],
      )
    })
  })
}

it('a store closes although its index could not be opened', async (t) => {
  const data = makeTemporaryFolder(t)
  const site = await servePlainSite(t, () => 'page')
  await crawl(site.origin, { ...FAST, data }).run()
  const store = await openStore({ data, search: 'opensearch://127.0.0.1:9' })
  await assert.rejects(store.search('page'), /needs a store in Postgres/)
  await store.close()
})

describe('a data directory that a process has', () => {
  const links = Array.from({ length: 500 }, (_, i) => `<a href="/${i}">${i}</a>`).join('')
  const serveSite = (t: TestContext) => servePlainSite(t, (path) => (path === '/' ? links : `page ${path}`))

  it('is read and controlled by the program that crawls into it, and not indexed', async (t) => {
    const site = await serveSite(t)
    const data = makeTemporaryFolder(t)
    const seen: string[] = []
    for await (const page of crawl(site.origin, { ...FAST, delay: 50, data })) {
      seen.push(page.url)
      if (seen.length !== 2) continue
      const store = await open(t, { data })
      const [running] = await store.crawls()
      assert.equal(running?.status, 'running')
      await assert.rejects(store.index.run(), {
        code: 'DATA_IN_USE',
        message: /in use by process \d+, which does not index\. Wait until it ends/,
      })
      await assert.rejects(store.index.rebuild(), /Stop it to rebuild the index\.$/)
      await assert.rejects(crawl(site.origin, { ...FAST, data }).run(), { code: 'DATA_IN_USE' })
      await running?.pause()
    }
    const store = await open(t, { data })
    const [paused] = await store.crawls()
    assert.equal(paused?.status, 'paused')
    assert.ok(seen.length < 500, `${seen.length} pages`)
    await assert.rejects(
      paused?.resume(),
      /No server with this data directory runs crawls\. Call resumeCrawl instead\./,
    )
    await paused?.cancel()
    assert.equal((await store.crawl(paused?.crawlId ?? '')).status, 'cancelled')
  })

  it('is read, controlled and indexed beside a server', async (t) => {
    const { data } = await startServer(t)
    const site = await serveSite(t)
    await assert.rejects(crawl(site.origin, { ...FAST, data }).run(), { code: 'DATA_IN_USE' })
    const store = await open(t, { data })
    const started = await store.start(site.origin, { ...FAST, delay: 50 })
    await waitUntil(async () => (await store.crawl(started.crawlId)).urls.visited > 1)
    await started.pause()
    assert.equal((await store.crawl(started.crawlId)).status, 'paused')
    await started.resume()
    assert.equal((await store.crawl(started.crawlId)).status, 'running')
    await assert.rejects(started.delete(), { code: 'CRAWL_RUNNING' })
    await started.cancel()
    await waitUntil(async () => (await store.crawl(started.crawlId)).status === 'cancelled')
    assert.equal(await store.index.run(), null)
    assert.equal((await store.index.status()).waiting, 0)
    assert.ok((await store.search('page')).total > 0)
    await started.delete()
    assert.deepEqual(await store.crawls(), [])
  })
})

describe('a single page', () => {
  it('is checked against robots.txt, rendered, and read with rules', async (t) => {
    const site = await servePlainSite(t, (path) => {
      if (path === '/robots.txt')
        return { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /x' }
      return '<title>One</title><p class=price>2 EUR</p><script>document.title = "Two"</script>'
    })
    const options = { allowPrivate: true }
    const { isAllowed, rule } = await checkRobots(`${site.origin}/x/1`, options)
    assert.deepEqual([isAllowed, rule], [false, { line: 2, text: 'Disallow: /x' }])
    const { fields, missing } = await extractPage(`${site.origin}/`, PRICE, options)
    assert.deepEqual([fields[0]?.value, missing], [2, []])
    const rendered = await renderPage(`${site.origin}/`, options)
    assert.deepEqual([rendered.outcome, rendered.status], ['rendered', 200])
    assert.match(rendered.html ?? '', /<title>Two<\/title>/)

    const file = join(makeTemporaryFolder(t), 'page.html')
    writeFileSync(file, '<p class=price>3</p>')
    assert.equal((await extractPage(file, PRICE)).fields[0]?.value, 3)
    const broken = [{ name: 'price', selector: '[' }]
    await assert.rejects(extractPage(file, broken), { name: 'OrbweaverError', code: 'BAD_CONFIG' })
    await assert.rejects(checkRobots('nowhere'), { code: 'BAD_SEED' })
    await assert.rejects(renderPage(site.origin), /could not be fetched: address blocked/)
  })
})
