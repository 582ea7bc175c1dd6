import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { servePlainSite } from '../sites/plain-site.ts'
import { makeTemporaryFolder, runProgram, startProgram } from '../testing/program.ts'
import { outputInProcess } from '../testing/run-in-process.ts'
import { startServer } from '../testing/start-server.ts'
import { waitUntil } from '../testing/wait-until.ts'
import { renderSearchSitePage } from './testing/search-site.ts'

const PAGES = 60
/** On most machines the index is written within the first second. */
const KILL_TIMES_MS = [250, 350, 450, 550, 650]

interface SearchResponse {
  results: { url: string; title: string; snippet: string; page_id: number; score: number; version: number }[]
  total: number
  note: string | null
  did_you_mean: string | null
}

async function crawled(t: TestContext, pages = PAGES) {
  const site = await servePlainSite(t, (path) => renderSearchSitePage(path, pages))
  const data = makeTemporaryFolder(t)
  const crawl = async () => {
    const args = [
      'crawl',
      `${site.origin}/`,
      '--data',
      data,
      '--allow-private',
      '--delay',
      '0',
      '--per-host',
      '8',
      '--quiet',
    ]
    assert.equal((await runProgram(args)).code, 0)
  }
  await crawl()
  return { site, data, crawl }
}

async function programOutput(args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runProgram(args)
  assert.equal(code, 0, stderr)
  return stdout
}

async function search(data: string, words: string, read = outputInProcess): Promise<SearchResponse> {
  return JSON.parse(await read(['search', words, '--data', data, '--json'])) as SearchResponse
}

const pathsOf = ({ results }: SearchResponse) => results.map(({ url }) => new URL(url).pathname)

describe('search on one machine', () => {
  it('finds crawled pages once they are indexed, none with noindex, and shows their markup as text', async (t) => {
    const { data } = await crawled(t)
    const off = await runProgram(['search', 'apple', '--data', data])
    assert.deepEqual([off.code, /index run/.test(off.stderr)], [1, true])
    await programOutput(['index', 'run', '--data', data])
    assert.deepEqual(pathsOf(await search(data, 'uniq17x', programOutput)), ['/tree/17'])
    assert.deepEqual(pathsOf(await search(data, 'title:quince "bears the mark uniq14x"')), ['/tree/14'])
    assert.equal((await search(data, 'watered gardener')).total, PAGES)
    assert.deepEqual(pathsOf(await search(data, 'hedgehog')), [])
    assert.equal((await search(data, 'waterign')).did_you_mean, 'watering')
    assert.match((await search(data, 'uniq3x )')).note ?? '', /plain words/)
    assert.match(await programOutput(['index', 'verify', '--data', data]), /is complete: 62 pages indexed, 2 skipped/)
    // Markup in pages is shown as text.
    const [hit] = (await search(data, 'toadstool')).results
    assert.equal(hit?.title, '<script>alert(1)</script> toadstool')
    assert.match(hit?.snippet ?? '', /<img src=x onerror=alert\(2\)> A toadstool\./)
  })

  it('has the newest version of a page, and continues where it was', async (t) => {
    const { data, crawl } = await crawled(t, 5)
    await runIndex(data)
    const [first] = (await search(data, 'uniq3x')).results
    assert.deepEqual(JSON.parse(await programOutput(['index', 'run', '--data', data, '--json'])).indexed, 0)
    await crawl()
    await runIndex(data)
    const [second] = (await search(data, 'uniq3x')).results
    assert.deepEqual([first?.version, second?.version], [1, 2])
    assert.match(await outputInProcess(['index', 'verify', '--data', data]), /is complete: 7 pages/)
  })

  it('has the same results after a rebuild as when updated page by page with kills', async (t) => {
    const { data } = await crawled(t, 200)
    for (const killAfterMs of KILL_TIMES_MS) {
      const program = startProgram(['index', 'run', '--data', data])
      await Promise.race([sleep(killAfterMs), program.ended])
      program.child.kill('SIGKILL')
      const { signal } = await program.ended
      t.diagnostic(`after ${killAfterMs} ms: ${signal ?? 'it had ended'}`)
    }
    await runIndex(data)
    assert.match(await outputInProcess(['index', 'verify', '--data', data]), /is complete: 202 pages/)
    const queries = ['uniq150x', 'garden', 'title:apple', 'watering birds', '"the plum tree"']
    const found = async () => Promise.all(queries.map(async (query) => keyOf(await search(data, query))))
    const before = await found()
    await programOutput(['index', 'rebuild', '--data', data, '--quiet'])
    assert.deepEqual(await found(), before)
  })
})

function keyOf({ results, total }: SearchResponse) {
  return { total, pages: results.map(({ page_id, score }) => [page_id, Math.round(score * 1e6)]) }
}

async function runIndex(data: string): Promise<void> {
  await outputInProcess(['index', 'run', '--data', data, '--quiet'])
}

describe('a server with the indexer role', () => {
  it('indexes while it crawls and serves searches over HTTP', async (t) => {
    const site = await servePlainSite(t, (path) => renderSearchSitePage(path, 30))
    const { address } = await startServer(t)
    const settings = { allow_private: true, delay: 0, per_host: 8 }
    const created = await fetch(`${address}/api/v1/crawls`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: `${site.origin}/`, settings }),
    })
    assert.equal(created.status, 201, await created.clone().text())
    const get = async (path: string) =>
      (await fetch(`${address}/api/v1/${path}`)).json() as Promise<Record<string, unknown>>
    await waitUntil(async () => Number((await get('index'))['documents']) >= 32, { pollMs: 100 })
    const response = (await get('search?q=uniq7x&explain=true&facets=true')) as unknown as SearchResponse & {
      facets: object
    }
    assert.deepEqual(pathsOf(response), ['/tree/7'])
    assert.deepEqual(Object.keys(response.facets), ['host', 'lang', 'type', 'date'])
    const term = await get('index/terms/uniq7x')
    assert.equal(term['document_frequency'], 1)
    assert.equal((await fetch(`${address}/api/v1/index/terms/nosuchword`)).status, 404)
    const { suggestions } = await get('search/suggest?q=quin')
    assert.ok((suggestions as { text: string }[]).some(({ text }) => text === 'quince'))
    const pages: string[] = []
    for (let cursor = ''; ; ) {
      const page = (await get(`search?q=watering&fold=false&limit=12${cursor}`)) as unknown as SearchResponse & {
        next_cursor: string | null
      }
      pages.push(...pathsOf(page))
      if (page.next_cursor === null) break
      cursor = `&cursor=${page.next_cursor}`
    }
    assert.equal(new Set(pages).size, 30)
    assert.equal((await fetch(`${address}/api/v1/search?q=x&cursor=nonsense`)).status, 400)
  })
})
