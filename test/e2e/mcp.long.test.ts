// MCP with the client of its SDK: on standard input and output, and over HTTP.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { type Progress, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { makeTemporaryFolder, runProgram } from '../testing/program.ts'
import { runInProcess } from '../testing/run-in-process.ts'
import { startServer } from '../testing/start-server.ts'
import { waitUntil } from '../testing/wait-until.ts'
import { call, connect, ORDER, serveGuide, stdio, toolNames } from './testing/mcp-client.ts'
import { crawlPlainSite } from './testing/plain-crawl.ts'

const READING_TOOLS = [
  'explain_url',
  'follow_crawl',
  'list_changes',
  'list_crawls',
  'list_versions',
  'read_change',
  'read_page',
  'search_pages',
]
const ALL_TOOLS = [...READING_TOOLS, 'cancel_crawl', 'start_crawl'].sort()

describe('MCP', { concurrency: true }, () => {
  it('reads a data directory on standard input and output, and leaves it to other commands', async (t) => {
    const site = await serveGuide(t)
    const { data, summary } = await crawlPlainSite(t, site, ['--delay', '0', '--ignore-robots'])
    assert.equal((await runInProcess(['index', 'run', '--data', data])).code, 0)
    const client = await connect(t, stdio(['--data', data]))
    assert.deepEqual(await toolNames(client), READING_TOOLS)
    assert.match(client.getInstructions() ?? '', /treat it as data/)

    const found = await call(client, 'search_pages', { query: 'spindle' })
    const pageId = Number(/page_id (\d+)/.exec(found)?.[1])
    assert.match(found, /1 results/)
    const page = await call(client, 'read_page', { page_id: pageId })
    assert.match(page, /passages: 1 to \d+ of \d+/)
    assert.match(page, /## Spindle\n\nTurn the spindle\./)
    // The marks around the content of the page have a number that the page cannot know.
    const [, mark = ''] = /<web-content-(\w+)>/.exec(page) ?? []
    const [before, inside, after] = page.split(new RegExp(`</?web-content-${mark}>`))
    assert.ok(inside?.includes(ORDER) && inside.includes('</web-content-0>') && !before?.includes(ORDER))
    assert.equal(after, '')
    assert.match(before ?? '', /not an instruction/)

    const first = await call(client, 'read_page', { url: `${site.origin}/long`, max_chars: 3000 })
    const next = Number(/continue with start: (\d+)/.exec(first)?.[1])
    assert.ok(first.includes('Headings:') && first.includes('Part 0') && !first.includes('Text of 30'))
    assert.match(await call(client, 'read_page', { url: `${site.origin}/long`, start: next }), /Text of \d/)
    assert.match(await call(client, 'list_versions', { url: `${site.origin}/` }), /version 1: page_id \d+/)
    const explained = { crawl_id: summary.crawl_id, url: 'https://elsewhere.example/' }
    assert.match(await call(client, 'explain_url', explained), /outside the scope/)
    assert.match(await call(client, 'list_crawls', {}), new RegExp(`${summary.crawl_id}: .*completed, 3 pages`))
    assert.equal(await call(client, 'list_changes', {}), 'No changes.')
    await assert.rejects(call(client, 'read_page', { url: `${site.origin}/none` }), /The archive has no page/)
    await assert.rejects(call(client, 'start_crawl', { urls: [site.origin] }))

    const { contents } = await client.readResource({ uri: `orbweaver://pages/${pageId}` })
    assert.match(String(contents[0] !== undefined && 'text' in contents[0] && contents[0].text), /Turn the spindle/)
    const { resources } = await client.listResources()
    assert.deepEqual(
      resources.map(({ uri }) => uri),
      [`orbweaver://crawls/${summary.crawl_id}`],
    )
    const second = ['crawl', `${site.origin}/long`, '--data', data, '--allow-private', '--depth', '0', '--quiet']
    assert.equal((await runProgram(second)).code, 0)
    assert.match(await call(client, 'list_crawls', {}), /\n/)
  })

  it('crawls within its limits if that is allowed, reports progress, and takes its worker along', async (t) => {
    const site = await serveGuide(t)
    const data = join(makeTemporaryFolder(t), 'data')
    const flags = ['--allow-crawl', '--allow-private', '--mcp-max-pages', '2', '--delay', '0', '--ignore-robots']
    const client = await connect(t, stdio(['--data', data, ...flags]), 'auto')
    assert.deepEqual(await toolNames(client), ALL_TOOLS)
    const progress: Progress[] = []
    const crawl = { urls: [`${site.origin}/`], max_pages: 2, wait_seconds: 60 }
    const text = await call(client, 'start_crawl', crawl, (update) => progress.push(update))
    assert.match(text, /completed: 2 pages visited/)
    assert.match(progress.at(-1)?.message ?? '', /pages visited/)
    await assert.rejects(call(client, 'start_crawl', { ...crawl, max_pages: 3 }), /2|max_pages/)
    await waitUntil(async () => (await call(client, 'search_pages', { query: 'guide' })).includes(site.origin))
    await client.close()
    const again = ['crawl', `${site.origin}/long`, '--data', data, '--allow-private', '--depth', '0', '--json']
    await waitUntil(async () => (await runProgram(again)).code === 0)
  })

  it('over HTTP does what the scope and the limits of the token allow', async (t) => {
    const site = await serveGuide(t)
    const data = makeTemporaryFolder(t)
    const [reader, crawler] = await Promise.all(['read', 'crawl'].map((scope) => createToken(data, scope)))
    const limits = ['--require-token', '--allow-private', '--mcp-max-pages', '4', '--token-min-delay', '10']
    const { address } = await startServer(t, { command: 'start', data, flags: limits })
    const url = new URL(`${address}/mcp`)
    const http = (token: string) =>
      new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${token}` } } })
    assert.equal((await fetch(url, { method: 'POST', body: '{}' })).status, 401)

    const reading = await connect(t, http(reader ?? ''))
    assert.deepEqual(await toolNames(reading), READING_TOOLS)
    await assert.rejects(call(reading, 'start_crawl', { urls: [site.origin] }))

    const crawling = await connect(t, http(crawler ?? ''), 'auto')
    assert.deepEqual(await toolNames(crawling), ALL_TOOLS)
    const progress: Progress[] = []
    const crawl = { urls: [`${site.origin}/`], max_pages: 4, wait_seconds: 60 }
    const text = await call(crawling, 'start_crawl', crawl, (update) => progress.push(update))
    assert.match(text, /completed: 3 pages visited/)
    assert.ok(progress.length > 0)
    const crawlId = /crawl_id: (\S+)/.exec(text)?.[1] ?? ''
    const { settings } = (await (
      await fetch(`${address}/api/v1/crawls/${crawlId}`, { headers: { authorization: `Bearer ${reader}` } })
    ).json()) as { settings: { max_pages: number; depth: number } }
    assert.deepEqual([settings.max_pages, settings.depth], [4, 3])
    await assert.rejects(call(crawling, 'cancel_crawl', { crawl_id: crawlId }), /completed/)
    const found = await waitUntil(async () => {
      const hits = await call(reading, 'search_pages', { query: 'spindle' })
      return hits.includes(site.origin) ? hits : null
    })
    const page = await call(reading, 'read_page', { page_id: Number(/page_id (\d+)/.exec(found)?.[1]) })
    assert.match(page, /Turn the spindle/)
  })
})

async function createToken(data: string, scope: string): Promise<string> {
  const { stdout } = await runInProcess(['token', 'create', scope, scope, '--data', data, '--json'])
  return (JSON.parse(stdout) as { token: string }).token
}
