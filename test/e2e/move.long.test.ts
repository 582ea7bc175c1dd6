// A store is taken from a directory to a database and back, with the real program.

import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { makeEmptyDatabase } from '../../src/store/testing/test-database.ts'
import { type PlainSite, servePlainSite } from '../sites/plain-site.ts'
import { makeTemporaryFolder, runProgram, startProgram } from '../testing/program.ts'
import { crawlPlainSite } from './testing/plain-crawl.ts'

const FAST = ['--delay', '0', '--cooldown', '0', '--per-host', '4']
const WORDS = Array.from({ length: 120 }, (_, i) => `word${String.fromCharCode(97 + (i % 26))}${'x'.repeat(i % 7)}`)

async function emptyDatabase(t: TestContext): Promise<string> {
  const database = await makeEmptyDatabase()
  t.after(() => database.drop())
  return database.url
}

/** Redirects, pages that are nearly or exactly the same, a sitemap, a page that changes, and links that are left out. */
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

/** Everything that the program says of a store. */
async function everythingOf(ids: string[], origin: string, flags: string[]): Promise<Record<string, string>> {
  const said: Record<string, string> = {}
  const ask = async (...args: string[]) => {
    const { code, stdout, stderr } = await runProgram([...args, ...flags])
    assert.equal(code, 0, `${args.join(' ')}: ${stdout}${stderr}`)
    // Hints at what to do next name the directory.
    said[args.join(' ')] = stdout.replace(/^ {2}\S+\/orbweaver .*\n/gm, '')
  }
  for (const id of ids) {
    for (const format of ['jsonl', 'graphml', 'pages.jsonl']) await ask('export', id, '--format', format)
    await ask('verify', id)
  }
  for (const command of ['status', 'politeness']) await ask(command, ids[0] ?? '')
  await ask('history', `${origin}/`)
  await ask('page', `${origin}/two`)
  await ask('crawls', '--json')
  return said
}

const inDatabase = (url: string, data: string) => ['--store', url, '--data', data]

describe('a move', () => {
  it('to a database and back changes nothing that can be seen', async (t) => {
    const site = await serveVariety(t)
    const { data, summary } = await crawlPlainSite(t, site, FAST)
    const again = await runProgram(['crawl', `${site.origin}/`, '--data', data, '--allow-private', ...FAST, '--json'])
    const ids = [summary.crawl_id, JSON.parse(again.stdout.trim().split('\n').at(-1) ?? '').crawl_id]
    const url = await emptyDatabase(t)
    const [other, back] = [join(data, '..', 'other'), join(data, '..', 'back')]
    const before = await everythingOf(ids, site.origin, ['--data', data])
    const there = await runProgram(['move', '--from', data, '--to', url, '--data', other])
    assert.equal(there.code, 0, there.stderr)
    assert.match(there.stdout, /^ {2}urls +\d+$/m)
    assert.match(there.stdout, /Moved 2 crawls with \d+ urls from .* to 127\.0\.0\.1:\d+\/\w+\. Nothing is lost/)
    assert.deepEqual(await everythingOf(ids, site.origin, inDatabase(url, other)), before)
    const home = await runProgram(['move', '--from', url, '--to', back, '--data', other, '--json'])
    assert.equal(home.code, 0, home.stderr)
    const last = JSON.parse(home.stdout.trim().split('\n').at(-1) ?? '')
    assert.deepEqual([last.type, last.rows.crawls, last.segments_linked], ['moved', 2, 2])
    rmSync(other, { recursive: true })
    assert.deepEqual(await everythingOf(ids, site.origin, ['--data', back]), before)
    for (const folder of [data, back]) assert.equal((await runProgram(['archive', 'verify', '--data', folder])).code, 0)
  })

  it('lets new crawls begin where it ended: no id is given twice', async (t) => {
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
    assert.match(history.stdout, /^1 .* first seen\n2 .* changed\n/)
  })

  it('needs the segments, or to be told that it shall do without', async (t) => {
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
      /^orbweaver: Segments that are not in .*nowhere\/archive: \S+\.warc\.gz\. Pages .*: \d+\. /,
    )
    assert.equal(existsSync(back), false)
    const forced = await runProgram([...args, '--force'])
    assert.equal(forced.code, 0, forced.stderr)
    assert.match(forced.stderr, /^Warning: Segments that are not in/)
    assert.equal((await runProgram(['page', `${site.origin}/one`, '--data', back, '--text'])).code, 1)
    assert.match((await runProgram(['history', `${site.origin}/one`, '--data', back])).stdout, /first seen/)
  })

  it('copies a segment that a dead process left open, so that the source stays as it is', async (t) => {
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
    assert.match(moved.stdout, /^1 segment of the archive copied/m)
    const flags = inDatabase(url, other)
    const more = await runProgram(['crawl', `${site.origin}/`, ...flags, '--allow-private', ...FAST, '--quiet'])
    assert.equal(more.code, 0, more.stderr)
    assert.ok(readdirSync(join(other, 'archive')).includes(name))
    assert.equal(statSync(join(folder, `${name}.open`)).size, size)
    assert.match((await runProgram(['page', `${site.origin}/same`, ...flags, '--text'])).stdout, /always the same/)
    const beside = await runProgram(['move', '--from', url, '--to', other, '--data', other])
    assert.match(beside.stdout, /^Both stores use the same archive: go on in one of them only\.$/m)
    assert.equal((await runProgram(['archive', 'verify', '--data', other])).code, 0)
  })
})

