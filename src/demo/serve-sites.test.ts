import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { makeSite } from '../../test/sites/generated/make-site.ts'
import { readLinks } from '../../test/sites/generated/read-links.ts'
import { documentBytes, serveSites } from './serve-sites.ts'
import { ERROR_STATUS, isFollowed, type ServedSite, type SiteNode } from './site-model.ts'

/** Not `fetch`, which asks again by itself after a 421. */
async function get(url: string) {
  const request = http.get(url)
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage]
  return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) }
}

test('the served bytes of a generated site agree with the model', async () => {
  const web = await serveSites([makeSite(42424, { pages: 120 })])
  try {
    for (const place of web.sites) {
      for (const node of place.site.nodes.values()) await checkNode(place, node)
    }
  } finally {
    await web.close()
  }
})

async function checkNode({ origin }: ServedSite, node: SiteNode): Promise<void> {
  const url = origin + node.path
  if (node.kind === 'reset') {
    await assert.rejects(get(url), { code: 'ECONNRESET' })
    return
  }
  if (node.kind === 'flaky') {
    for (let i = 0; i < node.failures; i++) {
      const failure = await get(url)
      assert.equal(failure.status, node.status)
      assert.equal(failure.headers['retry-after'] ?? null, node.retryAfter)
    }
  }
  const { body, ...answer } = await get(url)
  switch (node.kind) {
    case 'redirect': {
      assert.equal(answer.status, node.status)
      const to = new URL(answer.headers.location ?? 'about:blank', url)
      to.hash = ''
      const { target } = node.to
      assert.equal(to.href, target.kind === 'node' ? origin + target.path : 'http://elsewhere.invalid/landing')
      return
    }
    case 'document':
      assert.equal(answer.headers['content-type'], 'application/pdf')
      assert.deepEqual(body, documentBytes(node.bytes))
      return
    case 'page':
    case 'slow':
    case 'flaky':
      assert.equal(answer.status, 200)
      assert.deepEqual(readLinks(body.toString(), url).sort(), expectedLinks(node.content.links, origin).sort())
      return
    default:
      assert.equal(answer.status, ERROR_STATUS[node.kind])
  }
}

function expectedLinks(links: Extract<SiteNode, { kind: 'page' }>['content']['links'], origin: string): string[] {
  return links.flatMap(({ via, target }) => {
    if (!isFollowed(via) || target.kind === 'nothing') return []
    return [target.kind === 'node' ? origin + target.path : target.url.replace(/#.*/, '')]
  })
}

test('several sites share a port on several addresses, and requests are recorded by host', async () => {
  const web = await serveSites([makeSite(1, { pages: 5 }), makeSite(2, { pages: 5 })])
  try {
    const [first, second] = web.sites.map(({ origin }) => new URL(origin))
    assert.ok(first !== undefined && second !== undefined)
    assert.notEqual(first.hostname, second.hostname)
    assert.equal(first.port, second.port)
    assert.match((await get(first.href)).body.toString(), /of site 1/)
    assert.match((await get(second.href)).body.toString(), /of site 2/)
    assert.equal((await get(`${second.origin}/robots.txt`)).status, 404)
    assert.equal(web.log.count(first.host, '/'), 1)
    assert.equal(web.log.count(second.host, '/robots.txt'), 1)
    assert.equal(web.log.requests.length, 3)
  } finally {
    await web.close()
  }
})

test('the log knows the smallest gap and the peak concurrency of a host', async () => {
  const site = makeSite(3, { pages: 1 })
  const content = { title: 'slow', base: null, links: [] }
  site.nodes.set('/slow', { path: '/slow', kind: 'slow', content, delayMs: 40 })
  const web = await serveSites([site])
  try {
    const origin = web.sites[0]?.origin ?? ''
    const { host } = new URL(origin)
    await get(`${origin}/slow`)
    assert.equal(web.log.smallestGapMs(host), Infinity)
    await get(`${origin}/slow`)
    assert.ok(web.log.smallestGapMs(host) >= 35)
    assert.equal(web.log.peakConcurrency(host), 1)
    await Promise.all([1, 2, 3].map(() => get(`${origin}/slow`)))
    assert.equal(web.log.peakConcurrency(host), 3)
    assert.ok(web.log.smallestGapMs(host) < 35)
  } finally {
    await web.close()
  }
})
