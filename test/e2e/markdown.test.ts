// Markdown of archived pages from the command line.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { readZipEntries } from '../../src/engine/export/wacz/testing/read-zip-entries.ts'
import { type PlainResponse, servePlainSite } from '../sites/plain-site.ts'
import { runInProcess } from '../testing/run-in-process.ts'
import { crawlPlainSite } from './testing/plain-crawl.ts'

const PAGES: Record<string, string> = {
  '/': '<title>Home</title><nav><a href=/guide/>Guide</a></nav><main><h1>Home</h1><p>Read the <a href="/guide/#b">guide</a>, or <a href="/guide#b">this</a>.<p>There is also a <a href=/plan.png>plan</a> of it, and some <a href=/gallery>pictures</a> of the house.</main>',
  '/gallery': '<img src=plan.png>',
  '/guide/':
    '<html lang=en><title>Guide</title><main><h1>Guide</h1><p>First.</p><h2 id=b>Build</h2><pre class=language-sh>make</pre><p>\u001b[31mRed</p></main>',
}

interface ExportedChunk {
  page_id: number
  source_url: string
  headings: string[]
}

const RESPONSES: Record<string, PlainResponse> = {
  '/plan.png': { headers: { 'content-type': 'image/png' }, body: Buffer.from('89504e470d0a1a0a0000', 'hex') },
  '/guide': { status: 301, headers: { location: '/guide/' } },
}

describe('Markdown', () => {
  it('is printed by page, and exported as files and chunks', async (t) => {
    const site = await servePlainSite(t, (path) => RESPONSES[path] ?? PAGES[path] ?? null)
    const { data, summary } = await crawlPlainSite(t, site, ['--delay', '0', '--ignore-robots'])
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await runInProcess([...args, '--data', data])
      assert.equal(code, 0, stderr)
      return stdout
    }
    const guide = '# Guide\n\nFirst.\n\n## Build\n\n```sh\nmake\n```\n\n'
    const printed = await run('page', `${site.origin}/guide/`, '--markdown')
    assert.ok(printed.startsWith(guide), printed)
    assert.ok(!printed.includes('\u001b'))
    const lines = (await run('export', summary.crawl_id, '--format', 'chunks.jsonl')).trim().split('\n')
    const chunks = lines.map((line) => JSON.parse(line) as ExportedChunk)
    const build = chunks.find(({ headings }) => headings.at(-1) === 'Build')
    assert.deepEqual(build?.headings, ['Guide', 'Build'])
    assert.equal(build?.source_url, `${site.origin}/guide/#b`)
    assert.equal(await run('page', String(build?.page_id), '--markdown'), printed)
    const out = join(data, '..', 'site.zip')
    const exported = await runInProcess([
      ...['export', summary.crawl_id, '--format', 'markdown', '--out', out],
      ...['--data', data],
    ])
    assert.match(exported.stderr, /^Wrote 3 pages \(/)
    const host = new URL(site.origin).host.replace(':', '_')
    const files = new Map(readZipEntries(readFileSync(out)).map(({ path, bytes }) => [path, bytes.toString()]))
    assert.deepEqual([...files.keys()].sort(), [`${host}/gallery.md`, `${host}/guide/index.md`, `${host}/index.md`])
    assert.match(
      files.get(`${host}/index.md`) ?? '',
      /^---\nurl: "http.*"\ntitle: "Home"\nlang: null\nfetched: ".*Z"\nhash: "/,
    )
    assert.match(
      files.get(`${host}/index.md`) ?? '',
      /# Home\n\nRead the \[guide\]\(guide\/index\.md#b\), or \[this\]\(guide\/index\.md#b\)\.\n/,
    )
    assert.ok(
      files
        .get(`${host}/index.md`)
        ?.endsWith(`a [plan](${site.origin}/plan.png) of it, and some [pictures](gallery.md) of the house.\n`),
    )
  })
})
