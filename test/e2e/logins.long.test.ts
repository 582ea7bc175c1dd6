// Crawls from behind a login and a proxy: what servers receive, and that secrets stay out of every file but the store.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { unpackMembers } from '../../src/archive/warc/unpack-member.ts'
import { serveHttpProxy } from '../../src/engine/fetch/testing/test-proxy.ts'
import { openStore } from '../../src/library/index.ts'
import { packagedBrowser } from '../../src/render/testing/test-pool.ts'
import {
  makeTemporaryFolder,
  parseSummary,
  readServerAddress,
  runProgram,
  startProgram,
  waitForOutput,
} from '../testing/program.ts'
import { exportRows, runInProcess } from '../testing/run-in-process.ts'
import { waitUntil } from '../testing/wait-until.ts'

async function serve(t: TestContext, respond: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(respond)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const PAGES = 12
const links = Array.from({ length: PAGES }, (_, i) => `<a href="/${i}">${i}</a>`).join('')
const PLAIN = ['--allow-private', '--ignore-robots', '--delay', '0', '--json', '--threads', '1']

/** The bytes of all files below a folder, unpacked. */
function readAllFiles(folder: string): { name: string; bytes: Buffer }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => {
      const bytes = readFileSync(join(parentPath, name))
      if (!/\.warc(?:\.zst)?$/.test(name)) return { name, bytes }
      const members = unpackMembers(bytes)
      assert.ok(members !== null, name)
      return { name, bytes: Buffer.concat(members.map(({ data }) => data)) }
    })
}

function countCookies(data: string): number {
  const db = new DatabaseSync(join(data, 'store.db'), { readOnly: true })
  try {
    return Number(db.prepare('select count(*) as n from cookies').get()?.['n'])
  } finally {
    db.close()
  }
}

