// Own fields and structured data: from the command line to the store, exports and the API of pages.

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { readZipEntries } from '../../src/engine/export/wacz/testing/read-zip-entries.ts'
import { serveHttpProxy } from '../../src/engine/fetch/testing/test-proxy.ts'
import { crawl } from '../../src/library/index.ts'
import { servePlainSite } from '../sites/plain-site.ts'
import { makeTemporaryFolder } from '../testing/program.ts'
import { runInProcess } from '../testing/run-in-process.ts'
import { crawlPlainSite } from './testing/plain-crawl.ts'

const PAGES: Record<string, string> = {
  '/': '<title>Shop</title><a href=/lamp>Lamp</a> <a href=/oil>Öl</a><meta property="og:title" content="Shop">',
  '/lamp':
    '<html lang=en><title>Lamp</title><h1>Lamp</h1><p class=price>$1,299.50</p><a class=maker href=/maker>M</a><script type="application/ld+json">{"@type":"Product"}</script>',
  '/oil':
    '<html lang=de><title>Öl</title><h1>Öl ü</h1><p class=price>1.299,50 €</p><i class=tag>a</i><i class=tag>b</i>',
  '/maker': '<title>M</title>',
}
const SCRIPT = { headers: { 'content-type': 'text/javascript' }, body: 'let a = 1' }
const RULES = [
  { name: 'heading', selector: 'h1', required: true },
  { name: 'price', selector: '.price', type: 'number' },
  { name: 'maker', selector: 'a.maker', type: 'url' },
  { name: 'tags', selector: '.tag', many: true },
] as const

interface Row {
  url: string
  fields: Record<string, unknown> | null
  structured_data: { json_ld: unknown[]; open_graph: Record<string, string[]> } | null
}

