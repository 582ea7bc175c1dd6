// The routes that read what a crawl found, on a crawl of a generated site: URLs, exports, statistics, graph.

import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { posix } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { CDXIndexer } from 'warcio'
import { markdownPath } from '../../engine/export/markdown-paths.ts'
import { readZipEntries } from '../../engine/export/wacz/testing/read-zip-entries.ts'
import type { Crawl } from '../../ports/crawls.ts'
import { hasCode } from '../testing/has-code.ts'
import { startTestApi, type TestApi } from '../testing/test-api.ts'

let api: TestApi
let crawl: Crawl
let crawl_id: string

before(async () => {
  api = await startTestApi()
  crawl = await api.crawlSite()
  crawl_id = crawl.id
})
after(() => api.close())

const NOBODY = { crawl_id: 'nobody' }

describe('URLs', () => {
  it('are listed completely in pages', async () => {
    const seen: number[] = []
    let cursor: string | null = null
    do {
      const query = { limit: 4, ...(cursor === null ? {} : { cursor }) }
      const page = await api.client.listUrls({ params: { crawl_id }, query })
      seen.push(...page.items.map(({ url_id }) => url_id))
      cursor = page.next_cursor
    } while (cursor !== null)
    const { total } = await api.client.getCrawl({ params: { crawl_id } })
    assert.equal(new Set(seen).size, total)
    const missing = await api.client.listUrls({ params: { crawl_id }, query: { state: ['not_found', 'forbidden'] } })
    assert.ok(missing.items.length > 0 && missing.items.every(({ state }) => state !== 'visited'))
    const some = await api.client.listUrls({ params: { crawl_id }, query: { status: '4xx' } })
    assert.ok(
      some.items.length > 0 && some.items.every(({ http_status }) => Math.floor((http_status ?? 0) / 100) === 4),
    )
    const counts = await api.client.countUrls({ params: { crawl_id }, query: { status: '4xx' } })
    const sum = Object.values(counts.states).reduce((total, count) => total + count, 0)
    assert.deepEqual([sum, counts.is_complete], [some.items.length, true])
    const query = { cursor: 'nonsense' }
    await assert.rejects(api.client.listUrls({ params: { crawl_id }, query }), hasCode('BAD_CURSOR'))
    await assert.rejects(api.client.listUrls({ params: NOBODY }), hasCode('CRAWL_NOT_FOUND'))
  })

  it('have details of everything that happened to them', async () => {
    const { items } = await api.client.listUrls({ params: { crawl_id }, query: { state: 'visited', limit: 1 } })
    const url_id = items[0]?.url_id ?? 0
    const details = await api.client.getUrl({ params: { crawl_id, url_id } })
    assert.equal(details.url.url_id, url_id)
    assert.equal(details.explanation.is_known, true)
    assert.equal(details.lineage.at(-1)?.url_id, url_id)
    assert.ok(details.visits.length > 0 && details.pages.length > 0)
    assert.equal(details.robots.is_allowed, true)
    await assert.rejects(api.client.getUrl({ params: { crawl_id, url_id: 999_999 } }), hasCode('URL_NOT_FOUND'))
  })

  it('are explained step by step, known or not', async () => {
    const params = { crawl_id }
    const known = await api.client.explainUrl({ params, query: { url: crawl.rootUrl } })
    assert.equal(known.is_known, true)
    assert.match(known.answer, /^Visited after 1 attempt\.$/)
    const outside = await api.client.explainUrl({ params, query: { url: 'http://elsewhere.test/' } })
    assert.equal(outside.is_known, false)
    assert.equal(outside.steps.find(({ outcome }) => outcome === 'refused')?.step, 'scope')
    const unlinked = await api.client.explainUrl({ params, query: { url: `${crawl.rootUrl}nobody-links-here` } })
    assert.equal(unlinked.is_known, false)
    assert.ok(
      unlinked.steps.every(({ outcome }) => outcome !== 'refused'),
      JSON.stringify(unlinked.steps),
    )
    const deep = await api.client.explainUrl({ params, query: { url: `${crawl.rootUrl}${'a/b/'.repeat(20)}` } })
    assert.equal(deep.steps.find(({ outcome }) => outcome === 'refused')?.step, 'shape')
    await assert.rejects(api.client.explainUrl({ params, query: { url: 'mailto:a@b.test' } }), hasCode('BAD_SEED'))
  })

  it('are queued again by state', async () => {
    const { crawl_id: id } = await api.client.createCrawl({ body: { url: 'http://retry.test/' } })
    await api.client.pauseCrawl({ params: { crawl_id: id } })
    const { queued } = await api.client.retryUrls({ params: { crawl_id: id }, body: { state: 'failed' } })
    assert.equal(queued, 0)
    await api.client.cancelCrawl({ params: { crawl_id: id } })
  })
})

