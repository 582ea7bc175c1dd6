// Archived data of a crawl and how it is read back, with the real program.

import assert from 'node:assert/strict'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { readWithWarcio } from '../../src/archive/testing/read-with-warcio.ts'
import { servePlainSite } from '../sites/plain-site.ts'
import { runProgram } from '../testing/program.ts'
import { crawlPlainSite } from './testing/plain-crawl.ts'

const FAST = ['--delay', '0', '--ignore-robots', '--cooldown', '0', '--no-traps']

async function show(args: string[], data: string): Promise<string> {
  const { code, stdout, stderr } = await runProgram([...args, '--data', data])
  assert.equal(code, 0, stderr)
  return stdout
}

describe('the archive', () => {
  it('contains every response as received, and shows it in every form', async (t) => {
    const home = '<html lang="de"><title>Home</title><p>Guten Tag</p><a href="/img">Ein Bild</a><a href="/gone">x</a>'
    const image = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255, 254, 13, 10])
    const site = await servePlainSite(t, (path) => {
      if (path === '/') return { headers: { 'content-encoding': 'gzip', 'x-two': ['a', 'b'] }, body: gzipSync(home) }
      return path === '/img' ? { headers: { 'content-type': 'image/png' }, body: image } : null
    })
    const { data, summary } = await crawlPlainSite(t, site, FAST)
    assert.equal(await show(['page', `${site.origin}/`, '--raw'], data), home)
    assert.equal(await show(['page', `${site.origin}/`, '--text'], data), 'Guten Tag\nEin Bildx\n')
    const record = JSON.parse(await show(['page', `${site.origin}/`, '--json'], data))
    assert.deepEqual([record.http_status, record.metadata.title, record.headers['x-two']], [200, 'Home', 'a, b'])
    assert.deepEqual(record.links[0], { url: `${site.origin}/img`, anchor_text: 'Ein Bild', rel: '' })
    assert.equal(gunzipSync(Buffer.from(record.html_content, 'base64')).toString(), home)
    assert.match(await show(['page', `${site.origin}/gone`], data), /status +404/)
    assert.match(await show(['archive', 'verify'], data), /^4 records in 1 segment.*\nEvery record can be read/)
    const records = await readWithWarcio(join(data, 'archive'))
    assert.deepEqual(
      records.flatMap(({ problems }) => problems),
      [],
    )
    const archived = records.find(({ url }) => url === `${site.origin}/img`)
    assert.ok(archived?.block.subarray(-image.length).equals(image))
    const lines = (await show(['export', summary.crawl_id, '--format', 'pages.jsonl'], data)).trim().split('\n')
    assert.equal(lines.length, 3)
  })

  it('stores the same bytes once across all crawls and codecs, and distinguishes versions', async (t) => {
    let round = 1
    const site = await servePlainSite(t, (path) =>
      path === '/' ? `<p>Round ${round}</p><a href="/same">x</a>` : `<p>always the same</p>${'x'.repeat(2000)}`,
    )
    const first = await crawlPlainSite(t, site, [...FAST, '--archive-codec', 'gzip'])
    round = 2
    const again = await show(['crawl', `${site.origin}/`, '--allow-private', '--json', ...FAST], first.data)
    const segments = readdirSync(join(first.data, 'archive')).filter((name) => name.includes('.warc.'))
    assert.deepEqual(segments.map((name) => name.replace(/.*\.warc\./, '')).sort(), ['gz', 'zst'])
    const history = await show(['history', `${site.origin}/`], first.data)
    assert.match(history, /^1 .* first version\n2 .* changed\n {3}- Round 1\n {3}\+ Round 2\n$/)
    assert.match(await show(['history', `${site.origin}/same`], first.data), /first version\n2 .* unchanged\n$/)
    assert.equal(await show(['page', `${site.origin}/`, '--version', '1', '--text'], first.data), 'Round 1\nx\n')
    // Segments of the same second are in no particular order.
    const types = (await readWithWarcio(join(first.data, 'archive'))).map(({ type }) => type).sort()
    assert.deepEqual(types, ['response', 'response', 'response', 'revisit', 'warcinfo', 'warcinfo'])
    await show(['archive', 'verify'], first.data)
    const folder = join(first.data, 'exported')
    mkdirSync(folder)
    const { crawl_id } = JSON.parse(again.trim().split('\n').at(-1) ?? '')
    await show(['export', crawl_id, '--format', 'warc', '--out', join(folder, 'x.warc.gz')], first.data)
    assert.deepEqual(
      (await readWithWarcio(folder)).map(({ type, problems }) => [type, problems]),
      ['warcinfo', 'response', 'response', 'revisit'].map((type) => [type, []]),
    )
  })

  it('stores requests on demand, and secrets in them only if that is requested too', async (t) => {
    const site = await servePlainSite(t, (path) => (path === '/' ? '<a href="/a">a</a>' : '<p>a'))
    const secret = ['--header', 'X-Key: top secret', '--header', 'Authorization: Bearer abc']
    const plain = await crawlPlainSite(t, site, [...FAST, ...secret])
    assert.ok(!(await readWithWarcio(join(plain.data, 'archive'))).some(({ type }) => type === 'request'))
    const keeping = async (mode: string) => {
      const { data, summary } = await crawlPlainSite(t, site, [...FAST, ...secret, '--archive-requests', mode])
      assert.match(await show(['archive', 'verify'], data), /^3 records in 1 segment.*\nEvery record can be read/)
      assert.equal(await show(['page', `${site.origin}/a`, '--text'], data), 'a\n')
      const folder = join(data, 'exported')
      mkdirSync(folder)
      const flags = ['--data', data, '--format', 'warc', '--out', join(folder, 'x.warc.gz')]
      assert.match((await runProgram(['export', summary.crawl_id, ...flags])).stderr, /^Wrote 5 records \(/)
      const exported = await readWithWarcio(folder)
      const records = await readWithWarcio(join(data, 'archive'))
      for (const list of [exported, records]) {
        assert.deepEqual(
          list.map(({ type, problems }) => [type, problems]),
          ['warcinfo', 'response', 'request', 'response', 'request'].map((type) => [type, []]),
        )
      }
      return String(records[4]?.block)
    }
    const masked = await keeping('masked')
    assert.match(masked, /^GET \/a HTTP\/1\.1\r\nhost: 127\.0\.0\.1:\d+\r\n/)
    assert.match(masked, /x-key: \*\*\*\r\nauthorization: \*\*\*\r\n\r\n$/)
    assert.match(await keeping('full'), /x-key: top secret\r\nauthorization: Bearer abc\r\n\r\n$/)
  })

  it('stores only what is selected', async (t) => {
    const site = await servePlainSite(t, (path) => {
      if (path === '/') return '<a href="/a">a</a><a href="/b">b</a><a href="/c">c</a>'
      return path === '/a' ? { headers: { 'content-type': 'text/plain' }, body: 'text' } : `<p>${'b'.repeat(500)}`
    })
    const none = await crawlPlainSite(t, site, [...FAST, '--archive', 'none'])
    assert.ok(!readdirSync(none.data).includes('archive'))
    const some = await crawlPlainSite(t, site, [...FAST, '--archive', 'html', '--archive-exclude', '/c$'])
    const urls = (await readWithWarcio(join(some.data, 'archive'))).flatMap(({ url }) => url ?? [])
    assert.deepEqual(urls.sort(), [`${site.origin}/`, `${site.origin}/b`])
    const small = await crawlPlainSite(t, site, [...FAST, '--archive-max', '100'])
    assert.equal((await readWithWarcio(join(small.data, 'archive'))).length, 3)
    const caps = ['--archive-max', 'text/html=100', '--archive-max', 'text/*=3', '--archive-max', '1k']
    const byType = await crawlPlainSite(t, site, [...FAST, ...caps])
    const archived = (await readWithWarcio(join(byType.data, 'archive'))).flatMap(({ url }) => url ?? [])
    assert.deepEqual(archived, [`${site.origin}/`])
  })

  it('marks near-duplicates, and omits them on demand', async (t) => {
    const words = Array.from(
      { length: 120 },
      (_, i) => `word${String.fromCharCode(97 + (i % 26))}${'x'.repeat(i % 7)}${i % 11 === 0 ? 'y' : ''}`,
    )
    const site = await servePlainSite(t, (path) => {
      if (path === '/') return '<a href="/one">1</a><a href="/two">2</a>'
      return `<p>${words.join(' ')}</p><p>${path === '/one' ? 'Seen 12 times' : 'Seen 3456 times'}</p>`
    })
    const marked = await crawlPlainSite(t, site, FAST)
    const shown = await Promise.all(['/one', '/two'].map((path) => show(['page', site.origin + path], marked.data)))
    assert.equal(shown.filter((text) => /similar to +http.*\/(one|two)\n/.test(text)).length, 1)
    const skipped = await crawlPlainSite(t, site, [...FAST, '--delay', '300', '--skip-near-duplicates'])
    const archived = (await readWithWarcio(join(skipped.data, 'archive'))).flatMap(({ url }) => url ?? [])
    // Pages of the same commit do not know of each other yet; here they are in separate commits.
    assert.deepEqual(archived.sort(), [`${site.origin}/`, `${site.origin}/one`])
    await show(['archive', 'verify'], skipped.data)
  })
})
