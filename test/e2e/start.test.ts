// The whole system in one process, as a newcomer starts it: the page, the API, the command line beside it.

import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '../../src/api/client.ts'
import { servePlainSite } from '../sites/plain-site.ts'
import { makeTemporaryFolder, type Program, runProgram, startProgram } from '../testing/program.ts'

interface Server {
  program: Program
  address: string
}

async function startServer(t: TestContext, data: string, flags: string[] = []): Promise<Server> {
  const program = startProgram(['start', '--data', data, '--port', '0', '--health-port', '0', ...flags])
  t.after(() => program.child.kill('SIGKILL'))
  let address = ''
  await program.waitForLine((line) => {
    address = /Orbweaver is running at (http:\S+)/.exec(line)?.[1] ?? address
    return address !== ''
  })
  return { program, address }
}

async function stop({ program }: Server): Promise<number | null> {
  program.child.kill('SIGTERM')
  return (await program.ended).code
}

describe('orbweaver start', { concurrency: true }, () => {
  it('serves pages and the API, and crawls the sample site to its end though it is killed in the middle', async (t) => {
    const data = makeTemporaryFolder(t)
    const first = await startServer(t, data)
    const client = createClient({ baseUrl: first.address })
    assert.match(await (await fetch(`${first.address}/`)).text(), /Orbweaver/)
    const demo = await client.startDemo()
    const params = { crawl_id: demo.crawl_id }
    while ((await client.getCrawl({ params })).pages < 50) await sleep(50)
    first.program.child.kill('SIGKILL')
    await first.program.ended

    const second = await startServer(t, data)
    const again = createClient({ baseUrl: second.address })
    let last = await again.getCrawl({ params })
    for (; last.status === 'running'; last = await again.getCrawl({ params })) await sleep(200)
    assert.equal(last.status, 'completed')
    assert.ok(last.pages > 370, `${last.pages} pages`)
    assert.ok(last.active_ms > 0, 'no time was spent')
    assert.equal(await stop(second), 0)
  })

  it('writes down who changes something and who is refused', async (t) => {
    const data = makeTemporaryFolder(t)
    const made = await runProgram(['token', 'create', 'ci', 'crawl', '--expires', '30d', '--data', data, '--json'])
    const { token, token_id } = JSON.parse(made.stdout) as { token: string; token_id: string }
    assert.match((await runProgram(['token', 'list', '--data', data])).stdout, /expires \(UTC\).*ci +crawl.*20\d\d-/s)
    const server = await startServer(t, data, ['--require-token'])
    const client = createClient({ baseUrl: server.address, token })
    const { crawl_id } = await client.createCrawl({ body: { url: 'http://nowhere.invalid/' } })
    await client.cancelCrawl({ params: { crawl_id } })
    assert.equal((await fetch(`${server.address}/api/v1/crawls`)).status, 401)
    assert.equal((await client.listCrawls()).items.length, 1)
    await stop(server)
    const lines = (await server.program.ended).stderr.split('\n').filter((line) => line.includes(' request '))
    const sentBy = `token_id=${token_id} client=127.0.0.1`
    assert.equal(lines.length, 3, lines.join('\n'))
    assert.ok(lines[0]?.includes('POST /api/v1/crawls"') && lines[0].endsWith(sentBy), lines[0])
    assert.ok(lines[1]?.includes('/cancel"') && lines[1].endsWith(sentBy), lines[1])
    assert.ok(lines[2]?.includes('status=401') && lines[2].endsWith('client=127.0.0.1'), lines[2])
  })

  it('is steered by the command line with --server', async (t) => {
    const server = await startServer(t, makeTemporaryFolder(t))
    const ask = async (...args: string[]) => {
      const { code, stdout, stderr } = await runProgram([...args, '--server', server.address])
      assert.equal(code, 0, stderr)
      return stdout
    }
    // It will not be over while it is steered: the second url waits for an hour.
    const site = await servePlainSite(t, () => 'Hello')
    const flags = ['--detach', '--delay', '3600000', '--allow-private', '--json']
    const made = await ask('crawl', `${site.origin}/`, `${site.origin}/b`, ...flags)
    const { crawl_id } = JSON.parse(made) as { crawl_id: string }
    const id = crawl_id.slice(0, 8)
    assert.match(await ask('crawls'), new RegExp(id))
    assert.match(await ask('pause', id), /^Paused/)
    assert.match(await ask('status', id), /^Paused/)
    assert.match(await ask('resume', id), /^Resumed/)
    assert.match(await ask('cancel', id), /^Cancelled/)
    const { status } = JSON.parse(await ask('status', id, '--json')) as { status: string }
    assert.equal(status, 'cancelled')
    const unknown = await runProgram(['status', 'nope', '--server', server.address])
    assert.deepEqual([unknown.code, unknown.stdout], [2, ''])
    assert.equal(await stop(server), 0)
    const away = await runProgram(['crawls', '--server', server.address])
    assert.equal(away.code, 1)
    assert.match(away.stderr, /does not respond/)
  })

  it('is closed to strangers: tokens are made first, told once and can be revoked', async (t) => {
    const data = makeTemporaryFolder(t)
    const open = await runProgram(['start', '--data', data, '--port', '0', '--health-port', '0', '--host', '0.0.0.0'])
    assert.equal(open.code, 2)
    assert.match(
      open.stderr,
      /^orbweaver: .* create a token first: .\/orbweaver token create <name> admin --data \S+\n$/,
    )
    const made = await runProgram(['token', 'create', 'me', 'admin', '--data', data, '--json'])
    const { token, token_id } = JSON.parse(made.stdout) as { token: string; token_id: string }
    const server = await startServer(t, data, ['--require-token'])
    assert.equal((await fetch(`${server.address}/api/v1/crawls`)).status, 401)
    const ask = (...args: string[]) => runProgram([...args, '--server', server.address, '--token', token])
    assert.match((await ask('crawls')).stdout, /No crawls yet/)
    assert.match((await ask('token', 'list')).stdout, /me +admin/)
    assert.equal((await ask('token', 'revoke', token_id)).code, 0)
    assert.match((await ask('crawls')).stderr, /unknown or was revoked/)
    assert.equal(await stop(server), 0)
  })
})