describe('an export', () => {
  const read = async (query: Record<string, string | number>) => {
    const response = await api.client.exportCrawl({ params: { crawl_id }, query })
    return { type: response.headers.get('content-type'), text: await response.text(), response }
  }

  it('has every URL in every format', async () => {
    const { total } = await api.client.getCrawl({ params: { crawl_id } })
    const lines = (await read({ format: 'jsonl' })).text.trim().split('\n')
    assert.equal(lines.length, total)
    assert.equal((JSON.parse((await read({ format: 'json' })).text) as unknown[]).length, total)
    const csv = await read({ format: 'csv' })
    assert.match(csv.type ?? '', /^text\/csv/)
    assert.equal(csv.text.trim().split('\r\n').length, total + 1)
    assert.equal((await read({ format: 'graphml' })).text.match(/<node /g)?.length, total)
    const exportedPages = (await read({ format: 'pages.jsonl' })).text.trim().split('\n')
    assert.ok(exportedPages.length > 10)
    assert.match(csv.response.headers.get('content-disposition') ?? '', /^attachment; filename="[\w-]+\.csv"$/)
  })

  it('can be continued after a URL and filtered', async () => {
    const all = (await read({ format: 'csv' })).text.trim().split('\r\n')
    const [, , third = ''] = all
    const rest = (await read({ format: 'csv', after: Number.parseInt(third, 10) })).text.trim().split('\r\n')
    assert.deepEqual(rest, all.slice(3))
    const missing = (await read({ format: 'jsonl', state: 'not_found' })).text.trim().split('\n')
    assert.ok(missing.every((line) => (JSON.parse(line) as { state: string }).state === 'not_found'))
    await assert.rejects(read({ format: 'json', after: 3 }), hasCode('BAD_REQUEST'))
    await assert.rejects(read({ format: 'warc', state: 'visited' }), hasCode('BAD_REQUEST'))
  })

  it('of content is a zip file of Markdown files with relative links, and chunks', async () => {
    const response = await api.client.exportCrawl({ params: { crawl_id }, query: { format: 'markdown' } })
    assert.equal(response.headers.get('content-type'), 'application/zip')
    assert.match(response.headers.get('content-disposition') ?? '', /\.markdown\.zip"$/)
    const entries = readZipEntries(Buffer.from(await response.arrayBuffer()))
    const paths = new Set(entries.map(({ path }) => path))
    assert.equal(paths.size, entries.length)
    const root = entries.find(({ path }) => path === markdownPath(crawl.rootUrl))?.bytes.toString() ?? ''
    assert.ok(root.startsWith(`---\nurl: "${crawl.rootUrl}"\ntitle: `), root)
    const targets = [...root.matchAll(/\]\(([^):]+\.md)\)/g)].map(([, target = '']) => target)
    assert.ok(targets.length > 0, root)
    for (const target of targets) assert.ok(paths.has(posix.join(posix.dirname(markdownPath(crawl.rootUrl)), target)))
    const chunks = (await read({ format: 'chunks.jsonl' })).text.trim().split('\n')
    const records = chunks.map((line) => JSON.parse(line) as { chunk_id: string; url: string })
    assert.equal(new Set(records.map(({ chunk_id }) => chunk_id)).size, records.length)
    assert.ok(records.some(({ url }) => url === crawl.rootUrl))
  })

  it('of records is a WARC file', async () => {
    const response = await api.client.exportCrawl({ params: { crawl_id }, query: { format: 'warc' } })
    const bytes = Buffer.from(await response.arrayBuffer())
    assert.match(gunzipSync(bytes).toString('latin1', 0, 40), /^WARC\/1\.1/)
  })

  it('of records is a WACZ file, indexed as warcio would', async () => {
    const response = await api.client.exportCrawl({ params: { crawl_id }, query: { format: 'wacz' } })
    assert.equal(response.headers.get('content-type'), 'application/wacz+zip')
    const entries = readZipEntries(Buffer.from(await response.arrayBuffer()))
    const file = (path: string) => entries.find((entry) => entry.path === path)?.bytes ?? assert.fail(path)
    const warc = file(`archive/${crawl_id}.warc.gz`)
    const index = gunzipSync(file('indexes/index.cdx.gz')).toString().trimEnd().split('\n')
    assert.deepEqual(index, [...index].sort())
    const fieldsOf = ({ url, offset, length, status, digest }: Record<string, unknown>) =>
      [url, offset, length, status, String(digest).replace('sha256:', '')].join(' ')
    const source = [{ filename: 'x', reader: new Blob([new Uint8Array(warc)]).stream() }]
    const all = await Array.fromAsync(new CDXIndexer().iterIndex(source))
    // The index contains the extracted text of documents too.
    const expected = all.filter(({ status }) => Boolean(status)).map(fieldsOf)
    const found = index.map((line) => fieldsOf(JSON.parse(line.slice(line.indexOf('{')))))
    assert.deepEqual([...new Set(found)].sort(), expected.sort())
    const pageLines = file('pages/pages.jsonl').toString().trimEnd().split('\n')
    assert.ok(pageLines.length > 10)
    const { resources } = JSON.parse(file('datapackage.json').toString()) as {
      resources: { path: string; hash: string }[]
    }
    assert.deepEqual(
      resources.map(({ path, hash: digest }) => [path, digest]),
      entries.slice(0, -2).map(({ path, bytes }) => [path, `sha256:${hash('sha256', bytes, 'hex')}`]),
    )
    await assert.rejects(read({ format: 'wacz', state: 'visited' }), hasCode('BAD_REQUEST'))
  })
})

