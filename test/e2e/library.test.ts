// The library as a program uses it, in its own process.

import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { MAX_WAITING } from '../../src/library/follow-pages.ts'
import { type CrawlOptions, crawl, openStore, resumeCrawl } from '../../src/library/index.ts'
import { servePlainSite } from '../sites/plain-site.ts'
import { makeTemporaryFolder } from '../testing/program.ts'
import { waitUntil } from '../testing/wait-until.ts'

function optionsFor(t: TestContext): CrawlOptions & { data: string } {
  const data = makeTemporaryFolder(t)
  return {
    data,
    allowPrivate: true,
    ignoreRobots: true,
    delay: 0,
    perHost: 8,
    traps: false,
    threads: 1,
    minFreeDisk: 0,
  }
}

function linkedPages(count: number): string {
  return Array.from({ length: count }, (_, i) => `<a href="/${i}">${i}</a>`).join('')
}

describe('the library', () => {
  it('yields the pages of a crawl with their content, and reads them again later', async (t) => {
    const site = await servePlainSite(t, (path) =>
      path === '/' ? `<title>Orchard</title><p>Two apple trees${linkedPages(2)}` : `<title>Tree ${path}</title><p>Bark`,
    )
    const options = optionsFor(t)
    const texts = new Map<string | null, string>()
    for await (const page of crawl(site.origin, options)) texts.set(page.title, (await page.read()).text)
    assert.deepEqual([...texts.keys()].sort(), ['Orchard', 'Tree /0', 'Tree /1'])
    assert.match(texts.get('Orchard') ?? '', /Two apple trees/)

    const store = await openStore({ data: options.data })
    t.after(() => store.close())
    await assert.rejects(store.search('apple'), { code: 'INDEX_OFF' })
    assert.equal((await store.index.status()).waiting, 3)
    assert.deepEqual(await store.index.run(), { indexed: 3, again: 0, skipped: {} })
    const [info] = await store.crawls()
    assert.deepEqual([info?.status, info?.urls.visited], ['completed', 3])
    const pages = await Array.fromAsync(info?.pages() ?? [])
    assert.equal(pages.length, 3)
    const { hits } = await store.search('apple')
    assert.deepEqual(
      hits.map(({ title }) => title),
      ['Orchard'],
    )
    assert.equal((await store.history(`${site.origin}/`))[0]?.title, 'Orchard')
  })

  it('reads pages as Markdown, explains URLs, exports and audits a crawl', async (t) => {
    const site = await servePlainSite(t, (path) => {
      if (path === '/') return '<title>Orchard</title><main><h1>Trees</h1><p>Two <b>apple</b> trees<a href=/gone>x</a>'
      return path === '/feed' ? 'x' : null
    })
    const options = optionsFor(t)
    const { crawlId } = await crawl(site.origin, { ...options, exclude: ['/private/'] }).run()
    const store = await openStore({ data: options.data })
    t.after(() => store.close())
    const id = crawlId.slice(0, 8)
    const stored = await store.crawl(id)
    const [page] = await Array.fromAsync(stored.pages())
    assert.match((await page?.markdown()) ?? '', /^# Trees\n\nTwo \*\*apple\*\* trees/)
    const known = await stored.explain(`${site.origin}/gone`)
    assert.deepEqual([known.isKnown, known.answer], [true, 'Not found after 1 attempt.'])
    const refused = (await stored.explain(`${site.origin}/private/x`)).steps.find(({ step }) => step === 'scope')
    assert.deepEqual(refused, {
      step: 'scope',
      outcome: 'refused',
      detail: 'It matches the exclude pattern /private/.',
    })
    const csv = Buffer.concat(await Array.fromAsync(stored.export('csv'))).toString()
    assert.match(csv, /^id,.*\r\n.*\r\n.*\/gone,.*\r\n$/)
    assert.deepEqual(await Array.fromAsync(store.changes({ crawlId: id })), [])

    const report = await stored.audit()
    const broken = report.rules.find(({ rule }) => rule === 'broken-links')
    assert.deepEqual(
      [report.crawlId, broken?.count, broken?.findings.map(({ url, otherUrl }) => [url, otherUrl])],
      [crawlId, 1, [[`${site.origin}/`, `${site.origin}/gone`]]],
    )
    await assert.rejects(store.crawl('nope'), { code: 'CRAWL_NOT_FOUND' })
  })

  it('pauses a crawl when the loop is left, and resumes it', async (t) => {
    const site = await servePlainSite(t, (path) => ({ body: path === '/' ? linkedPages(40) : 'x', afterMs: 5 }))
    const options = { ...optionsFor(t), perHost: 1 }
    let crawlId = ''
    for await (const page of crawl(site.origin, options)) {
      crawlId = page.crawlId
      break
    }
    const before = site.requests.length
    assert.ok(before < 41, `${before} requests`)
    const rest = await Array.fromAsync(resumeCrawl(crawlId, options))
    assert.ok(rest.length > 0 && site.requests.length <= 42)
    const again = await resumeCrawl(crawlId, options).run()
    assert.deepEqual([again.status, again.urls.visited], ['completed', 41])
  })

  it('holds a crawl while its pages are not read', async (t) => {
    const count = 3 * MAX_WAITING
    const site = await servePlainSite(t, (path) => (path === '/' ? linkedPages(count) : `page ${path}`))
    let read = 0
    for await (const _ of crawl(site.origin, optionsFor(t))) {
      read += 1
      if (read > 1) continue
      // The crawl must stop requesting without any page being read.
      let last = -1
      await waitUntil(() => {
        const hasStopped = site.requests.length === last && last > MAX_WAITING
        last = site.requests.length
        return hasStopped
      })
      assert.ok(site.requests.length < count, `${site.requests.length} requests`)
    }
    assert.equal(read, count + 1)
  })

  it('throws if no start URL can be reached', async (t) => {
    const site = await servePlainSite(t, () => 'one')
    const options = { ...optionsFor(t), allowPrivate: false }
    const expected = {
      name: 'OrbweaverError',
      code: 'NOTHING_REACHED',
      message:
        'Nothing could be reached (1 URL: address blocked). Addresses that are not public need the option allowPrivate.',
    }
    await assert.rejects(crawl(site.origin, options).run(), expected)
    await assert.rejects(Array.fromAsync(crawl(site.origin, options)), expected)
    assert.equal(site.requests.length, 0)
  })

  it('rejects options that do not exist, bad values and a second run', async (t) => {
    assert.throws(
      () => crawl('http://a.test/', { maxPage: 1 } as CrawlOptions),
      /no option maxPage. Did you mean maxPages\?/,
    )
    assert.throws(() => crawl('http://a.test/', { recrawlMin: 'soon' }), /recrawlMin must be a time such as/)
    const site = await servePlainSite(t, () => 'one')
    const run = crawl(site.origin, { ...optionsFor(t), archive: 'none' })
    await assert.rejects(Array.fromAsync(run), /Without an archive/)
    await assert.rejects(run.run(), /runs only once/)
  })
})
