// Moves a store from a directory to a database and back, with the real program.

import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { makeEmptyDatabase } from '../../src/store/testing/test-database.ts'
import { type PlainSite, servePlainSite } from '../sites/plain-site.ts'
import { makeTemporaryFolder, runProgram, startProgram } from '../testing/program.ts'
import { waitUntil } from '../testing/wait-until.ts'
import { crawlPlainSite } from './testing/plain-crawl.ts'

const FAST = ['--delay', '0', '--cooldown', '0', '--per-host', '4']
const WORDS = Array.from({ length: 120 }, (_, i) => `word${String.fromCharCode(97 + (i % 26))}${'x'.repeat(i % 7)}`)

async function emptyDatabase(t: TestContext): Promise<string> {
  const database = await makeEmptyDatabase()
  t.after(() => database.drop())
  return database.url
}

/** Redirects, exact and near-duplicates, a sitemap, a page that changes, and rejected links. */
async function serveVariety(t: TestContext): Promise<PlainSite> {
  const site = await servePlainSite(t, (path, before) => {
    switch (path) {
      case '/robots.txt':
        return 'User-agent: *\nDisallow: /private\nSitemap: /map.txt'
      case '/map.txt':
        return { headers: { 'content-type': 'text/plain' }, body: `${site.origin}/listed\n${site.origin}/private/x` }
      case '/':
        return `<title>Round ${before}</title>${[
          '/old',
          '/one',
          '/two',
          '/same',
          '/gone',
          '/ü?q=1',
          'mailto:x',
          'http://other.test/',
        ]
          .map((link) => `<a href="${link}">x</a>`)
          .join('')}`
      case '/old':
        return { status: 301, headers: { location: '/listed' } }
      case '/gone':
        return null
      case '/one':
      case '/two':
        return `<p>${WORDS.join(' ')}</p><p>Seen ${path.length * 7 + before} times</p>`
      default:
        return '<title>The same</title><p>always the same'
    }
  })
  return site
}

/** The output of every command about a store. */
async function readAllOutputs(ids: string[], origin: string, flags: string[]): Promise<Record<string, string>> {
  const outputs: Record<string, string> = {}
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runProgram([...args, ...flags])
    assert.equal(code, 0, `${args.join(' ')}: ${stdout}${stderr}`)
    // Hints about the next command contain the directory.
    outputs[args.join(' ')] = stdout.replace(/^ {2}\S+\/orbweaver .*\n/gm, '')
  }
  for (const id of ids) {
    for (const format of ['jsonl', 'graphml', 'pages.jsonl']) await run('export', id, '--format', format)
    await run('verify', id)
  }
  for (const command of ['status', 'politeness']) await run(command, ids[0] ?? '')
  await run('history', `${origin}/`)
  await run('page', `${origin}/two`)
  await run('crawls', '--json')
  return outputs
}

const inDatabase = (url: string, data: string) => ['--store', url, '--data', data]

describe('a move', () => {
  it('to a database and back changes nothing visible', async (t) => {
    const site = await serveVariety(t)
    const { data, summary } = await crawlPlainSite(t, site, FAST)
    const again = await runProgram(['crawl', `${site.origin}/`, '--data', data, '--allow-private', ...FAST, '--json'])
    const ids = [summary.crawl_id, JSON.parse(again.stdout.trim().split('\n').at(-1) ?? '').crawl_id]
    const url = await emptyDatabase(t)
    const [other, back] = [join(data, '..', 'other'), join(data, '..', 'back')]
    const before = await readAllOutputs(ids, site.origin, ['--data', data])
    const there = await runProgram(['move', '--from', data, '--to', url, '--data', other])
    assert.equal(there.code, 0, there.stderr)
    assert.match(there.stdout, /^ {2}urls +\d+$/m)
    assert.match(there.stdout, /Moved 2 crawls with \d+ URLs from .* to 127\.0\.0\.1:\d+\/\w+\. Nothing is lost/)
    assert.deepEqual(await readAllOutputs(ids, site.origin, inDatabase(url, other)), before)
    const home = await runProgram(['move', '--from', url, '--to', back, '--data', other, '--json'])
    assert.equal(home.code, 0, home.stderr)
    const last = JSON.parse(home.stdout.trim().split('\n').at(-1) ?? '')
    assert.deepEqual([last.type, last.rows.crawls, last.segments_linked], ['moved', 2, 2])
    rmSync(other, { recursive: true })
    assert.deepEqual(await readAllOutputs(ids, site.origin, ['--data', back]), before)
    for (const folder of [data, back]) assert.equal((await runProgram(['archive', 'verify', '--data', folder])).code, 0)
  })

  it('lets new crawls start afterwards without reusing an id', async (t) => {
    const site = await serveVariety(t)
    const { data, summary } = await crawlPlainSite(t, site, FAST)
    const url = await emptyDatabase(t)
    assert.equal((await runProgram(['move', '--from', data, '--to', url, '--data', data])).code, 0)
    const flags = inDatabase(url, data)
    const more = await runProgram(['crawl', `${site.origin}/`, ...flags, '--allow-private', ...FAST, '--json'])
    assert.equal(more.code, 0, more.stderr)
    const idOf = JSON.parse(more.stdout.trim().split('\n').at(-1) ?? '').crawl_id
    for (const id of [summary.crawl_id, idOf]) assert.equal((await runProgram(['verify', id, ...flags])).code, 0)
    const history = await runProgram(['history', `${site.origin}/`, ...flags])
    assert.match(history.stdout, /^1 .* first version\n2 .* changed\n/)
  })

  it('requires the segments, or the flag to move without them', async (t) => {
    const site = await serveVariety(t)
    const { data } = await crawlPlainSite(t, site, FAST)
    const url = await emptyDatabase(t)
    assert.equal((await runProgram(['move', '--from', data, '--to', url, '--data', data])).code, 0)
    const [nowhere, back] = [join(data, '..', 'nowhere'), join(data, '..', 'back')]
    const args = ['move', '--from', url, '--to', back, '--data', nowhere]
    const refused = await runProgram(args)
    assert.equal(refused.code, 1)
    assert.match(
      refused.stderr,
      /^orbweaver: These segments are missing in .*nowhere\/archive: \S+\.warc\.zst\. Without them, \d+ pages cannot be read\. /,
    )
    assert.equal(existsSync(back), false)
    const forced = await runProgram([...args, '--force'])
    assert.equal(forced.code, 0, forced.stderr)
    assert.match(forced.stderr, /^Warning: These segments are missing in/)
    assert.equal((await runProgram(['page', `${site.origin}/one`, '--data', back, '--text'])).code, 1)
    assert.match((await runProgram(['history', `${site.origin}/one`, '--data', back])).stdout, /first version/)
  })

  it('copies a segment that a dead process left open, so that the source is unchanged', async (t) => {
    const site = await serveVariety(t)
    const { data } = await crawlPlainSite(t, site, FAST)
    const folder = join(data, 'archive')
    const [name = ''] = readdirSync(folder)
    cpSync(join(folder, name), join(folder, `${name}.open`))
    rmSync(join(folder, name))
    writeFileSync(join(folder, `${name}.open`), 'torn', { flag: 'a' })
    const { size } = statSync(join(folder, `${name}.open`))
    const [url, other] = [await emptyDatabase(t), join(data, '..', 'other')]
    const moved = await runProgram(['move', '--from', data, '--to', url, '--data', other])
    assert.match(moved.stdout, /^Copied 1 archive segment/m)
    const flags = inDatabase(url, other)
    const more = await runProgram(['crawl', `${site.origin}/`, ...flags, '--allow-private', ...FAST, '--quiet'])
    assert.equal(more.code, 0, more.stderr)
    assert.ok(readdirSync(join(other, 'archive')).includes(name))
    assert.equal(statSync(join(folder, `${name}.open`)).size, size)
    assert.match((await runProgram(['page', `${site.origin}/same`, ...flags, '--text'])).stdout, /always the same/)
    const beside = await runProgram(['move', '--from', url, '--to', other, '--data', other])
    assert.match(beside.stdout, /^Both stores share one archive folder: continue in only one of them\.$/m)
    assert.equal((await runProgram(['archive', 'verify', '--data', other])).code, 0)
  })
})

