// Crawls a site of nginx over HTTP/2. After a thousand requests nginx ends a connection, while others are in flight.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { KEY, TRUSTED } from '../../../src/engine/fetch/testing/certificates.ts'
import { closedPort } from '../../../src/engine/fetch/testing/test-client.ts'
import { makeTemporaryFolder, parseSummary, runProgram } from '../../testing/program.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { isListening } from './is-listening.ts'

const PAGES = 3500
const LINKS = 10

/** A tree of pages; the links of each are the next ones. */
function writeSite(folder: string): void {
  mkdirSync(folder)
  for (let i = 0; i < PAGES; i++) {
    const links = Array.from({ length: LINKS }, (_, j) => i * LINKS + j + 1)
      .filter((page) => page < PAGES)
      .map((page) => `<a href="${page}.html">Tree ${page}</a>`)
    writeFileSync(join(folder, `${i}.html`), `<title>Tree ${i}</title>${links.join(' ')}`)
  }
  writeFileSync(join(folder, 'robots.txt'), '')
}

async function startNginx(t: TestContext): Promise<{ port: number; readLog: () => string[] }> {
  const folder = makeTemporaryFolder(t)
  chmodSync(folder, 0o755)
  const site = join(folder, 'site')
  writeSite(site)
  writeFileSync(join(folder, 'key.pem'), KEY)
  writeFileSync(join(folder, 'cert.pem'), TRUSTED)
  const port = await closedPort()
  const log = join(folder, 'access.log')
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/t;`)
  const config = `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; user ${userInfo().username};
events {} http { types { text/html html; text/plain txt; } ${paths.join(' ')}
log_format short '$server_protocol $status $uri $connection'; access_log ${log} short;
server { listen 127.0.0.1:${port} ssl http2; root ${site};
ssl_certificate ${folder}/cert.pem; ssl_certificate_key ${folder}/key.pem; } }`
  writeFileSync(join(folder, 'nginx.conf'), config)
  const child = spawn(process.env['TEST_NGINX'] ?? '', ['-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
  t.after(async () => {
    child.kill()
    await once(child, 'exit')
  })
  await waitUntil(() => isListening(port))
  return { port, readLog: () => readFileSync(log, 'utf8').trim().split('\n') }
}

describe('a site of nginx over HTTP/2', () => {
  it('is crawled exactly, over few connections', async (t) => {
    const { port, readLog } = await startNginx(t)
    const data = join(makeTemporaryFolder(t), 'data')
    const flags = ['--allow-private', '--insecure', '--delay', '0', '--per-host', '16', '--archive', 'none', '--json']
    const start = `https://127.0.0.1:${port}/0.html`
    const result = await runProgram(['crawl', start, '--data', data, '--min-free-disk', '0', '--no-sitemaps', ...flags])
    assert.equal(result.code, 0, result.stderr)
    assert.equal(parseSummary(result).states['visited'], PAGES)
    const requests = readLog().map((line) => line.split(' '))
    const pages = requests.filter(([, , uri]) => uri !== '/robots.txt')
    t.diagnostic(
      `${pages.length} requests over ${new Set(requests.map(([, , , connection]) => connection)).size} connections`,
    )
    assert.deepEqual(new Set(requests.map(([protocol, status]) => `${protocol} ${status}`)), new Set(['HTTP/2.0 200']))
    assert.deepEqual([pages.length, new Set(pages.map(([, , uri]) => uri)).size], [PAGES, PAGES])
  })
})
