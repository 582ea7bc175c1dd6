// A site that asks for digest authentication, requested politely.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { serveHttp } from '../../src/engine/fetch/testing/test-client.ts'
import { type CrawlRun, crawl, openStore } from '../../src/library/index.ts'
import { makeTemporaryFolder } from '../testing/program.ts'

const GAP_MS = 200

it('a request that answers a challenge keeps the gap of its host, and is counted', async (t) => {
  const startedAt: number[] = []
  let nonce = 0
  const site = await serveHttp(t, ({ url, headers }, response) => {
    startedAt.push(performance.now())
    // Every nonce is good for two requests.
    const isFresh = headers.authorization?.includes(`nonce="${nonce}"`) === true
    if (!isFresh || startedAt.length % 3 === 0) {
      nonce += 1
      const challenge = `Digest realm="r", nonce="${nonce}", qop="auth"${isFresh ? ', stale=true' : ''}`
      return void response.writeHead(401, { 'www-authenticate': challenge }).end()
    }
    response.setHeader('content-type', 'text/html')
    response.end(url === '/' ? '<a href=/1>1</a><a href=/2>2</a><a href=/3>3</a>' : 'page')
  })
  const data = makeTemporaryFolder(t)
  const auth = [`${site.origin}=digest me:secret`]
  const { urls, crawlId } = await crawl(`${site.origin}/`, {
    data,
    auth,
    allowPrivate: true,
    ignoreRobots: true,
    delay: GAP_MS,
    jitter: 0,
    minFreeDisk: 0,
    threads: 1,
  }).run()
  assert.equal(urls.visited, 4)
  assert.ok(startedAt.length > 5, `${startedAt.length} requests`)
  const gaps = startedAt.slice(1).map((time, i) => time - (startedAt[i] ?? 0))
  // The gap runs from the response before; the clocks may differ a little.
  assert.ok(Math.min(...gaps) > GAP_MS - 10, `gaps: ${gaps.map(Math.round)}`)

  const store = await openStore({ data })
  t.after(() => store.close())
  const [host] = await Array.fromAsync((await store.crawl(crawlId)).politeness())
  assert.equal(host?.requests, startedAt.length)
  assert.ok((host?.smallestGapMs ?? 0) >= GAP_MS, `smallest gap ${host?.smallestGapMs}`)
})

it('a crawl that is stopped does not wait for the gap of a request that is sent again', async (t) => {
  const running = Promise.withResolvers<CrawlRun>()
  let requests = 0
  const site = await serveHttp(t, ({ headers }, response) => {
    requests += 1
    if (headers.authorization !== undefined) return void response.end('page')
    response.writeHead(401, { 'www-authenticate': 'Digest realm="r", nonce="1", qop="auth"' }).end()
    void running.promise.then((run) => run.stop())
  })
  const data = makeTemporaryFolder(t)
  const auth = [`${site.origin}=digest me:secret`]
  const polite = { data, auth, allowPrivate: true, ignoreRobots: true, delay: 86_400_000, minFreeDisk: 0, threads: 1 }
  const run = crawl(`${site.origin}/`, polite)
  running.resolve(run)
  const { status, urls, crawlId } = await run.run()
  assert.deepEqual([status, urls.queued, urls.failed, requests], ['paused', 1, 0, 1])
  const store = await openStore({ data })
  t.after(() => store.close())
  const stored = await store.crawl(crawlId)
  assert.equal((await stored.verify()).isSound, true)
  const [host] = await Array.fromAsync(stored.politeness())
  assert.equal(host?.requests, 1)
})