describe('a move that is not possible is rejected with a clear message', () => {
  it('if the stores are not as required', async (t) => {
    const site = await servePlainSite(t, () => '<p>page')
    const { data } = await crawlPlainSite(t, site, FAST)
    const folder = makeTemporaryFolder(t)
    mkdirSync(join(folder, 'foreign'))
    writeFileSync(join(folder, 'foreign', 'a.txt'), '')
    const url = await emptyDatabase(t)
    const wrong: [from: string, to: string, code: number, message: RegExp][] = [
      [data, `${data}/.`, 2, /name the same store/],
      [url, url, 2, /name the same store/],
      [join(folder, 'none'), url, 2, /There is no Orbweaver data in .*none/],
      [url, join(folder, 'new'), 2, /There is no Orbweaver data in this database/],
      [data, join(folder, 'foreign'), 2, /not an Orbweaver data directory: it contains "a\.txt"/],
      [data, 'mysql://me:hush@127.0.0.1/x', 2, /--to must be a directory, or a URL such as postgres:/],
      [data, 'postgres://me:hush@127.0.0.1:1/x', 1, /Postgres at 127\.0\.0\.1:1\/x cannot be reached/],
    ]
    for (const [from, to, code, message] of wrong) {
      const programResult = await runProgram(['move', '--from', from, '--to', to, '--data', data])
      assert.equal(programResult.code, code, programResult.stderr)
      assert.match(programResult.stderr, message)
      assert.doesNotMatch(programResult.stderr, /hush|\n\s+at /)
    }
    assert.match((await runProgram(['move', '--from', data])).stderr, /^orbweaver: Give the source and the target/)
    assert.equal((await runProgram(['move', '--from', data, '--to', url, '--data', data])).code, 0)
    const full = await runProgram(['move', '--from', data, '--to', url, '--data', data])
    assert.equal(full.code, 2)
    assert.match(full.stderr, /^orbweaver: 127\.0\.0\.1:\d+\/\w+ contains crawls already/)
    const other = await runProgram(['move', '--from', url, '--to', data, '--data', data])
    assert.match(other.stderr, /^orbweaver: .*data contains crawls already/)
  })

  it('if a store is in use', async (t) => {
    const site = await servePlainSite(t, () => '<a href=/later>x</a>')
    const folder = makeTemporaryFolder(t)
    const url = await emptyDatabase(t)
    const [data, other] = [join(folder, 'data'), join(folder, 'other')]
    const cases: [from: string, flags: string[], message: RegExp][] = [
      [data, ['--data', data], /in use by another process \(pid \d+\)/],
      [url, inDatabase(url, other), /Workers or commands are using 127\.0\.0\.1/],
    ]
    for (const [from, flags, message] of cases) {
      const crawl = startProgram(['crawl', `${site.origin}/`, ...flags, '--allow-private', '--delay', '600000'])
      await waitUntil(() => site.requests.length > 0)
      const refused = await runProgram(['move', '--from', from, '--to', join(folder, 'new'), '--data', other])
      crawl.child.kill('SIGKILL')
      await crawl.ended
      assert.equal(refused.code, 1, refused.stderr)
      assert.match(refused.stderr, message)
      site.requests.length = 0
    }
  })
})
