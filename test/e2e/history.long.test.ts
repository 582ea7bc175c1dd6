// Versions of a page over several crawls, with the real program.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { servePlainSite } from '../sites/plain-site.ts'
import { runProgram } from '../testing/program.ts'
import { crawlPlainSite } from './testing/plain-crawl.ts'

const FAST = ['--delay', '0', '--ignore-robots', '--cooldown', '0', '--no-traps']
const WORDS = Array.from({ length: 120 }, (_, i) => `w${String.fromCharCode(97 + (i % 26))}${'x'.repeat(i % 7)}`)

async function show(args: string[], data: string): Promise<string> {
  const { code, stdout, stderr } = await runProgram([...args, '--data', data])
  assert.equal(code, 0, stderr)
  return stdout
}

async function crawlAgain(origin: string, data: string, flags: string[] = FAST): Promise<void> {
  await show(['crawl', `${origin}/`, '--allow-private', '--quiet', ...flags], data)
}

describe('the history of a page', () => {
  it('distinguishes responses other than pages by their content', async (t) => {
    let body = 'gone'
    let target = '/one'
    const site = await servePlainSite(t, (path) => {
      if (path === '/') return '<a href="/gone">a</a><a href="/old">b</a>'
      if (path === '/gone') return { status: 404, body }
      return path === '/old' ? { status: 301, headers: { location: target } } : '<p>x'
    })
    const { data } = await crawlPlainSite(t, site, FAST)
    await crawlAgain(site.origin, data)
    body = 'really gone'
    target = '/two'
    await crawlAgain(site.origin, data)
    assert.match(await show(['history', `${site.origin}/gone`], data), /first version\n2 .* unchanged\n3 .* changed\n/)
    const old = await show(['history', `${site.origin}/old`], data)
    assert.match(old, /first version {2}to .*\/one\n2 .* unchanged .*\n3 .* changed {2}to .*\/two\n$/)
    const record = JSON.parse(await show(['page', `${site.origin}/gone`, '--json'], data))
    assert.match(record.record_id, /^[0-9a-f]{64}-\d+$/)
  })

  it('says if lines are omitted, and has all of them as JSON', async (t) => {
    let round = 1
    const site = await servePlainSite(t, () => {
      const lines = Array.from({ length: 50 }, (_, i) => `<p>Line ${i} of ${round}</p>`)
      return `${lines.join('')}<p>${`${round} `.repeat(500)}</p>`
    })
    const { data } = await crawlPlainSite(t, site, FAST)
    round = 2
    await crawlAgain(site.origin, data)
    const lines = (await show(['history', `${site.origin}/`], data)).trimEnd().split('\n')
    assert.equal(lines.at(-1), '   and 42 more lines; --json prints all of them')
    assert.ok(lines.every((line) => line.length <= 210))
    const rows = (await show(['history', `${site.origin}/`, '--json'], data)).trimEnd().split('\n')
    const [, second] = rows.map((row) => JSON.parse(row))
    assert.deepEqual([second.text_changes.length, second.http_status, second.text_changes_cut], [102, 200, false])
    for (const name of Object.keys(second)) assert.match(name, /^[a-z]+(_[a-z]+)*$/)
  })

  it('archives a near-duplicate of the previous version, but not one of another page', async (t) => {
    let visits = 1
    const site = await servePlainSite(t, (path) => {
      if (path === '/') return '<a href="/one">1</a><a href="/two">2</a>'
      if (path === '/one') return `<p>${WORDS.join(' ')}</p><p>Seen ${visits} times</p>`
      return visits === 1 ? `<p>${WORDS.toReversed().join(' once ')}` : `<p>${WORDS.join(' ')}</p><p>Sold ${visits}</p>`
    })
    const flags = [...FAST, '--delay', '300', '--skip-near-duplicates']
    const { data } = await crawlPlainSite(t, site, flags)
    visits = 2
    await crawlAgain(site.origin, data, flags)
    const one = await show(['history', `${site.origin}/one`], data)
    assert.match(one, /first version\n2 .* changed\n {3}- Seen 1 times\n {3}\+ Seen 2 times\n$/)
    assert.doesNotMatch(await show(['page', `${site.origin}/one`], data), /similar to/)
    const two = await show(['history', `${site.origin}/two`], data)
    assert.match(
      two,
      /2 .* changed\n {3}no text to compare: version 2 is not archived, because it was a near-duplicate of another page\n$/,
    )
  })
})

describe('a page', () => {
  it('is shown in one form at a time, also as received', async (t) => {
    const packed = gzipSync('<p>Hello')
    const site = await servePlainSite(t, () => ({ headers: { 'content-encoding': 'gzip' }, body: packed }))
    const { data } = await crawlPlainSite(t, site, FAST)
    const both = await runProgram(['page', `${site.origin}/`, '--raw', '--json', '--data', data])
    assert.deepEqual([both.code, both.stdout], [2, ''])
    assert.match(both.stderr, /only one of --raw/)
    assert.equal(await show(['page', `${site.origin}/`, '--raw'], data), '<p>Hello')
    assert.equal(await show(['page', `${site.origin}/`, '--wire'], data), packed.toString())
  })
})
