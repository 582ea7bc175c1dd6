// Which servers receive the headers of a crawl, as recorded by the servers.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { makeTemporaryFolder, parseSummary, runProgram, startProgram } from '../testing/program.ts'
import { waitUntil } from '../testing/wait-until.ts'

interface SeenRequest {
  path: string
  headers: IncomingHttpHeaders
}

interface RecordingSite {
  origin: string
  seen: SeenRequest[]
}

/** A site that records every header it receives. */
async function serveRecordingSite(
  t: TestContext,
  respond: (path: string, response: ServerResponse) => void,
): Promise<RecordingSite> {
  const seen: SeenRequest[] = []
  const server = createServer((request, response) => {
    seen.push({ path: request.url ?? '', headers: request.headers })
    respond(request.url ?? '', response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

const html = (response: ServerResponse, body: string) =>
  response.writeHead(200, { 'content-type': 'text/html' }).end(body)
const redirect = (response: ServerResponse, location: string) => response.writeHead(302, { location }).end()

/** A start site that leads to the other one in every possible way: robots.txt, sitemap, redirect, link. */
async function serveTwoSites(t: TestContext): Promise<{ first: RecordingSite; second: RecordingSite }> {
  const second: RecordingSite = await serveRecordingSite(t, (path, response) => {
    if (path === '/rules.txt') return response.end(`User-agent: *\nAllow: /\nSitemap: ${second.origin}/map.xml\n`)
    if (path === '/map.xml') return response.end(`<urlset><url><loc>${second.origin}/listed</loc></url></urlset>`)
    if (path === '/robots.txt') return response.writeHead(404).end()
    html(response, 'second')
  })
  const first = await serveRecordingSite(t, (path, response) => {
    if (path === '/robots.txt') return redirect(response, `${second.origin}/rules.txt`)
    if (path === '/away') return redirect(response, `${second.origin}/redirected`)
    html(response, `<a href="/away">1</a><a href="/more">2</a><a href="${second.origin}/linked">3</a>`)
  })
  return { first, second }
}

const SECRETS = ['--header', 'Authorization: Bearer abc', '--header', 'Cookie: sid=1', '--header', 'X-Key: k']
const PLAIN = ['--allow-private', '--scope', 'any', '--delay', '0', '--json']

function secretsOf({ headers }: SeenRequest): (string | string[] | undefined)[] {
  return [headers.authorization, headers.cookie, headers['x-key']]
}

describe('the headers of a crawl', () => {
  it('reach only the origins of the start URLs', async (t) => {
    const { first, second } = await serveTwoSites(t)
    const data = join(makeTemporaryFolder(t), 'data')
    const programResult = await runProgram(['crawl', `${first.origin}/`, '--data', data, ...SECRETS, ...PLAIN])
    assert.equal(programResult.code, 0, programResult.stderr)
    for (const request of first.seen) assert.deepEqual(secretsOf(request), ['Bearer abc', 'sid=1', 'k'], request.path)
    for (const path of ['/rules.txt', '/map.xml', '/listed', '/redirected', '/linked', '/robots.txt']) {
      assert.ok(
        second.seen.some((request) => request.path === path),
        `${path} was not requested`,
      )
    }
    for (const request of second.seen) assert.deepEqual(secretsOf(request), [undefined, undefined, undefined])
  })

  it('stay with their origins after an interrupted crawl is resumed', async (t) => {
    const { first, second } = await serveTwoSites(t)
    const data = join(makeTemporaryFolder(t), 'data')
    const crawl = startProgram(['crawl', `${first.origin}/`, '--data', data, ...SECRETS, ...PLAIN, '--delay', '1000'])
    await waitUntil(() => first.seen.length > 0)
    crawl.child.kill('SIGINT')
    const { crawl_id } = parseSummary(await crawl.ended)
    const before = first.seen.length
    const resumed = await runProgram(['resume', crawl_id, '--data', data, '--json'])
    assert.equal(resumed.code, 0, resumed.stderr)
    assert.ok(first.seen.length > before)
    for (const request of first.seen) assert.deepEqual(secretsOf(request), ['Bearer abc', 'sid=1', 'k'])
    for (const request of second.seen) assert.deepEqual(secretsOf(request), [undefined, undefined, undefined])
  })

  it('reach another origin if it is named', async (t) => {
    const { first, second } = await serveTwoSites(t)
    const data = join(makeTemporaryFolder(t), 'data')
    const named = ['--header', `${second.origin} X-Key: other`, '--header', '* X-Team: t']
    const programResult = await runProgram([
      'crawl',
      `${first.origin}/`,
      '--data',
      data,
      ...SECRETS,
      ...named,
      ...PLAIN,
    ])
    assert.equal(programResult.code, 0, programResult.stderr)
    for (const request of first.seen) assert.deepEqual(secretsOf(request), ['Bearer abc', 'sid=1', 'k'])
    for (const request of second.seen) assert.deepEqual(secretsOf(request), [undefined, undefined, 'other'])
    for (const { headers } of [...first.seen, ...second.seen]) assert.equal(headers['x-team'], 't')
  })

  it('reach no other origin from the command robots', async (t) => {
    const { first, second } = await serveTwoSites(t)
    const programResult = await runProgram(['robots', `${first.origin}/`, '--allow-private', ...SECRETS])
    assert.equal(programResult.code, 0, programResult.stderr)
    assert.deepEqual(first.seen.map(secretsOf), [['Bearer abc', 'sid=1', 'k']])
    assert.deepEqual(second.seen.map(secretsOf), [[undefined, undefined, undefined]])
  })
})
