// The output of the commands, and the exit codes that scripts rely on.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { servePlainSite } from '../sites/plain-site.ts'
import { launcherPath } from '../testing/launcher.ts'
import { makeTemporaryFolder, runProgram } from '../testing/program.ts'
import { runInProcess } from '../testing/run-in-process.ts'
import { crawlPlainSite } from './testing/plain-crawl.ts'

const FAST = ['--delay', '0', '--cooldown', '0', '--no-traps']
const FAILED = 1

describe('exit codes', () => {
  it('a crawl without any response fails with a clear message, but is complete', async (t) => {
    const data = join(makeTemporaryFolder(t), 'data')
    const retries = ['--retries', '0', '--retry-delay', '20']
    const programResult = await runProgram([
      'crawl',
      'http://127.0.0.1:1/',
      '--data',
      data,
      '--allow-private',
      ...FAST,
      ...retries,
    ])
    assert.equal(programResult.code, FAILED, programResult.stderr)
    assert.match(programResult.stdout, /^Finished: no page was visited\.$/m)
    assert.match(
      programResult.stderr,
      /^orbweaver: Nothing could be reached \(1 URL: port blocked\)\. The port belongs to another service/,
    )
    const blocked = await runProgram(['crawl', 'http://127.0.0.1/', '--data', data, '--json'])
    assert.equal(blocked.code, FAILED)
    assert.match(blocked.stderr, /need --allow-private/)
    // A crawl that would watch forever ends too.
    const watching = await runProgram(['crawl', 'http://127.0.0.1/', '--data', data, '--recrawl', '1h', '--json'])
    assert.equal(watching.code, FAILED)
    assert.match(watching.stderr, /need --allow-private/)
  })

  it('a start URL that is not found gives exit code 1', async (t) => {
    const site = await servePlainSite(t, () => null)
    const data = join(makeTemporaryFolder(t), 'data')
    // The URL has no scheme: https fails on this port, http does not.
    const host = new URL(site.origin).host
    const crawled = await runProgram(['crawl', `${host}/gone`, '--data', data, '--allow-private', '--json'])
    assert.equal(crawled.code, FAILED)
    assert.match(crawled.stderr, /No page could be visited \(1 URL: not found\)\. Check the start URL/)
  })

  it('robots returns by its exit code whether a URL may be visited', async (t) => {
    const site = await servePlainSite(t, () => 'User-agent: *\nDisallow: /private')
    const runRobots = async (path: string) => (await runProgram(['robots', site.origin + path, '--allow-private'])).code
    assert.deepEqual([await runRobots('/'), await runRobots('/private')], [0, FAILED])
  })
})

describe('output', () => {
  it('a summary says that a start page needs JavaScript for its links', async (t) => {
    const text = `<a href="/">home</a>${' word'.repeat(300)}`
    const menu = '<div id="menu"></div><script>document.getElementById("menu").innerHTML = menu()</script>'
    const hintFor = async (body: string) => {
      const site = await servePlainSite(t, (path) => (path === '/robots.txt' ? null : body))
      const data = join(makeTemporaryFolder(t), 'data')
      const { stdout } = await runProgram(['crawl', `${site.origin}/`, '--allow-private', '--data', data, ...FAST])
      return stdout.includes('The start page has hardly any links without JavaScript. Try --render auto.')
    }
    assert.equal(await hintFor(text + menu), true)
    assert.equal(await hintFor(text), false)
    assert.equal(await hintFor(`${text}${menu}<a href="/a">a</a><a href="/b">b</a>`), false)
    // Links that are not followed are links, too.
    const others = '<a href="http://other.test/1">1</a><a href="http://other.test/2">2</a>'
    assert.equal(await hintFor(`${text}${menu}${others}`), false)
  })

  it('a summary counts sitemaps separately, names missing ones, and its hints name the directory', async (t) => {
    const site = await servePlainSite(t, (path) => {
      if (path === '/robots.txt') return 'Sitemap: /map.txt\nSitemap: /gone.xml'
      if (path === '/gone.xml') return null
      const isMap = path === '/map.txt'
      return isMap ? { headers: { 'content-type': 'text/plain' }, body: `${site.origin}/a` } : '<p>page'
    })
    const data = join(makeTemporaryFolder(t), 'my data')
    const programResult = await runProgram(['crawl', `${site.origin}/`, '--allow-private', '--data', data, ...FAST])
    assert.equal(programResult.code, 0, programResult.stderr)
    assert.match(programResult.stdout, /^ {2}visited +2\n {2}sitemaps +1\n {2}not found +1$/m)
    assert.ok(programResult.stdout.includes(`unreadable sitemaps:\n  ${site.origin}/gone.xml (not found)\n`))
    assert.match(programResult.stdout, /orbweaver verify [0-9a-f]{8} --data '.*my data'\n/)
    const listed = await runInProcess(['crawls', '--data', data])
    assert.match(listed.stdout, /^id +status .*\n[0-9a-f-]{36} +completed +\d{4}-.* +2 +4 +http:/)
  })

  it('explain says how a URL ended, and why another one is not visited', async (t) => {
    const site = await servePlainSite(t, (path) => (path === '/' ? '<a href="/gone">gone</a>' : null))
    const data = join(makeTemporaryFolder(t), 'data')
    await runProgram(['crawl', `${site.origin}/`, '--allow-private', '--data', data, ...FAST])
    const [{ crawl_id: id = '' } = {}] = [JSON.parse((await runInProcess(['crawls', '--data', data, '--json'])).stdout)]
    const explain = async (url: string) => (await runInProcess(['explain', id, url, '--data', data])).stdout
    const gone = await explain(`${site.origin}/gone`)
    assert.match(gone, /^http.*\/gone\nNot found after 1 attempt\.\n\n {2}URL .*\n {2}scope +It is in the scope/)
    const other = await explain('http://other.test/')
    assert.match(other, /would not visit it\. It is outside the scope .*\n\n.*\nx scope +It is outside/)
  })

  it('a page shows its redirect target, its canonical URL, and its character set once', async (t) => {
    const site = await servePlainSite(t, (path) => {
      if (path === '/old') return { status: 301, headers: { location: '/new' } }
      const headers = { 'content-type': 'text/html; charset=utf-8' }
      if (path === '/') return { headers, body: '<a href=/old>x</a>' }
      return { headers, body: '<link rel=canonical href=/best><meta name=robots content=noindex><p>new' }
    })
    const { data } = await crawlPlainSite(t, site, [...FAST, '--ignore-robots'])
    const show = async (path: string) => (await runInProcess(['page', site.origin + path, '--data', data])).stdout
    assert.ok((await show('/old')).includes(`redirects to  ${site.origin}/new\n`))
    const page = await show('/new')
    assert.ok(page.includes(`canonical     ${site.origin}/best\n`), page)
    assert.match(page, /noindex +not indexed, at the request/)
    assert.match(page, /type +text\/html; charset=utf-8\n/)
  })
})