describe('a crawl from behind a login', () => {
  it('sends its credentials and cookies, and writes them to no file but the store', async (t) => {
    const [password, token, imported, issued, proxyPassword] = ['pw-4711', 'tk-4712', 'ck-4713', 'is-4714', 'px-4715']
    const secrets = [password, token, imported, issued, proxyPassword].flatMap((secret) => [
      secret,
      ...['me', 'px'].map((user) => Buffer.from(`${user}:${secret}`).toString('base64')),
    ])
    const seen: string[] = []
    const port = await serve(t, ({ url = '', headers }, response) => {
      seen.push(`${url} ${headers.authorization} ${headers.cookie ?? ''}`)
      response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': `session=${issued}; Path=/` })
      response.end(url === '/' ? links : 'page')
    })
    const other = await serve(t, ({ headers }, response) => {
      seen.push(`other ${headers.authorization} ${headers.cookie ?? ''}`)
      response.writeHead(200, { 'content-type': 'text/html' }).end('other')
    })
    const authorization = `Basic ${Buffer.from(`px:${proxyPassword}`).toString('base64')}`
    const proxy = await serveHttpProxy(t, { authorization })
    const folder = makeTemporaryFolder(t)
    const [data, cookies] = [join(folder, 'data'), join(folder, 'cookies.txt')]
    writeFileSync(
      cookies,
      `# Netscape HTTP Cookie File\n#HttpOnly_shop.test\tFALSE\t/\tFALSE\t0\tlogin\t${imported}\nbank.test\tFALSE\t/\tTRUE\t0\tlogin\tother-secret\n`,
    )
    const result = await runProgram(
      [
        'crawl',
        `http://me:${password}@shop.test:${port}/`,
        `http://api.test:${other}/`,
        ...['--data', data, '--cookies-from', cookies, '--archive-requests', 'masked'],
        ...['--auth', `http://api.test:${other}=bearer ${token}`],
        ...['--proxy', `http://px:${proxyPassword}@127.0.0.1:${proxy.port}`],
        ...PLAIN,
      ],
      { env: { ORBWEAVER_LOG_LEVEL: 'debug' } },
    )
    assert.equal(result.code, 0, result.stderr)
    const basic = `Basic ${Buffer.from(`me:${password}`).toString('base64')}`
    assert.equal(seen.filter((line) => line === `other Bearer ${token} `).length, 1)
    assert.ok(seen.includes(`/ ${basic} login=${imported}`))
    for (let i = 0; i < PAGES; i += 1)
      assert.ok(seen.includes(`/${i} ${basic} login=${imported}; session=${issued}`), `/${i} in ${seen}`)
    assert.equal(proxy.requests.length, PAGES + 2)

    const { crawl_id } = parseSummary(result)
    const proxies = (await exportRows(data, crawl_id)).map((row) => row.proxy)
    assert.deepEqual(new Set(proxies), new Set([`http://127.0.0.1:${proxy.port}`]))
    const opened = await openStore({ data })
    const { steps } = await (await opened.crawl(crawl_id)).explain(`http://shop.test:${port}/`)
    await opened.close()
    const went = steps.find(({ step }) => step === 'proxy')?.detail ?? ''
    assert.ok(went.endsWith(`Its last visit went through http://127.0.0.1:${proxy.port}.`), went)
    const exports = ['csv', 'jsonl', 'warc'].map((format) => join(folder, `export.${format}`))
    for (const file of exports) {
      const format = file.slice(file.lastIndexOf('.') + 1)
      const made = await runInProcess(['export', crawl_id, '--data', data, '--format', format, '--out', file])
      assert.equal(made.code, 0, made.stderr)
    }
    const files = readAllFiles(folder).filter(({ name }) => !/^store\.db|^cookies\.txt$/.test(name))
    const texts = [...files, { name: 'output', bytes: Buffer.from(result.stdout + result.stderr) }]
    assert.ok(texts.some(({ name, bytes }) => name.endsWith('.warc.zst') && bytes.includes('authorization: ***')))
    for (const { name, bytes } of texts)
      for (const secret of secrets) assert.ok(!bytes.includes(secret), `${name} contains ${secret}`)
    const store = Buffer.concat(readAllFiles(data).map(({ bytes }) => bytes))
    assert.ok(!store.includes('other-secret'), 'cookies of other sites are not read')
  })

  it('visits pages that redirect to themselves until their cookie comes back, without using up retries', async (t) => {
    const port = await serve(t, ({ url = '', headers }, response) => {
      if (headers.cookie !== 'seen=1') response.writeHead(302, { location: url, 'set-cookie': 'seen=1; Path=/' }).end()
      else response.writeHead(200, { 'content-type': 'text/html' }).end(url === '/' ? links : 'page')
    })
    const args = ['--data', join(makeTemporaryFolder(t), 'data'), '--cookies', 'on', '--retries', '0', ...PLAIN]
    const summary = parseSummary(await runProgram(['crawl', `http://127.0.0.1:${port}/`, ...args]))
    assert.equal(summary.states['visited'], PAGES + 1)
  })

  it('keeps its cookies when it is killed and resumed', async (t) => {
    const refused: string[] = []
    let visits = 0
    const port = await serve(t, ({ url = '', headers }, response) => {
      visits += 1
      if (url === '/') response.setHeader('set-cookie', 'sid=1')
      else if (headers.cookie !== 'sid=1') refused.push(url)
      response.writeHead(200, { 'content-type': 'text/html' }).end(url === '/' ? links : 'page')
    })
    const data = join(makeTemporaryFolder(t), 'data')
    const args = ['--data', data, '--cookies', 'on', ...PLAIN, '--delay', '1000']
    const crawl = startProgram(['crawl', `http://127.0.0.1:${port}/`, ...args])
    await waitUntil(() => visits >= 3 && countCookies(data) === 1)
    crawl.child.kill('SIGKILL')
    await crawl.ended
    const resumed = await runProgram(['resume', '--data', data, '--json'])
    assert.equal(resumed.code, 0, resumed.stderr)
    assert.ok(visits > PAGES)
    assert.deepEqual(refused, [])
  })

  it('renders pages with its cookies and its proxy, and keeps both from other sites', async (t) => {
    const seen: string[] = []
    const respond = (name: string) => (request: IncomingMessage, response: ServerResponse) => {
      const { url = '', headers } = request
      seen.push(`${name} ${url} ${headers.cookie ?? '-'} ${headers.authorization === undefined ? '-' : 'basic'}`)
      const type = url.endsWith('.js') ? 'text/javascript' : 'text/html'
      response.writeHead(200, { 'content-type': type, 'access-control-allow-origin': '*' })
      const script = `fetch('/data'); fetch('http://cdn.shop.test:${port}/lib'); fetch('http://evil.test:${port}/x')`
      response.end(url === '/' ? `<body><script>${script}</script>` : 'x')
    }
    const port: number = await serve(t, (request, response) =>
      respond(String(request.headers.host).replace(/:.*/, ''))(request, response),
    )
    const proxy = await serveHttpProxy(t)
    const data = join(makeTemporaryFolder(t), 'data')
    const result = await runProgram(
      [
        ...['crawl', `http://shop.test:${port}/`, '--data', data, '--render', 'all', ...PLAIN],
        ...['--cookie', 'sid=1; Domain=shop.test', '--cookie', 'their=2; Domain=evil.test'],
        ...['--auth', `http://evil.test:${port}=u:p`, '--proxy', `http://127.0.0.1:${proxy.port}`],
      ],
      { env: { ORBWEAVER_BROWSER: (await packagedBrowser()).path } },
    )
    assert.equal(result.code, 0, result.stderr)
    assert.deepEqual(seen.sort(), [
      'cdn.shop.test /lib sid=1 -',
      'evil.test /x - -',
      'shop.test / sid=1 -',
      'shop.test /data sid=1 -',
    ])
    assert.equal(proxy.requests.length, 4)
  })

  it('ends with an error and loses nothing if its proxy does not work', async (t) => {
    const port = await serve(t, (_, response) => response.end('page'))
    const proxy = await serveHttpProxy(t, { authorization: 'Basic other' })
    const data = join(makeTemporaryFolder(t), 'data')
    const url = `http://shop.test:${port}/`
    const failed = await runProgram(['crawl', url, '--data', data, ...PLAIN, '--proxy', 'env'], {
      env: { HTTP_PROXY: `http://me:wrong@127.0.0.1:${proxy.port}` },
    })
    assert.equal(failed.code, 1)
    assert.match(failed.stderr, /The proxy http:\/\/127\.0\.0\.1:\d+ does not work: it rejects the user or password\./)
    assert.doesNotMatch(failed.stderr, /wrong/)
    const working = await serveHttpProxy(t)
    const resumed = await runProgram(['resume', '--data', data, '--json'], {
      env: { HTTP_PROXY: `http://127.0.0.1:${working.port}` },
    })
    assert.equal(resumed.code, 0, resumed.stderr)
    assert.ok(working.requests.includes(`GET ${url}`))
  })
})

it('a proxy that has never worked is named as what a crawl of a server waits for, and tried again', async (t) => {
  const data = join(makeTemporaryFolder(t), 'data')
  const server = startProgram(['start', '--port', '0', '--data', data, '--health-port', '0'])
  t.after(() => server.child.kill('SIGKILL'))
  const address = await readServerAddress(server)
  const body = JSON.stringify({ url: 'http://a.test/', settings: { proxy: ['http://127.0.0.1:1'] } })
  const headers = { 'content-type': 'application/json' }
  const created = await fetch(`${address}/api/v1/crawls`, { method: 'POST', headers, body })
  const { crawl_id } = (await created.json()) as { crawl_id: string }
  // The fifth failure: a crawl in the foreground ends with the fourth.
  await waitForOutput(server, /again_in_ms=16000/)
  const bottleneck = await fetch(`${address}/api/v1/crawls/${crawl_id}/bottleneck`)
  assert.match(await bottleneck.text(), /"cause":"proxy"/)
})
