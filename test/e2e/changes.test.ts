// Changes of a site that the real program watches: found, told from noise, and published.

import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type Client, createClient } from '../../src/api/client.ts'
import { readFeed } from '../../src/engine/media/feed/feed-reader.ts'
import { type ChangingPage, ChangingSite, htmlPage } from '../sites/changing-site.ts'
import { startServer } from '../testing/start-server.ts'
import { waitUntil } from '../testing/wait-until.ts'

const SETTINGS = { allow_private: true, ignore_robots: true, delay: 0, traps: false, recrawl: '1s', retry_delay: 10 }
const PROSE = 'The bakery on the corner opens at seven and sells bread, rolls and cakes to everybody who comes in.'

/** A page with a clock, a request id and a counter that differ in every response. */
function clockPage(text: string, links: string[] = []): ChangingPage {
  let served = 0
  const anchors = links.map((path) => `<li><a href="${path}">${path}</a></li>`).join('')
  const body = () => {
    served += 1
    const now = new Date(Date.now() + served * 61_000)
    return `<title>Bakery</title><main><h1>Bakery</h1><p>It is ${now.toISOString()}.</p><p>${text}</p><p>${PROSE}</p>
      <p>Rendered in ${served * 7} ms</p></main><ul>${anchors}</ul><footer>Visitor ${served}</footer>`
  }
  return { body }
}

async function serveSite(t: TestContext, pages: Record<string, ChangingPage>): Promise<ChangingSite> {
  const site = await ChangingSite.serve(pages)
  t.after(() => site.close())
  return site
}

async function waitForRounds(site: ChangingSite, path: string, rounds: number): Promise<void> {
  const before = site.requestsOf(path).length
  await waitUntil(() => site.requestsOf(path).length >= before + rounds)
}

function waitForChanges(client: Client, crawlId: string, count: number) {
  return waitUntil(async () => {
    const { items } = await client.listChanges({ query: { crawl_id: crawlId, order: 'oldest' } })
    return items.length >= count ? items : null
  })
}

describe('changes of a watched site', { concurrency: true }, () => {
  it('are published with their differences; clocks are no changes', async (t) => {
    const site = await serveSite(t, {
      '/': clockPage('We sell bread.', ['/strong', '/weak', '/liar', '/plain', '/gone', '/moved']),
      '/strong': { ...htmlPage('Strong'), etag: '"1"' },
      '/weak': { ...htmlPage('Weak'), lastModified: 'Tue, 17 Nov 2026 10:00:00 GMT' },
      '/liar': { ...htmlPage('Liar'), etag: '"same"' },
      '/plain': clockPage('The price is 20 EUR.'),
      '/gone': htmlPage('Gone'),
      '/moved': htmlPage('Moved'),
    })
    const { address } = await startServer(t)
    const client = createClient({ baseUrl: address })
    const { crawl_id } = await client.createCrawl({ body: { url: `${site.origin}/`, settings: SETTINGS } })
    await waitForRounds(site, '/plain', 4)
    const pathOf = ({ url }: { url: string }) => url.slice(site.origin.length)
    assert.deepEqual((await client.listChanges({ query: { crawl_id } })).items, [])

    site.pages.set('/strong', { ...htmlPage('Stronger'), etag: '"2"' })
    site.pages.set('/weak', { ...htmlPage('Weaker'), lastModified: 'Tue, 17 Nov 2026 11:00:00 GMT' })
    site.pages.set('/liar', { ...htmlPage('Lies'), etag: '"same"' })
    site.pages.set('/plain', clockPage('The price is 30 EUR.'))
    site.pages.delete('/gone')
    site.pages.set('/moved', { body: '', status: 301, headers: { location: '/plain' } })
    site.pages.set('/new', htmlPage('New'))
    site.pages.set('/', clockPage('We sell bread.', ['/strong', '/weak', '/liar', '/plain', '/gone', '/moved', '/new']))
    const items = await waitForChanges(client, crawl_id, 7)
    await waitForRounds(site, '/plain', 3)
    assert.deepEqual(items.map((change) => `${change.kind} ${pathOf(change)}`).toSorted(), [
      'added /new',
      'changed /liar',
      'changed /plain',
      'changed /strong',
      'changed /weak',
      'redirected /moved',
      'removed /gone',
    ])
    assert.equal((await waitForChanges(client, crawl_id, 7)).length, 7)

    const price = items.find((change) => pathOf(change) === '/plain')
    const { diff } = await client.getChange({ params: { change_id: price?.change_id ?? 0 } })
    const changed = diff?.hunks.flatMap(({ lines }) => lines.filter(({ kind }) => kind !== 'same')) ?? []
    assert.deepEqual(
      changed.map(({ kind, text, ignored }) => `${kind} ${ignored ?? ''} ${text.replace(/\d{4}-.*Z|\d+ ms/, '_')}`),
      [
        'removed clock It is _.',
        'removed  The price is 20 EUR.',
        'added clock It is _.',
        'added  The price is 30 EUR.',
        'removed clock Rendered in _',
        'added clock Rendered in _',
      ],
    )
    const edited = changed.filter(({ text }) => text.startsWith('The price'))
    assert.deepEqual(
      edited.map((line) => line.changed),
      [[[13, 15]], [[13, 15]]],
    )
    assert.deepEqual([price?.words_added, price?.words_removed, price?.summary], [1, 1, 'The price is 30 EUR.'])
    const counts = await client.countChanges({ query: { crawl_id } })
    assert.deepEqual([counts.changed, counts.added, counts.removed, counts.redirected], [4, 1, 1, 1])

    const removed = await client.listChanges({ query: { crawl_id, kind: ['removed', 'redirected'] } })
    assert.equal(removed.items.length, 2)
    const large = await client.listChanges({ query: { crawl_id, min_words: 1000 } })
    assert.deepEqual(large.items, [])

    const feed = await fetch(`${address}/api/v1/crawls/${crawl_id}/changes.atom`)
    assert.equal(feed.headers.get('content-type'), 'application/atom+xml; charset=utf-8')
    const { title, links, text } = readFeed(Buffer.from(await feed.arrayBuffer()), {
      contentType: 'application/atom+xml',
    })
    assert.equal(title, `Changes on ${site.origin}/`)
    assert.deepEqual(links.map(({ href }) => href).filter((href) => href.startsWith(site.origin)).length, 7)
    assert.match(text, /Changed: Bakery/)
  })
})
