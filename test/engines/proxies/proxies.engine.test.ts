// Crawls through real proxies: tinyproxy (HTTP) and microsocks (SOCKS5).

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { KEY, TRUSTED } from '../../../src/engine/fetch/testing/certificates.ts'
import { closedPort } from '../../../src/engine/fetch/testing/test-client.ts'
import { makeTemporaryFolder, parseSummary, runProgram } from '../../testing/program.ts'
import { waitUntil } from '../../testing/wait-until.ts'

const [tinyproxy = '', microsocks = ''] = (process.env['TEST_PROXIES'] ?? '').split(':')

async function start(t: TestContext, program: string, args: string[], port: number): Promise<ChildProcess> {
  const child = spawn(program, args, { stdio: 'ignore' })
  t.after(() => child.kill())
  await waitUntil(async () => {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'close').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    return isOpen
  })
  return child
}

/** Returns its port, and a function that reads its log. */
async function startTinyproxy(t: TestContext): Promise<{ port: number; readLog: () => string; child: ChildProcess }> {
  const folder = makeTemporaryFolder(t)
  const [port, log] = [await closedPort(), join(folder, 'log')]
  const lines = [`Port ${port}`, 'Listen 127.0.0.1', 'Allow 127.0.0.1', 'BasicAuth tiny secret']
  writeFileSync(
    join(folder, 'conf'),
    [...lines, `LogFile "${log}"`, 'LogLevel Connect', 'MaxClients 50', ''].join('\n'),
  )
  const child = await start(t, tinyproxy, ['-d', '-c', join(folder, 'conf')], port)
  return { port, readLog: () => readFileSync(log, 'utf8'), child }
}

async function startMicrosocks(t: TestContext): Promise<number> {
  const port = await closedPort()
  await start(t, microsocks, ['-i', '127.0.0.1', '-p', String(port), '-u', 'sock', '-P', 'secret'], port)
  return port
}

async function serveSites(t: TestContext): Promise<string[]> {
  const page = (url = '') => (url === '/' ? '<a href="/1">1</a><a href="/2">2</a>' : 'page')
  const servers = [
    createServer(({ url }, response) => response.setHeader('content-type', 'text/html').end(page(url))),
    createSecureServer({ key: KEY, cert: TRUSTED }, ({ url }, response) =>
      response.setHeader('content-type', 'text/html').end(page(url)),
    ),
  ]
  for (const server of servers) {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => {
      server.closeAllConnections()
      server.close()
    })
  }
  return servers.map(
    (server, i) => `${i === 0 ? 'http' : 'https'}://localhost:${(server.address() as AddressInfo).port}/`,
  )
}

async function crawl(t: TestContext, seeds: string[], proxies: string[]): Promise<Record<string, number>> {
  const data = join(makeTemporaryFolder(t), 'data')
  const flags = ['--allow-private', '--insecure', '--delay', '50', '--json']
  const result = await runProgram([
    'crawl',
    ...seeds,
    '--data',
    data,
    ...flags,
    ...proxies.flatMap((each) => ['--proxy', each]),
  ])
  assert.equal(result.code, 0, result.stderr)
  return parseSummary(result).states
}

describe('a crawl through real proxies', () => {
  it('reaches http and https sites by HTTP', async (t) => {
    const { port, readLog } = await startTinyproxy(t)
    const states = await crawl(t, await serveSites(t), [`http://tiny:secret@127.0.0.1:${port}`])
    assert.equal(states['visited'], 6)
    assert.match(readLog(), /CONNECT localhost:\d+ HTTP\/1\.1/)
    assert.match(readLog(), /GET http:\/\/localhost:\d+\/1 HTTP\/1\.1/)
  })

  it('reaches http and https sites by SOCKS, with names resolved by either side', async (t) => {
    const port = await startMicrosocks(t)
    for (const scheme of ['socks5', 'socks5h']) {
      const states = await crawl(t, await serveSites(t), [`${scheme}://sock:secret@127.0.0.1:${port}`])
      assert.equal(states['visited'], 6, scheme)
    }
  })

  it('goes on with the others when one of them is killed', async (t) => {
    const [tiny, socks] = [await startTinyproxy(t), await startMicrosocks(t)]
    const seeds = await serveSites(t)
    const proxies = [`http://tiny:secret@127.0.0.1:${tiny.port}`, `socks5h://sock:secret@127.0.0.1:${socks}`]
    const crawling = crawl(t, seeds, proxies)
    await waitUntil(() => tiny.readLog().includes('GET'))
    tiny.child.kill('SIGKILL')
    const states = await crawling
    assert.deepEqual([states['visited'], states['failed'] ?? 0], [6, 0])
  })
})