describe('insights', () => {
  it('add up', async () => {
    const { total, states } = await api.client.getCrawl({ params: { crawl_id } })
    const stats = await api.client.getStats({ params: { crawl_id } })
    assert.deepEqual(stats.states, states)
    assert.equal(
      stats.depths.reduce((sum, { count }) => sum + count, 0),
      total,
    )
    await assert.rejects(api.client.getStats({ params: NOBODY }), hasCode('CRAWL_NOT_FOUND'))
  })

  it('have the link graph, as URLs or as groups', async () => {
    const { total } = await api.client.getCrawl({ params: { crawl_id } })
    const urls = await api.client.getGraph({ params: { crawl_id } })
    assert.deepEqual([urls.group, urls.nodes.length, urls.is_complete], ['url', total, true])
    assert.ok(urls.edges.length > 10)
    const groups = await api.client.getGraph({ params: { crawl_id }, query: { limit: 5 } })
    assert.equal(groups.group, 'path')
    const newer = await api.client.getGraph({ params: { crawl_id }, query: { since: urls.version } })
    assert.deepEqual(newer.nodes, [])
    await assert.rejects(api.client.getGraph({ params: { crawl_id }, query: { since: 'x' } }), hasCode('BAD_CURSOR'))
  })

  it('have folders, one level at a time', async () => {
    const { total } = await api.client.getCrawl({ params: { crawl_id } })
    const top = await api.client.getFolders({ params: { crawl_id } })
    assert.deepEqual([top.label, top.urls, top.is_complete], [null, total, true])
    assert.equal(
      top.folders.reduce((sum, { urls }) => sum + urls, 0),
      total,
    )
    const [host] = top.folders
    const level = await api.client.getFolders({ params: { crawl_id }, query: { under: host?.label ?? '' } })
    assert.equal(level.urls, host?.urls)
    assert.equal(
      level.folders.reduce((sum, { urls }) => sum + urls, level.total_own_urls),
      host?.urls,
    )
    const [group] = (await api.client.getGraph({ params: { crawl_id }, query: { group: 'path', limit: 5 } })).nodes
    const query = { group: 'path' as const, limit: 5, open: group?.label ?? '' }
    const opened = await api.client.getGraph({ params: { crawl_id }, query })
    assert.ok(!opened.nodes.some(({ id }) => id === group?.id) && opened.nodes.length > 0)
    const unknown = api.client.getFolders({ params: { crawl_id }, query: { under: 'none.test' } })
    await assert.rejects(unknown, hasCode('FOLDER_NOT_FOUND'))
  })

  it('have the sitemaps that could not be read', async () => {
    assert.deepEqual(await api.client.listBrokenSitemaps({ params: { crawl_id } }), { items: [] })
    await assert.rejects(api.client.listBrokenSitemaps({ params: NOBODY }), hasCode('CRAWL_NOT_FOUND'))
  })

  it('have the errors with their severity', async () => {
    const { items, counts } = await api.client.listErrors({ params: { crawl_id } })
    assert.ok(items.length > 0 && counts.length > 0)
    assert.ok(items.every(({ severity, state }) => (severity === 'error') === (state === 'failed')))
  })

  it('have the politeness towards hosts', async () => {
    const { items } = await api.client.listHosts({ params: { crawl_id } })
    const host = new URL(crawl.rootUrl).host
    assert.deepEqual(
      items.map((item) => item.host),
      [host],
    )
    const { items: politeness } = await api.client.getPoliteness({ params: { crawl_id } })
    assert.ok(politeness.some((row) => row.host === host && row.requests > 10))
    const rest = { params: { crawl_id }, query: { cursor: 'x' } }
    await assert.rejects(api.client.getPoliteness(rest), hasCode('BAD_CURSOR'))
    const none = await api.client.getPoliteness({ params: { crawl_id }, query: { text: 'nowhere', limit: 1 } })
    assert.deepEqual(none, { items: [], next_cursor: null, total: null })
    assert.deepEqual((await api.client.listTraps({ params: { crawl_id } })).items, [])
    const body = { pattern: 'nothing/like/this' }
    await assert.rejects(api.client.releaseTrap({ params: { crawl_id }, body }), hasCode('PATTERN_NOT_FOUND'))
  })

  it('allow hosts to be blocked and released', async () => {
    const { crawl_id: id } = await api.client.createCrawl({ body: { url: 'http://block.test:8080/' } })
    await api.client.pauseCrawl({ params: { crawl_id: id } })
    const params = { crawl_id: id, host: 'block.test:8080' }
    assert.deepEqual(await api.client.blockHost({ params }), { host: params.host, is_blocked: true, urls: 1 })
    const explanation = await api.client.explainUrl({ params, query: { url: 'http://block.test:8080/' } })
    assert.equal(explanation.steps.find(({ step }) => step === 'host')?.outcome, 'refused')
    const unknown = { crawl_id: id, host: 'nowhere.test' }
    await assert.rejects(api.client.releaseHost({ params: unknown }), hasCode('HOST_NOT_FOUND'))
  })
})