describe('what cannot be moved is told in a sentence', () => {
  it('where stores are not as they must be', async (t) => {
    const site = await servePlainSite(t, () => '<p>page')
    const { data } = await crawlPlainSite(t, site, FAST)
    const folder = makeTemporaryFolder(t)
    mkdirSync(join(folder, 'foreign'))
    writeFileSync(join(folder, 'foreign', 'a.txt'), '')
    const url = await emptyDatabase(t)
    const wrong: [from: string, to: string, code: number, says: RegExp][] = [
      [data, `${data}/.`, 2, /name the same store/],
      [url, url, 2, /name the same store/],
      [join(folder, 'none'), url, 2, /There is no Orbweaver data in .*none/],
      [url, join(folder, 'new'), 2, /There is no Orbweaver data in this database/],
      [data, join(folder, 'foreign'), 2, /not an Orbweaver data directory: it contains "a\.txt"/],
      [data, 'mysql://me:hush@127.0.0.1/x', 2, /--to must be a directory, or a url such as postgres:/],
      [data, 'postgres://me:hush@127.0.0.1:1/x', 1, /Postgres at 127\.0\.0\.1:1\/x cannot be reached/],
    ]
    for (const [from, to, code, says] of wrong) {
      const programResult = await runProgram(['move', '--from', from, '--to', to, '--data', data])
      assert.equal(programResult.code, code, programResult.stderr)
      assert.match(programResult.stderr, says)
      assert.doesNotMatch(programResult.stderr, /hush|\n\s+at /)
    }
    assert.match((await runProgram(['move', '--from', data])).stderr, /^orbweaver: Say which store to move and where/)
    assert.equal((await runProgram(['move', '--from', data, '--to', url, '--data', data])).code, 0)
    const full = await runProgram(['move', '--from', data, '--to', url, '--data', data])
    assert.equal(full.code, 2)
    assert.match(full.stderr, /^orbweaver: 127\.0\.0\.1:\d+\/\w+ contains crawls already/)
    const other = await runProgram(['move', '--from', url, '--to', data, '--data', data])
    assert.match(other.stderr, /^orbweaver: .*data contains crawls already/)
  })

  it('where somebody is at work', async (t) => {
    const site = await servePlainSite(t, () => '<a href=/later>x</a>')
    const folder = makeTemporaryFolder(t)
    const url = await emptyDatabase(t)
    const [data, other] = [join(folder, 'data'), join(folder, 'other')]
    const places: [from: string, flags: string[], says: RegExp][] = [
      [data, ['--data', data], /in use by another process \(pid \d+\)/],
      [url, inDatabase(url, other), /Workers or commands are using 127\.0\.0\.1/],
    ]
    for (const [from, flags, says] of places) {
      const crawl = startProgram(['crawl', `${site.origin}/`, ...flags, '--allow-private', '--delay', '600000'])
      while (site.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
      const refused = await runProgram(['move', '--from', from, '--to', join(folder, 'new'), '--data', other])
      crawl.child.kill('SIGKILL')
      await crawl.ended
      assert.equal(refused.code, 1, refused.stderr)
      assert.match(refused.stderr, says)
      site.requests.length = 0
    }
  })
})