describe('extracted data', () => {
  it('is stored while crawling, printed by page and exported', async (t) => {
    const site = await servePlainSite(t, (path) => (path === '/app.js' ? SCRIPT : (PAGES[path] ?? null)))
    const rules = join(makeTemporaryFolder(t), 'rules.json')
    writeFileSync(rules, JSON.stringify(RULES))
    const flags = ['--delay', '0', '--ignore-robots', '--extract', rules, '--structured-data']
    const { data, summary } = await crawlPlainSite(t, site, flags)
    const run = async (expected: number, ...args: string[]) => {
      const { code, stdout, stderr } = await runInProcess([...args, '--data', data])
      assert.equal(code, expected, stderr)
      return stdout
    }
    const lines = (await run(0, 'export', summary.crawl_id)).trim().split('\n')
    const rows = new Map(lines.map((line) => [new URL(JSON.parse(line).url).pathname, JSON.parse(line) as Row]))
    assert.deepEqual(rows.get('/lamp')?.fields, {
      heading: 'Lamp',
      price: 1299.5,
      maker: `${site.origin}/maker`,
      tags: [],
    })
    assert.deepEqual(rows.get('/oil')?.fields, { heading: 'Öl ü', price: 1299.5, maker: null, tags: ['a', 'b'] })
    assert.deepEqual(rows.get('/lamp')?.structured_data?.json_ld, [{ '@type': 'Product' }])
    assert.deepEqual(rows.get('/')?.structured_data?.open_graph, { 'og:title': ['Shop'] })
    assert.equal(rows.get('/maker')?.structured_data, null)

    const printed = JSON.parse(await run(0, 'page', `${site.origin}/oil`, '--extracted')) as Row
    assert.deepEqual(printed.fields, rows.get('/oil')?.fields)
    assert.match(await run(0, 'page', `${site.origin}/maker`), /note +missing_fields: heading/)
    assert.match(await run(0, 'export', summary.crawl_id, '--format', 'csv'), /fields\.heading,fields\.price,.*\r\n/)

    const out = (name: string) => join(data, '..', name)
    await run(0, 'export', summary.crawl_id, '--format', 'sqlite', '--out', out('crawl.sqlite'))
    const db = new DatabaseSync(out('crawl.sqlite'), { readOnly: true })
    const prices = db.prepare('select price, tags from fields where heading is not null order by _url').all()
    db.close()
    assert.deepEqual(
      prices.map((row) => ({ ...row })),
      [
        { price: 1299.5, tags: '[]' },
        { price: 1299.5, tags: '["a","b"]' },
      ],
    )
    await run(0, 'export', summary.crawl_id, '--format', 'neo4j', '--out', out('crawl.zip'))
    assert.deepEqual(
      readZipEntries(readFileSync(out('crawl.zip'))).map(({ path }) => path),
      ['nodes.csv', 'relationships.csv'],
    )
    const edges = (await run(0, 'export', summary.crawl_id, '--format', 'edges')).trim().split('\n').sort()
    assert.deepEqual(edges, [
      `${site.origin}/\t${site.origin}/lamp`,
      `${site.origin}/\t${site.origin}/oil`,
      `${site.origin}/lamp\t${site.origin}/maker`,
    ])
    assert.match(await run(0, 'export', summary.crawl_id, '--format', 'cypher'), /LINKS_TO/)

    const archived = await run(0, 'extract', `${site.origin}/lamp`, '--rules', rules, '--archived')
    assert.match(archived, /^price \(1 element\)\n {2}1299\.5$/m)
    assert.match(await run(1, 'extract', `${site.origin}/maker`, '--rules', rules, '--archived'), /but required/)
    const now = await run(0, 'extract', `${site.origin}/lamp`, '--rules', rules, '--allow-private', '--json')
    const { fields } = JSON.parse(now) as { fields: { name: string; value: unknown }[] }
    assert.deepEqual(Object.fromEntries(fields.map(({ name, value }) => [name, value])), rows.get('/lamp')?.fields)
    const script = await runInProcess(['extract', `${site.origin}/app.js`, '--rules', rules, '--allow-private'])
    assert.match(script.stderr, /app\.js is not an HTML page but text\/javascript\.$/m)
    const file = out('page.html')
    writeFileSync(file, PAGES['/lamp'] ?? '')
    assert.match(await run(0, 'extract', file), /"@type": "Product"/)
  })

  it('is read from a page behind a proxy', async (t) => {
    const site = await servePlainSite(t, (path) => PAGES[path] ?? null)
    const proxy = await serveHttpProxy(t)
    const args = ['extract', `${site.origin}/lamp`, '--allow-private', '--proxy', `http://127.0.0.1:${proxy.port}`]
    const { code, stdout, stderr } = await runInProcess(args)
    assert.equal(code, 0, stderr)
    assert.match(stdout, /"@type": "Product"/)
    assert.equal(proxy.requests.length, 1)
  })

  it('comes from the DOM of a page that was rendered', async (t) => {
    const site = await servePlainSite(t, (path) =>
      path === '/'
        ? '<!doctype html><title>Shell</title><div id=root></div><script>document.getElementById("root").innerHTML = "<p class=price>7</p><script type=application/ld+json>{\\"@type\\":\\"Product\\"}<\\/script>"</script>'
        : null,
    )
    const rule = '{"name": "price", "selector": ".price", "type": "number"}'
    const flags = ['--render', 'all', '--delay', '0', '--ignore-robots', '--extract', rule, '--structured-data']
    const { data } = await crawlPlainSite(t, site, flags)
    const { stdout } = await runInProcess(['page', `${site.origin}/`, '--extracted', '--data', data])
    const { fields, structured_data } = JSON.parse(stdout) as Row
    assert.deepEqual([fields, structured_data?.json_ld], [{ price: 7 }, [{ '@type': 'Product' }]])
  })

  it('is part of the pages of the library; bad rules fail before the crawl', async (t) => {
    const site = await servePlainSite(t, (path) => PAGES[path] ?? null)
    const data = makeTemporaryFolder(t)
    const options = { data, delay: 0, ignoreRobots: true, allowPrivate: true, minFreeDisk: 0, extract: RULES }
    const prices = new Map<string, unknown>()
    for await (const page of crawl(site.origin, options))
      prices.set(new URL(page.url).pathname, (await page.data())?.fields?.['price'])
    assert.deepEqual([prices.get('/lamp'), prices.get('/oil'), prices.get('/')], [1299.5, 1299.5, null])
    assert.throws(() => crawl(site.origin, { ...options, extract: [{ name: 'x', selector: '::' }] }), /selector/)
    await assert.rejects(crawl(site.origin, { ...options, archive: 'none' }).run(), /leave out --archive none/)
  })
})
