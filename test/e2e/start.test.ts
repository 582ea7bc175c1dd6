// The whole system in one process, as a new user starts it: the web app, the API, and the command line beside it.

import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { createClient } from '../../src/api/client.ts'
import { servePlainSite } from '../sites/plain-site.ts'
import { makeTemporaryFolder, runProgram } from '../testing/program.ts'
import { runInProcess } from '../testing/run-in-process.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'
import { waitUntil } from '../testing/wait-until.ts'

interface CreatedToken {
  token: string
  token_id: string
}

function startDefault(t: TestContext, data: string, flags: string[] = []): Promise<TestServer> {
  return startServer(t, { command: 'start', data, flags })
}

describe('orbweaver start', { concurrency: true }, () => {
  it('serves the web app and the API, and completes the sample crawl even if it is killed halfway', async (t) => {
    const data = makeTemporaryFolder(t)
    const first = await startDefault(t, data)
    const client = createClient({ baseUrl: first.address })
    assert.match(await (await fetch(`${first.address}/`)).text(), /Orbweaver/)
    const demo = await client.startDemo()
    const params = { crawl_id: demo.crawl_id }
    await waitUntil(async () => (await client.getCrawl({ params })).pages >= 50)
    first.program.child.kill('SIGKILL')
    await first.program.ended

    const second = await startDefault(t, data)
    const again = createClient({ baseUrl: second.address })
    const last = await waitUntil(async () => {
      const crawl = await again.getCrawl({ params })
      return crawl.status === 'running' ? null : crawl
    })
    assert.equal(last.status, 'completed')
    assert.ok(last.pages > 370, `${last.pages} pages`)
    assert.ok(last.active_ms > 0, 'active_ms is 0')
    assert.equal(await second.stop(), 0)
  })

  it('is controlled by the command line with --server', async (t) => {
    const server = await startDefault(t, makeTemporaryFolder(t))
    const runRemote = async (...args: string[]) => {
      const { code, stdout, stderr } = await runInProcess([...args, '--server', server.address])
      assert.equal(code, 0, stderr)
      return stdout
    }
    // The crawl outlasts the test: the second URL waits for an hour.
    const site = await servePlainSite(t, () => 'Hello')
    const flags = ['--detach', '--delay', '3600000', '--allow-private', '--json']
    const urls = [`${site.origin}/`, `${site.origin}/b`]
    const created = await runProgram(['crawl', ...urls, ...flags, '--server', server.address])
    const { crawl_id } = JSON.parse(created.stdout) as { crawl_id: string }
    const id = crawl_id.slice(0, 8)
    assert.match(await runRemote('crawls'), new RegExp(id))
    assert.match(await runRemote('pause', id), /^Paused/)
    assert.match(await runRemote('status', id), /^Paused/)
    assert.match(await runRemote('resume', id, '--detach'), /^Resumed/)
    assert.match(await runRemote('cancel', id), /^Cancelled/)
    const { status } = JSON.parse(await runRemote('status', id, '--json')) as { status: string }
    assert.equal(status, 'cancelled')
    const unknown = await runInProcess(['status', 'nope', '--server', server.address])
    assert.deepEqual([unknown.code, unknown.stdout], [2, ''])
    assert.equal(await server.stop(), 0)
    const away = await runProgram(['crawls', '--server', server.address])
    assert.equal(away.code, 1)
    assert.match(away.stderr, /does not respond/)
  })

  it('requires tokens, which are created first, shown once and can be revoked, and logs who changes something', async (t) => {
    const data = makeTemporaryFolder(t)
    const open = await runProgram(['start', '--data', data, '--port', '0', '--health-port', '0', '--host', '0.0.0.0'])
    assert.equal(open.code, 2)
    assert.match(
      open.stderr,
      /^orbweaver: .* create a token first: .\/orbweaver token create <name> admin --data \S+\n$/,
    )
    const created = await runProgram(['token', 'create', 'me', 'admin', '--data', data, '--json'])
    const admin = JSON.parse(created.stdout) as CreatedToken
    const crawler = await runInProcess(['token', 'create', 'ci', 'crawl', '--expires', '30d', '--data', data, '--json'])
    const { token, token_id } = JSON.parse(crawler.stdout) as CreatedToken
    assert.match((await runInProcess(['token', 'list', '--data', data])).stdout, /expires \(UTC\).*ci +crawl.*20\d\d-/s)
    const server = await startDefault(t, data, ['--require-token'])
    const client = createClient({ baseUrl: server.address, token })
    const { crawl_id } = await client.createCrawl({ body: { url: 'http://nowhere.invalid/' } })
    await client.cancelCrawl({ params: { crawl_id } })
    assert.equal((await fetch(`${server.address}/api/v1/crawls`)).status, 401)
    assert.equal((await client.listCrawls()).items.length, 1)
    const runRemote = (...args: string[]) => runInProcess([...args, '--server', server.address, '--token', admin.token])
    assert.match((await runRemote('crawls')).stdout, new RegExp(crawl_id.slice(0, 8)))
    assert.match((await runRemote('token', 'list')).stdout, /me +admin/)
    assert.equal((await runRemote('token', 'revoke', admin.token_id)).code, 0)
    assert.match((await runRemote('crawls')).stderr, /unknown or was revoked/)
    assert.equal(await server.stop(), 0)
    const lines = (await server.program.ended).stderr.split('\n').filter((line) => line.includes(' request '))
    const sentBy = (id: string) => `token_id=${id} client=127.0.0.1`
    assert.equal(lines.length, 5, lines.join('\n'))
    assert.ok(lines[0]?.includes('method=POST path=/api/v1/crawls ') && lines[0].endsWith(sentBy(token_id)), lines[0])
    assert.ok(lines[1]?.includes('/cancel ') && lines[1].endsWith(sentBy(token_id)), lines[1])
    assert.ok(lines[2]?.includes('status=401') && lines[2].endsWith('client=127.0.0.1'), lines[2])
    assert.ok(lines[3]?.includes('method=DELETE') && lines[3].endsWith(sentBy(admin.token_id)), lines[3])
    assert.ok(lines[4]?.includes('status=401') && lines[4].endsWith('client=127.0.0.1'), lines[4])
  })
})
