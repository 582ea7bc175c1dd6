// Hooks of a program: they decide about requests, links and fields, and cannot break a crawl.

import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type CrawlHooks, type CrawlOptions, crawl, openStore, resumeCrawl } from '../../src/library/index.ts'
import { servePlainSite } from '../sites/plain-site.ts'
import { makeTemporaryFolder } from '../testing/program.ts'
import { exportRows } from '../testing/run-in-process.ts'

function optionsFor(t: TestContext): CrawlOptions & { data: string } {
  const data = makeTemporaryFolder(t)
  return {
    data,
    allowPrivate: true,
    ignoreRobots: true,
    delay: 0,
    perHost: 8,
    traps: false,
    threads: 2,
    minFreeDisk: 0,
  }
}

const PATHS = ['a', 'b', 'c', 'd']
const pageOf = (path: string) =>
  `<title>${path}</title>${PATHS.map((name) => `<a href=/${name}>${name}</a>`).join('')}<a href=/admin/x>x</a>`

/** Path, state and reason of every URL. */
async function outcomesOf(data: string): Promise<string[]> {
  const store = await openStore({ data })
  const [info] = await store.crawls()
  await store.close()
  const rows = await exportRows(data, info?.crawlId ?? '')
  return rows.map(({ url, state, reason }) => [new URL(url).pathname, state, reason].filter(Boolean).join(' ')).sort()
}

describe('hooks', () => {
  it('decide about requests, links and fields', async (t) => {
    const site = await servePlainSite(t, pageOf)
    const options = optionsFor(t)
    const asked: string[] = []
    const hooks: CrawlHooks = {
      async onRequest({ url, kind, depth, attempts }) {
        asked.push(`${new URL(url).pathname} ${kind} ${depth} ${attempts}`)
        return !url.endsWith('/b')
      },
      shouldFollow: ({ url, pageUrl, pageDepth }) =>
        !url.includes('/admin/') && pageUrl.startsWith(site.origin) && pageDepth < 5,
      extract: ({ url, status, html, fields }) => ({
        path: new URL(url).pathname,
        status,
        links: [...html.matchAll(/href=(\S+?)>/g)].map(([, href = '']) => href),
        heading: fields['title'] ?? null,
      }),
    }
    const rules = [{ name: 'title', selector: 'title', attribute: 'lang' }]
    const data = new Map<string, unknown>()
    for await (const page of crawl(site.origin, { ...options, extract: rules }, hooks))
      data.set(new URL(page.url).pathname, (await page.data())?.fields)
    assert.deepEqual(await outcomesOf(options.data), [
      '/ visited',
      '/a visited',
      '/b excluded hook_refused',
      '/c visited',
      '/d visited',
    ])
    assert.deepEqual(asked.sort(), ['/ page 0 0', '/a page 1 0', '/b page 1 0', '/c page 1 0', '/d page 1 0'])
    assert.deepEqual(data.get('/a'), {
      title: null,
      path: '/a',
      status: 200,
      links: ['/a', '/b', '/c', '/d', '/admin/x'],
      heading: null,
    })
    assert.deepEqual(site.paths().sort(), ['/', '/a', '/c', '/d'])
  })

  it('that fail end as the outcome of their URL, and every other URL is visited', async (t) => {
    const site = await servePlainSite(t, pageOf)
    const options = optionsFor(t)
    const hooks: CrawlHooks = {
      timeoutMs: 300,
      onRequest({ url }) {
        if (url.endsWith('/a')) throw new Error('onRequest broke')
        return undefined
      },
      shouldFollow({ url, pageUrl }) {
        if (pageUrl.endsWith('/b')) throw new Error('shouldFollow broke')
        return !url.includes('/admin/')
      },
      extract({ url }) {
        if (url.endsWith('/c')) return { bad: Symbol('x') } as unknown as Record<string, string>
        return url.endsWith('/d') ? new Promise(() => undefined) : { ok: 1 }
      },
    }
    const { urls, reasons, status, crawlId } = await crawl(site.origin, options, hooks).run()
    const [first] = await exportRows(options.data, crawlId)
    assert.deepEqual(first !== undefined && 'fields' in first && first.fields, { ok: 1 })
    assert.deepEqual(await outcomesOf(options.data), [
      '/ visited',
      '/a failed hook_failed',
      '/b failed hook_failed',
      '/c failed hook_failed',
      '/d failed hook_timeout',
    ])
    assert.deepEqual([status, urls.visited, urls.failed], ['completed', 1, 4])
    assert.deepEqual(reasons, { hook_failed: 3, hook_timeout: 1 })
  })

  it('that take their time do not mix up the links of pages', async (t) => {
    const linksOf: Record<string, string[]> = { '': PATHS, a: ['a1', 'a2'], b: ['b1'], c: ['c1', 'c2', 'c3'] }
    const site = await servePlainSite(t, (path) =>
      (linksOf[path.slice(1)] ?? []).map((to) => `<a href=/${to}>x</a>`).join(' '),
    )
    const options = { ...optionsFor(t), threads: 1 }
    const hooks: CrawlHooks = {
      async extract({ url }) {
        // Meanwhile other pages are reported, and batches are sent.
        if (url.endsWith('/a')) await delay(400)
        if (url.endsWith('/b')) await delay(200)
        return undefined
      },
    }
    const { crawlId } = await crawl(site.origin, options, hooks).run()
    const store = await openStore({ data: options.data })
    const chunks: Buffer[] = []
    for await (const chunk of (await store.crawl(crawlId)).export('edges')) chunks.push(chunk)
    await store.close()
    const edges = Buffer.concat(chunks).toString().replaceAll(`${site.origin}/`, '').trimEnd().split('\n')
    const expected = Object.entries(linksOf).flatMap(([from, all]) => all.map((to) => `${from}\t${to}`))
    assert.deepEqual(edges.sort(), expected.sort())
  })

  it('are passed again when a crawl is resumed; what they had not decided is asked again', async (t) => {
    const site = await servePlainSite(t, pageOf)
    const options = optionsFor(t)
    const first = crawl(site.origin, options, {
      timeoutMs: 60_000,
      extract({ url }) {
        if (new URL(url).pathname === '/') return null
        first.stop()
        return new Promise(() => undefined)
      },
    })
    const { status, crawlId } = await first.run()
    assert.equal(status, 'paused')
    const done: string[] = []
    const resumed = resumeCrawl(crawlId, options, {
      shouldFollow: ({ url }) => !url.includes('/admin/'),
      extract: ({ url }) => void done.push(new URL(url).pathname),
    })
    await resumed.run()
    assert.deepEqual(done.filter((path) => path !== '/admin/x').sort(), ['/a', '/b', '/c', '/d'])
    const outcomes = await outcomesOf(options.data)
    assert.ok(
      outcomes.every((outcome) => outcome.endsWith(' visited')),
      outcomes.join(),
    )
  })

  it('need an archive to store what they extract', async (t) => {
    const run = crawl('http://127.0.0.1:9/', { ...optionsFor(t), archive: 'none' }, { extract: () => null }).run()
    await assert.rejects(run, /stored with archived pages/)
  })
})
