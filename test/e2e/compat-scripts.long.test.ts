// The operator scripts with a real server.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startTestApi, type TestApi } from '../../src/api/testing/test-api.ts'
import { servePlainSite } from '../sites/plain-site.ts'
import { runCrawlToEnd } from './testing/json-api.ts'

interface Ended {
  code: number | string | null
  stdout: string
  stderr: string
}

let api: TestApi
let folder: string

before(async () => {
  process.env['FETCH_MIN_GAP_PER_HOST_MS'] = '0'
  api = await startTestApi(['--allow-private'])
  folder = mkdtempSync(join(tmpdir(), 'orbweaver-scripts-'))
})
after(async () => {
  await api.close()
  rmSync(folder, { recursive: true })
})

function run(script: string, ...args: string[]): Promise<Ended> {
  const file = fileURLToPath(new URL(`../../scripts/${script}.ts`, import.meta.url))
  const env = { ...process.env, CRAWLER_API: api.address, NODE_NO_WARNINGS: '1' }
  return new Promise((resolve) => {
    execFile(process.execPath, [file, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : (error.code ?? null), stdout, stderr })
    })
  })
}

function save(name: string, urls: string[]): string {
  const path = join(folder, name)
  writeFileSync(path, JSON.stringify({ urls: urls.map((normalized_url) => ({ normalized_url })) }))
  return path
}

describe('scripts', () => {
  it('start a run, print its summary and recently visited URLs', async (t) => {
    const { origin } = await servePlainSite(t, (path) => (path === '/' ? '<a href="/a">a</a>' : 'a'))
    const started = await run('crawl-start', `${origin}/`)
    assert.equal(started.code, 0, started.stderr)
    const { id, status } = JSON.parse(started.stdout) as { id: string; status: string }
    assert.equal(status, 'RUNNING')
    await runCrawlToEnd(api, id)
    const summary = JSON.parse((await run('crawl-summary', id)).stdout) as { totals: { visited: number } }
    assert.equal(summary.totals.visited, 2)
    const sample = JSON.parse((await run('crawl-visited-sample', id, '1')).stdout) as { urls: { status: string }[] }
    assert.deepEqual(
      sample.urls.map((url) => url.status),
      ['VISITED'],
    )
  })

  it('exit with 1 and the reason if the API rejects the request, and with 2 on wrong usage', async () => {
    const refused = await run('crawl-summary', 'nobody')
    assert.deepEqual([refused.code, refused.stdout], [1, ''])
    assert.match(refused.stderr, /nobody/)
    assert.equal((await run('crawl-start')).code, 2)
    assert.equal((await run('compare-crawl-exports', 'a.json')).code, 2)
  })

  it('compare exports, and exit with 1 if they differ', async () => {
    const a = save('a.json', ['http://a.test/', 'http://a.test/b'])
    const same = save('same.json', ['http://a.test/b', 'http://a.test/'])
    const other = save('other.json', ['http://a.test/', 'http://a.test/c'])
    assert.equal((await run('compare-crawl-exports', a, same)).code, 0)
    const differs = await run('compare-crawl-exports', a, other)
    assert.equal(differs.code, 1)
    assert.match(
      differs.stdout,
      /only in the first: 1\n {2}http:\/\/a\.test\/b\nonly in the second: 1\n {2}http:\/\/a\.test\/c/,
    )
    assert.equal((await run('compare-crawl-exports', a, join(folder, 'missing.json'))).code, 2)
  })
})