it('a search result without a title has its URL once', async (t) => {
  const site = await servePlainSite(t, () => '<p>A quince is a fruit.')
  const { data } = await crawlPlainSite(t, site, [...FAST, '--ignore-robots'])
  await runInProcess(['index', 'run', '--data', data])
  const { stdout } = await runInProcess(['search', 'quince', '--data', data])
  assert.deepEqual(stdout.split('\n').slice(0, 2), [`1. ${site.origin}/`, '   A quince is a fruit.'])
})

describe('verify', () => {
  it('says which check failed, and what it found', async (t) => {
    const site = await servePlainSite(t, () => '<p>page')
    const { data, summary } = await crawlPlainSite(t, site, [...FAST, '--ignore-robots'])
    const sound = await runInProcess(['verify', summary.crawl_id, '--data', data])
    assert.match(sound.stdout, /\nThe counts match a recount, and all checks passed\.\n$/)
    const db = new DatabaseSync(join(data, 'store.db'))
    db.exec('update crawls set visited = visited + 2')
    db.close()
    const broken = await runInProcess(['verify', summary.crawl_id, '--data', data])
    assert.equal(broken.code, FAILED)
    assert.match(broken.stdout, /\nFailed check: counters equal a recount \(visited is 3, counted 1\)\.\n$/)
  })
})

describe('the program', () => {
  it('uses the name it was called by in its hints', async (t) => {
    const folder = makeTemporaryFolder(t)
    symlinkSync(launcherPath, join(folder, 'orbweaver'))
    const run = (call: string, path = process.env['PATH']) => {
      const env = { ...process.env, PATH: path }
      return spawnSync('sh', ['-c', `${call} crowl`], { cwd: folder, env, encoding: 'utf8' }).stderr
    }
    assert.match(run('./orbweaver'), / See: \.\/orbweaver --help\n$/)
    assert.match(run('"$PWD/orbweaver"'), / See: \/\S+\/orbweaver --help\n$/)
    assert.match(run('orbweaver', `${folder}:${process.env['PATH']}`), / See: orbweaver --help\n$/)
  })

  it('says once, on one line, why it cannot start', async (t) => {
    const { port } = await servePlainSite(t, () => 'taken')
    const flags = ['--data', makeTemporaryFolder(t), '--port', String(port), '--health-port', '0']
    const { code, stdout, stderr } = await runProgram(['start', ...flags])
    assert.deepEqual([code, stdout], [FAILED, ''])
    assert.match(
      stderr,
      /^orbweaver: Cannot open the API port: 127\.0\.0\.1:\d+ is in use, perhaps by another Orbweaver\. Choose another port with --port\.\n$/,
    )
  })
})

describe('an export', () => {
  it('says what it wrote, and skips damaged pages without stopping', async (t) => {
    const site = await servePlainSite(t, (path) => (path === '/' ? '<a href=/a>a</a><a href=/b>b</a>' : `<p>${path}`))
    const { data, summary } = await crawlPlainSite(t, site, [...FAST, '--ignore-robots'])
    const out = join(data, '..', 'pages')
    const command = (format: string) => ['export', summary.crawl_id, '--data', data, '--format', format, '--out', out]
    const whole = await runProgram(command('pages.jsonl'))
    assert.deepEqual([whole.code, whole.stdout], [0, ''])
    assert.match(whole.stderr, /^Wrote 3 pages \(.*B\) to .*pages\n$/)
    const again = await runInProcess(command('warc'))
    assert.equal(again.code, 2)
    assert.match(again.stderr, /pages exists\. Choose another file, or overwrite it with --force\./)
    const [segment = ''] = readdirSync(join(data, 'archive'))
    const file = join(data, 'archive', segment)
    const bytes = readFileSync(file)
    const middle = Math.floor(bytes.length / 2)
    writeFileSync(file, bytes.fill(0, middle, middle + 4))
    for (const [format, rest] of [
      ['pages.jsonl', /Wrote 2 pages/],
      ['warc', /Wrote 3 records/],
    ] as const) {
      const damaged = await runInProcess([...command(format), '--force'])
      assert.equal(damaged.code, FAILED, damaged.stderr)
      assert.match(damaged.stderr, /^Skipped a damaged record: http:.*\n/)
      assert.match(damaged.stderr, rest)
      assert.match(damaged.stderr, /orbweaver: The export is complete except for 1 damaged record\..*--data/)
    }
  })
})
