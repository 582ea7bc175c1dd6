// An archive in object storage, with the real program and a separate data directory.

import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { parseS3Url } from '../../../src/lib/s3/location.ts'
import { S3Client } from '../../../src/lib/s3/s3-client.ts'
import { makeTestDatabase } from '../../../src/store/testing/test-database.ts'
import { servePlainSite } from '../../sites/plain-site.ts'
import { FAST_FLAGS, makeTemporaryFolder, parseSummary, runProgram } from '../../testing/program.ts'
import { startServer } from '../../testing/start-server.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { S3_ENVIRONMENT, type S3Server, startS3Server } from './s3-server.ts'

/** Hardly compressible, so that segments fill: about 1 KB. */
function noiseOf(path: string): string {
  return Array.from({ length: 12 }, (_, i) => hash('sha512', `${path} ${i}`, 'base64')).join(' ')
}

const serveSite = (t: TestContext, pages: number) =>
  servePlainSite(t, (path) => {
    if (path === '/') return Array.from({ length: pages }, (_, i) => `<a href="/${i}">x</a>`).join('')
    return `<p>page ${path}</p><p>${noiseOf(path)}</p>`
  })

/** Segments in the folder, except uploaded ones. */
function segmentsIn(data: string): string[] {
  return readdirSync(join(data, 'archive')).filter((name) => name.includes('.warc.'))
}

