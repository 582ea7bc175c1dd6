// Changes of a site that the real program watches: found, told from noise, and published.

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { type Client, createClient } from '../../src/api/client.ts'
import { readFeed } from '../../src/engine/media/feed/feed-reader.ts'
import { openStore } from '../../src/library/index.ts'
import { type ChangingPage, ChangingSite, htmlPage } from '../sites/changing-site.ts'
import { isLongRun } from '../testing/long-run.ts'
import { makeTemporaryFolder, startProgram } from '../testing/program.ts'
import { runInProcess } from '../testing/run-in-process.ts'
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

    await client.ignoreChange({ params: { crawl_id }, body: { line: 'The price is 30 EUR.' } })
    await client.ignoreChange({ params: { crawl_id }, body: { selector: 'h1' } })
    site.pages.set('/plain', clockPage('The price is 40 EUR.'))
    await waitForRounds(site, '/plain', 3)
    site.pages.set('/plain', clockPage('Sold out.'))
    const after = await waitForChanges(client, crawl_id, 8)
    assert.equal(after.at(-1)?.summary, 'Sold out.')
    const { settings } = await client.getCrawl({ params: { crawl_id } })
    assert.deepEqual(settings['ignore_selector'], ['h1'])
  })

  it('reach a webhook once each, also if the server is killed again and again', async (t) => {
    const paths = Array.from({ length: 8 }, (_, i) => `/${i}`)
    const pages = Object.fromEntries(paths.map((path) => [path, htmlPage(`${path} first`)]))
    const site = await serveSite(t, { '/': htmlPage('Home', paths), ...pages })
    const receiver = await receiveCalls(t)
    let server = await startServer(t)
    let client = createClient({ baseUrl: server.address })
    const events = ['page.added', 'page.changed', 'page.removed'] as const
    const hook = { url: receiver.url, events: [...events], allow_private: true }
    const { secret } = await client.createWebhook({ body: hook })
    const { crawl_id } = await client.createCrawl({ body: { url: `${site.origin}/`, settings: SETTINGS } })
    await waitForRounds(site, '/7', 2)
    const rounds = isLongRun ? ['second', 'third', 'fourth', 'fifth'] : ['second', 'third']
    for (const round of rounds) {
      for (const path of paths) site.pages.set(path, htmlPage(`${path} ${round}`))
      const before = site.requests.length
      await waitUntil(() => site.requests.length >= before + 4)
      server.program.child.kill('SIGKILL')
      await server.program.ended
      server = await startServer(t, { data: server.data })
      client = createClient({ baseUrl: server.address })
      await waitForRounds(site, '/7', 2)
    }
    const published = await waitUntil(async () => {
      const { items } = await client.listChanges({ query: { crawl_id, order: 'oldest', limit: 1000 } })
      const isDone = paths.every((path) =>
        items.some(({ url, facts }) => url.endsWith(path) && facts.title?.after === `${path} ${rounds.at(-1)}`),
      )
      return isDone ? items : null
    })
    assert.deepEqual(
      published.map(({ cursor }) => cursor),
      published.map((_, i) => i + 1),
    )
    await waitUntil(() => receiver.changeIds().size >= published.length)
    assert.deepEqual(
      [...receiver.changeIds()].toSorted((a, b) => a - b),
      published.map(({ change_id }) => change_id).toSorted((a, b) => a - b),
    )
    for (const { headers, body } of receiver.calls) {
      const signed = `${headers['x-orbweaver-timestamp']}.${body}`
      assert.equal(
        headers['x-orbweaver-signature'],
        `sha256=${createHmac('sha256', secret).update(signed).digest('hex')}`,
      )
    }
    // A call that was in flight when the server was killed may be repeated, with the same id and body.
    const byDelivery = Map.groupBy(receiver.calls, ({ headers }) => headers['x-orbweaver-delivery'])
    for (const calls of byDelivery.values()) assert.equal(new Set(calls.map(({ body }) => body)).size, 1)
    const ids = [...byDelivery.values()].flatMap(([call]) => changeIdsOf(call?.body ?? ''))
    assert.equal(new Set(ids).size, ids.length)
  })

  it('of a crawl in the foreground are listed by the command', async (t) => {
    const site = await serveSite(t, { '/': htmlPage('Home', ['/a', '/b']), '/a': htmlPage('A'), '/b': htmlPage('B') })
    const data = join(makeTemporaryFolder(t), 'data')
    const flags = ['--allow-private', '--ignore-robots', '--delay', '0', '--json', '--recrawl', '1s', '--no-traps']
    const program = startProgram(['crawl', `${site.origin}/`, '--data', data, ...flags])
    t.after(() => program.child.kill('SIGKILL'))
    await waitForRounds(site, '/b', 2)
    site.pages.set('/a', htmlPage('Another'))
    site.pages.delete('/b')
    const lines = await waitUntil(async () => {
      const { stdout } = await runInProcess(['changes', '--data', data])
      return stdout.split('\n').length >= 4 ? stdout.trimEnd().split('\n').slice(1) : null
    })
    assert.ok(
      lines.some((line) => /changed +\+1 -1 +http.*\/a +This page is called Another\.$/.test(line)),
      lines.join('\n'),
    )
    assert.ok(
      lines.some((line) => /removed +\+0 -\d+ +http.*\/b/.test(line)),
      lines.join('\n'),
    )
    program.child.kill('SIGINT')
    await program.ended
    const url = `${site.origin}/a`
    const diff = await runInProcess(['changes', url, '--data', data, '--diff', '--since', '1h', '--kind', 'changed'])
    assert.match(
      diff.stdout,
      /changed {2}\+1 -1 .*\n {3}- This page is called A\.\n {3}\+ This page is called Another\.\n$/,
    )
    const json = await runInProcess(['changes', url, '--data', data, '--json'])
    assert.equal((JSON.parse(json.stdout) as { kind: string }).kind, 'changed')
    const store = await openStore({ data })
    const since = new Date(Date.now() - 3_600_000)
    const [read, ...others] = await Array.fromAsync(store.changes({ url, kinds: ['changed'], since }))
    await store.close()
    assert.deepEqual([read?.kind, read?.url, others.length], ['changed', url, 0])
    const none = await runInProcess(['changes', '--data', data, '--kind', 'returned'])
    assert.equal(none.stdout, 'No changes. They are found by crawls with --recrawl or --schedule.\n')
  })
})

interface ReceivedCall {
  headers: IncomingHttpHeaders
  body: string
}

function changeIdsOf(body: string): number[] {
  return (JSON.parse(body) as { changes: { change_id: number }[] }).changes.map(({ change_id }) => change_id)
}

/** A server that takes webhook calls, and fails the first ones. */
async function receiveCalls(t: TestContext) {
  const calls: ReceivedCall[] = []
  let failures = 0
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const isFailing = failures < 2
    if (isFailing) failures += 1
    else calls.push({ headers: request.headers, body })
    response.writeHead(isFailing ? 503 : 200).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    calls,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    changeIds: () => new Set(calls.flatMap(({ body }) => changeIdsOf(body))),
  }
}
