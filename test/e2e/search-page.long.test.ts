// The search page for readers: its content, and data that it must never show.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { runProgram } from '../testing/program.ts'
import { makePublicSearchData, type PublicSearchData } from '../testing/public-search.ts'
import { outputInProcess } from '../testing/run-in-process.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'

const cleanUps: (() => unknown)[] = []
const t = { after: (cleanUp: () => unknown) => void cleanUps.push(cleanUp) }
after(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp()
})

let made: PublicSearchData
before(async () => {
  made = await makePublicSearchData(t)
})

describe('the search page of one crawl, on a server with tokens', () => {
  let server: TestServer
  const get = (path: string, init?: RequestInit) => fetch(`${server.address}${path}`, init)
  const read = async (path: string) => (await get(path)).text()

  before(async () => {
    await outputInProcess(['token', 'create', 'me', 'admin', '--data', made.data])
    const title = ['--search-title', 'Orchard <search>', '--search-color', '#FFD000', '--public-search-rate', '1000']
    const flags = ['--require-token', '--public-search', made.publicId.slice(0, 8), ...title]
    server = await startServer(t, { data: made.data, flags })
  })

  after(() => server.stop())

  it('needs no token, and opens nothing else', async () => {
    assert.equal((await get('/search?q=apple')).status, 200)
    for (const path of ['/api/v1/search?q=apple', '/api/v1/search/suggest?q=app', '/api/v1/crawls'])
      assert.equal((await get(path)).status, 401, path)
  })

  it('finds pages of the public crawl only', async () => {
    const page = await read('/search?q=apple')
    assert.match(page, /<mark>Apple<\/mark> trees/)
    assert.match(page, /3 pages in \d+ ms/)
    assert.doesNotMatch(page, /cellar/i)
    for (const query of [
      'zanzibar',
      `crawl:${made.privateId}`,
      `apple crawl:${made.privateId}`,
      'cellar OR treasury',
    ]) {
      const found = await read(`/search?q=${encodeURIComponent(query)}`)
      assert.match(found, /No page contains/, query)
      assert.doesNotMatch(found, new RegExp(made.privateOrigin), query)
    }
  })

  it('tells nothing of other crawls by suggestions, spelling or near-duplicates', async () => {
    const suggested = async (text: string) => (await get(`/search/suggest?q=${text}`)).json()
    assert.deepEqual(await suggested('zanz'), ['zanz', []])
    assert.deepEqual(await suggested('cell'), ['cell', []])
    for (const text of ['apple', 'apple tr', 'Apple trees'])
      assert.deepEqual(await suggested(encodeURIComponent(text)), [text, ['Apple trees']])
    assert.doesNotMatch(await read('/search?q=zanzibaar'), /Did you mean/)
    for (let page = 1; page <= 6; page += 1)
      assert.match(await read(`/search?q=near-duplicate-of:${page}`), /No page contains/)
  })

  it('shows cached copies of public pages only', async () => {
    const [, id = ''] = /\/search\/cached\?page=(\d+)/.exec(await read('/search?q=toadstool')) ?? []
    const copy = await get(`/search/cached?page=${id}`)
    const [, src = ''] = /<iframe src="([^"]+)" sandbox/.exec(await copy.text()) ?? []
    const archived = await get(src.replaceAll('&amp;', '&'))
    assert.match(archived.headers.get('content-security-policy') ?? '', /^sandbox; default-src 'none'/)
    assert.match(await archived.text(), /toadstool/)
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async (_, i) => (await get(`/search/cached?page=${i + 1}`)).status),
    )
    assert.equal(statuses.filter((status) => status === 200).length, 5)
    const url = encodeURIComponent(`${made.privateOrigin}/`)
    for (const crawl of [made.privateId, made.publicId]) {
      const refused = await get(`/search/cached/${crawl}/page?at=${Date.now()}&url=${url}`)
      assert.equal(refused.status, 404)
      assert.doesNotMatch(await refused.text(), /treasury/)
    }
  })

  it('escapes what pages, readers and the operator write', async () => {
    const page = await read(`/search?q=${encodeURIComponent('toadstool "><script>alert(3)</script>')}`)
    assert.doesNotMatch(page, /<script>|<img|onerror=alert\(2\)>[^&]/)
    assert.match(page, /value="toadstool &quot;&gt;&lt;script&gt;alert\(3\)/)
    assert.match(await read('/search?q=toadstool'), /&lt;script&gt;alert\(1\)&lt;\/script&gt; <mark>toadstool/)
    assert.match(page, /<h1><a href="\/search">Orchard &lt;search&gt;<\/a>/)
    const { headers } = await get('/search?q=apple')
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*script-src 'self'/)
  })

  it('describes itself to browsers', async () => {
    const response = await get('/search/opensearch.xml')
    assert.match(response.headers.get('content-type') ?? '', /opensearchdescription\+xml/)
    const xml = await response.text()
    assert.ok(xml.startsWith('<?xml version="1.0"'))
    assert.match(xml, /<ShortName>Orchard &lt;search&gt;<\/ShortName>/)
    assert.ok(xml.includes(`template="${server.address}/search?q={searchTerms}"`))
  })

  it('has the colours of the operator, readable', async () => {
    const [, href = ''] = /href="(\/search\/style\.css\?v=\w+)"/.exec(await read('/search')) ?? []
    const style = await get(href)
    assert.match(style.headers.get('cache-control') ?? '', /immutable/)
    const css = await style.text()
    // Yellow on white is not readable, and stays as it is on black.
    assert.match(css, /--background: #14171c; --accent: #ffd000; --on-accent: #000000/)
    assert.doesNotMatch(css, /--background: #ffffff; --accent: #ffd000/)
  })
})

it('readers who search too often are asked to wait', async () => {
  const server = await startServer(t, {
    data: made.data,
    flags: ['--public-search', 'all', '--public-search-rate', '0.001'],
  })
  const statuses: number[] = []
  for (let i = 0; i < 6; i += 1) {
    const response = await fetch(`${server.address}/search?q=zanzibar`)
    statuses.push(response.status)
    if (response.status === 429) assert.ok(Number(response.headers.get('retry-after')) >= 1)
    else assert.match(await response.text(), /Apple cellar secret/, 'all crawls are public')
  }
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429])
  await server.stop()
})

it('there is no search page unless crawls are named', async () => {
  const server = await startServer(t, { data: made.data })
  assert.equal(
    (await fetch(`${server.address}/search/suggest?q=apple`)).headers.get('content-type')?.includes('suggestions'),
    false,
  )
  assert.doesNotMatch(await (await fetch(`${server.address}/search?q=apple`)).text(), /Apple trees/)
  await server.stop()
})

it('a crawl that does not exist is an error of the start', async () => {
  const { code, stderr } = await runProgram(['serve', '--data', made.data, '--port', '0', '--public-search', 'nothing'])
  assert.notEqual(code, 0)
  assert.match(stderr, /no crawl "nothing"/)
})
