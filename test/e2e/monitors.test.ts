// Monitors of a site that the real program watches: a hit of each kind, once, also if the program is killed.

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { type Client, type ClientResponse, createClient } from '../../src/api/client.ts'
import { readFeed } from '../../src/engine/media/feed/feed-reader.ts'
import { ChangingSite, htmlPage } from '../sites/changing-site.ts'
import { makeTextWriter } from '../sites/traps/text-writer.ts'
import { startServer } from '../testing/start-server.ts'
import { waitUntil } from '../testing/wait-until.ts'

const SETTINGS = { allow_private: true, ignore_robots: true, delay: 0, traps: false, recrawl: '1s', retry_delay: 10 }

interface Call {
  headers: IncomingHttpHeaders
  body: string
  hit: { hit_id: number; url: string; monitor_name: string }
}

/** A client of webhooks, which fails at first. */
async function serveReceiver(t: TestContext): Promise<{ url: string; calls: Call[] }> {
  const calls: Call[] = []
  let requests = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      requests += 1
      response.writeHead(requests === 1 ? 503 : 200).end()
      if (requests === 1) return
      const body = Buffer.concat(chunks).toString('utf8')
      calls.push({ headers: request.headers, body, hit: (JSON.parse(body) as Call).hit })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, calls }
}

function waitForHits(client: Client, count: number) {
  return waitUntil(async () => {
    const { items } = await client.listHits()
    return items.length >= count ? items : null
  })
}

async function waitForRounds(site: ChangingSite, path: string, rounds: number): Promise<void> {
  const before = site.requestsOf(path).length
  await waitUntil(() => site.requestsOf(path).length >= before + rounds)
}

describe('monitors of a watched site', () => {
  it('have hits of each kind once, also after kill -9, in feeds and webhooks', async (t) => {
    const writer = makeTextWriter(5, 20_000)
    const article = Array.from({ length: 200 }, writer.word)
    const copy = article.slice(40, 110).map((word, i) => (i % 15 === 7 ? 'edited' : word))
    const site = await ChangingSite.serve({
      '/': { body: '<title>Start</title><a href="/shop">Shop</a> <a href="/blog">Blog</a> <a href="/about">About</a>' },
      '/shop': { body: '<title>Shop</title><p>Price: <b class="price">20,00 EUR</b>' },
      '/blog': { body: '<title>Blog</title><p>Nothing here yet.' },
      '/about': htmlPage('About us'),
    })
    t.after(() => site.close())
    const receiver = await serveReceiver(t)
    const server = await startServer(t)
    const client = createClient({ baseUrl: server.address })
    const webhook = { url: receiver.url, events: ['monitor.hit' as const], allow_private: true }
    const { secret } = await client.createWebhook({ body: webhook })
    const { crawl_id } = await client.createCrawl({ body: { url: `${site.origin}/`, settings: SETTINGS } })
    const add = (name: string, rule: Parameters<Client['createMonitor']>[0]['body']['rule']) =>
      client.createMonitor({ body: { name, rule, crawl_ids: [crawl_id] } })
    await add('Words', { kind: 'words', words: ['closing down'] })
    await add('Pattern', { kind: 'pattern', pattern: 'SKU-\\d{4}' })
    const selector = '.price'
    const price = await add('Price', { kind: 'selector', selector, condition: { kind: 'above', limit: 25 } })
    const copies = await add('Copies', { kind: 'copies', min_words: 50 })
    const document = { title: 'Article', text: article.join(' ') }
    await client.addMonitorDocument({ params: { monitor_id: copies.monitor_id }, body: document })
    await waitForRounds(site, '/shop', 3)

    site.pages.set('/shop', { body: '<title>Shop</title><p>SKU-1234 <b class="price">30,00 EUR</b>' })
    const [first] = await waitForHits(client, 1)
    assert.equal(first?.url, `${site.origin}/shop`)
    // Killed while changed pages are crawled, examined and announced.
    site.pages.set('/blog', { body: `<title>Blog</title><p>News<p>${copy.join(' ')}<p>The end` })
    site.pages.set('/about', { body: '<title>About</title><p>We are closing down.' })
    await waitUntil(() => site.requestsOf('/about').at(-1)?.status === 200)
    server.program.child.kill('SIGKILL')
    await server.program.ended

    const again = createClient({ baseUrl: (await startServer(t, { data: server.data })).address })
    const hits = await waitForHits(again, 4)
    await waitForRounds(site, '/about', 3)
    const expected = ['Copies /blog', 'Pattern /shop', 'Price /shop', 'Words /about']
    const nameOf = ({ monitor_name, url }: { monitor_name: string; url: string }) =>
      `${monitor_name} ${url.slice(site.origin.length)}`
    assert.deepEqual(hits.map(nameOf).toSorted(), expected)
    assert.equal((await again.listHits()).items.length, 4)

    const raised = hits.find(({ monitor_id }) => monitor_id === price.monitor_id)
    assert.deepEqual(raised?.evidence, { kind: 'value', before: '20,00 EUR', after: '30,00 EUR' })
    const copied = hits.find(({ monitor_id }) => monitor_id === copies.monitor_id)
    assert.ok(copied?.evidence.kind === 'copies')
    const [passage] = copied.evidence.copies
    assert.ok(passage !== undefined && passage.words >= 66 && passage.same < passage.words)
    const edited = passage.on_page.highlights.map(([start, end]) => passage.on_page.text.slice(start, end))
    assert.deepEqual(new Set(edited), new Set(['edited']))

    await waitUntil(() => receiver.calls.length >= 4)
    await waitForRounds(site, '/about', 2)
    assert.deepEqual(receiver.calls.map(({ hit }) => nameOf(hit)).toSorted(), expected)
    for (const { headers, body } of receiver.calls) {
      const signed = createHmac('sha256', secret).update(`${headers['x-orbweaver-timestamp']}.${body}`).digest('hex')
      assert.equal(headers['x-orbweaver-signature'], `sha256=${signed}`)
    }
    const feed = await again.getMonitorFeed({ params: { monitor_id: price.monitor_id } })
    const contentType = 'application/atom+xml'
    const { title, links, text } = readFeed(Buffer.from(await feed.arrayBuffer()), { contentType })
    assert.equal(title, 'Hits of Price')
    assert.ok(links.some(({ href }) => href === `${site.origin}/shop`))
    assert.match(text, /"20,00 EUR" → "30,00 EUR"/)

    const rule = { kind: 'words' as const, words: ['nothing here yet'] }
    const { monitor_id } = await again.createMonitor({ body: { name: 'Later', rule, crawl_ids: [crawl_id] } })
    let newHits = 0
    for (let after: number | null = 0; after !== null; ) {
      const scanned: ClientResponse<'scanArchive'> = await again.scanArchive({
        params: { monitor_id },
        body: { after },
      })
      newHits += scanned.new_hits
      after = scanned.next
    }
    assert.equal(newHits, 1)
  })
})