describe('an archive in object storage', () => {
  let server: S3Server
  const cleanups: (() => unknown)[] = []
  before(async () => {
    server = await startS3Server({ after: (cleanUp) => cleanups.push(cleanUp) })
  })
  after(async () => {
    for (const cleanUp of cleanups) await cleanUp()
  })

  function openArchive(t: TestContext, bucket = server.makeBucket()) {
    const data = join(makeTemporaryFolder(t), 'data')
    const env = { ...S3_ENVIRONMENT, ORBWEAVER_ARCHIVE_STORE: bucket }
    const run = (args: string[], more: Record<string, string> = {}) =>
      runProgram([...args, '--data', data], { env: { ...env, ...more } })
    const shown = async (args: string[]) => {
      const result = await run(args)
      assert.equal(result.code, 0, result.stdout + result.stderr)
      return result.stdout
    }
    return { data, run, shown, bucket }
  }

  it('has the pages of a crawl, which are read without any file', async (t) => {
    const { origin } = await serveSite(t, 1500)
    const { data, run, shown } = openArchive(t)
    const crawl = await run(['crawl', `${origin}/`, ...FAST_FLAGS, '--segment-size', '1m', '--archive-cache', '0'])
    assert.equal(crawl.code, 0, crawl.stderr)
    assert.deepEqual(segmentsIn(data), [])
    assert.deepEqual(readdirSync(join(data, 'archive', 'cache')), [])
    rmSync(join(data, 'archive'), { recursive: true })
    assert.match(await shown(['page', `${origin}/7`, '--text']), /^page \/7\n/)
    assert.match(
      await shown(['archive', 'verify']),
      /^1,50\d records in \d segments, .*\nEvery record can be read, and every page has its content\.\n$/,
    )
    const out = join(data, 'out.warc.gz')
    await shown(['export', parseSummary(crawl).crawl_id, '--format', 'warc', '--out', out])
    const without = await run(['page', `${origin}/7`, '--text'], { ORBWEAVER_ARCHIVE_STORE: `${server.makeBucket()}` })
    assert.equal(without.code, 1)
    assert.match(without.stderr, /The object storage failed: GET s3:\/\/pages-\d+\/archive\/.*NoSuchKey/)
  })

  it('loses expired segments, and those with little left after their records moved', async (t) => {
    const { origin } = await serveSite(t, 1500)
    const { run, shown, data } = openArchive(t)
    const flags = [...FAST_FLAGS, '--segment-size', '1m', '--archive-cache', '0']
    // The second crawl has the same payloads; the first expires with its versions.
    const first = await run(['crawl', `${origin}/`, ...flags, '--keep', '1'])
    assert.equal(first.code, 0, first.stderr)
    const second = await run(['crawl', `${origin}/`, ...flags, '--max-pages', '150'])
    assert.equal(second.code, 0, second.stderr)
    const { DatabaseSync } = await import('node:sqlite')
    const db = new DatabaseSync(join(data, 'store.db'))
    db.exec('update pages set expires_at = 1 where expires_at < (select max(expires_at) from pages) - 86400000')
    db.close()
    const expired = await shown(['archive', 'expire'])
    assert.match(expired, /Moved \d+ records out of mostly empty segments\./)
    assert.match(expired, /Deleted \d segments? and freed/)
    assert.match(await shown(['archive', 'verify']), /^\d+ records in \d segments?, .*\nEvery record/)
    assert.match(await shown(['page', `${origin}/7`, '--text']), /^page \/7\n/)
    assert.deepEqual(segmentsIn(data), [])
  })

  it('is read from the object if the copy in the cache is damaged', async (t) => {
    const { origin } = await serveSite(t, 3)
    const { run, shown, data } = openArchive(t)
    assert.equal((await run(['crawl', `${origin}/`, ...FAST_FLAGS])).code, 0)
    const cache = join(data, 'archive', 'cache')
    const [copy = ''] = readdirSync(cache)
    writeFileSync(join(cache, copy), Buffer.alloc(100_000))
    assert.match(await shown(['page', `${origin}/1`, '--text']), /^page \/1\n/)
  })

  it('takes what was archived in a folder before, and stays where it is when the store moves', async (t) => {
    const { origin } = await serveSite(t, 3)
    const { shown, data, bucket } = openArchive(t)
    const flags = ['crawl', `${origin}/`, ...FAST_FLAGS, '--data', data]
    assert.equal((await runProgram(flags)).code, 0)
    assert.equal(segmentsIn(data).length, 1)
    assert.match(await shown(['archive', 'upload']), /^Uploaded 1 segment of /)
    assert.match(await shown(['archive', 'upload']), /^Every segment is uploaded already\.\n$/)
    assert.deepEqual(segmentsIn(data), [])
    rmSync(join(data, 'archive'), { recursive: true })
    assert.match(await shown(['page', `${origin}/1`, '--text']), /^page \/1\n/)

    const database = await makeTestDatabase()
    t.after(() => database.drop())
    const env = { ...S3_ENVIRONMENT, ORBWEAVER_ARCHIVE_STORE: bucket }
    const moveFlags = ['move', '--from', data, '--to', database.url, '--data', makeTemporaryFolder(t)]
    const lost = await runProgram(moveFlags)
    assert.match(lost.stderr, /These segments are missing .* their bucket with --archive-store/)
    const moved = await runProgram(moveFlags, { env })
    assert.equal(moved.code, 0, moved.stderr)
    const elsewhere = ['--store', database.url, '--data', makeTemporaryFolder(t)]
    const read = await runProgram(['page', `${origin}/1`, '--text', ...elsewhere], { env })
    assert.match(read.stdout, /^page \/1\n/, read.stderr)
  })

  it('may be spread over several buckets; one can be added, and another emptied and removed', async (t) => {
    const { origin } = await serveSite(t, 1500)
    const [first, second, third] = [server.makeBucket(), server.makeBucket(), server.makeBucket()]
    const { data, run, shown } = openArchive(t, `${first}\n${second}`)
    const flags = [...FAST_FLAGS, '--segment-size', '1m', '--archive-cache', '0']
    const crawl = await run(['crawl', `${origin}/`, ...flags])
    assert.equal(crawl.code, 0, crawl.stderr)
    rmSync(join(data, 'archive'), { recursive: true })
    const all = /^1,50\d records in \d+ segments, .*\nEvery record can be read, and every page has its content\.\n$/
    assert.match(await shown(['archive', 'verify']), all)
    const withBuckets = async (buckets: string[], args: string[]) => {
      const result = await run(args, { ORBWEAVER_ARCHIVE_STORE: buckets.join('\n') })
      assert.equal(result.code, 0, result.stdout + result.stderr)
      return result.stdout
    }
    assert.match(await withBuckets([first, second, third], ['archive', 'verify']), all)
    const draining = [`${first}&mode=read`, second, third]
    assert.match(await withBuckets(draining, ['archive', 'drain']), /^Moved \d+ segments? of .* can be removed from/)
    assert.match(await withBuckets(draining, ['archive', 'drain']), /^Moved 0 segments/)
    assert.match(await withBuckets([second, third], ['archive', 'verify']), all)
    assert.match(await withBuckets([second, third], ['page', `${origin}/7`, '--text']), /^page \/7\n/)
    const { code, stderr } = await run(['archive', 'drain'])
    assert.deepEqual([code, /Name the bucket to empty with mode=read/.test(stderr)], [2, true], stderr)
  })

  it('stops a crawl at its start if the bucket or the key is wrong, without showing the secret', async (t) => {
    const { origin, requests } = await serveSite(t, 3)
    const { run } = openArchive(t, server.makeBucket().replace('pages-', 'no-pages-'))
    const missing = await run(['crawl', `${origin}/`, ...FAST_FLAGS])
    assert.equal(missing.code, 1)
    assert.match(missing.stderr, /NoSuchBucket/)
    const refused = await openArchive(t).run(['crawl', `${origin}/`, ...FAST_FLAGS], {
      AWS_SECRET_ACCESS_KEY: 'wrong-secret-value',
    })
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /SignatureDoesNotMatch/)
    assert.doesNotMatch(missing.stderr + refused.stderr + refused.stdout, /wrong-secret-value|not-a-secret/)
    assert.deepEqual(requests, [])
  })

  it('is not needed for seeds and page records in other buckets', async (t) => {
    const { origin } = await serveSite(t, 3)
    const [seedBucket, pageBucket] = [server.makeBucket(), server.makeBucket()]
    const open = (url: string) => {
      const location = parseS3Url(url)
      assert.ok(location !== null)
      const client = new S3Client(location, S3_ENVIRONMENT)
      t.after(() => client.close())
      return client
    }
    await open(seedBucket).put('seeds.json', Buffer.from(JSON.stringify([`${origin}/`])))
    const data = join(makeTemporaryFolder(t), 'data')
    const run = (args: string[]) => runProgram([...args, '--data', data], { env: S3_ENVIRONMENT })
    const crawl = await run(['crawl', '--seeds', seedBucket.replace('?', '/seeds.json?'), ...FAST_FLAGS])
    assert.equal(crawl.code, 0, crawl.stderr)
    const missing = await run(['crawl', '--seeds', seedBucket.replace('?', '/none.txt?'), ...FAST_FLAGS])
    assert.match(missing.stderr, /^orbweaver: GET s3:\/\/pages-\d+\/archive\/none\.txt: status 404, NoSuchKey/)

    const flags = ['export', parseSummary(crawl).crawl_id, '--format', 'pages.jsonl', '--out', pageBucket]
    for (let times = 0; times < 2; times++) {
      const exported = await run(flags)
      assert.equal(exported.code, 0, exported.stderr)
      assert.match(exported.stderr, /^Wrote 4 pages \(/)
    }
    const client = open(pageBucket)
    const keys = (await Array.fromAsync(client.list())).map(({ key }) => key)
    assert.equal(keys.length, 4)
    for (const key of keys) {
      assert.match(key, /^127\.0\.0\.1\/\d{4}\/\d\d\/\d\d\/[0-9a-f]+-\d+\.json\.gz$/)
      const record = JSON.parse(String(gunzipSync(await client.readAll(key)))) as { original_url: string }
      assert.ok(record.original_url.startsWith(origin))
    }
  })

  it('is read by a server, which searches it, and has nothing left of a crawl that was deleted', async (t) => {
    const { origin } = await serveSite(t, 400)
    const { data, run, shown, bucket } = openArchive(t)
    const crawl = await run(['crawl', `${origin}/`, ...FAST_FLAGS, '--archive-cache', '0'])
    assert.equal(crawl.code, 0, crawl.stderr)
    const { crawl_id } = parseSummary(crawl)
    const env = { ...S3_ENVIRONMENT, ORBWEAVER_ARCHIVE_STORE: bucket }
    const { address, stop } = await startServer(t, { data, env })
    const request = async (path: string, init?: RequestInit) => (await fetch(`${address}/api/v1${path}`, init)).json()
    const found = await waitUntil(async () => {
      const { results } = (await request('/search?q=page')) as { results?: unknown[] }
      return results !== undefined && results.length > 0 ? results : null
    })
    assert.ok(found.length > 0)
    await fetch(`${address}/api/v1/crawls/${crawl_id}`, { method: 'DELETE' })
    await waitUntil(async () => ((await request('/crawls')) as { items: unknown[] }).items.length === 0)
    assert.equal(await stop(), 0)
    assert.match(await shown(['archive', 'expire']), /Deleted 1 segment and freed/)
    assert.match(await shown(['archive', 'verify']), /^0 records in 0 segments/)
  })
})
