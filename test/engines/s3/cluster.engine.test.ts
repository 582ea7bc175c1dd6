// Workers on a database that share an archive in object storage, with kills, lost machines and outages.

import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { seededRandom } from '../../../src/lib/seeded-random.ts'
import { makeTestDatabase } from '../../../src/store/testing/test-database.ts'
import { waitForRow } from '../../e2e/testing/test-cluster.ts'
import { servePlainSite } from '../../sites/plain-site.ts'
import { makeTemporaryFolder, type Program, runProgram, startProgram } from '../../testing/program.ts'
import { openTcpProxy } from '../../testing/tcp-proxy.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { S3_ENVIRONMENT, type S3Server, startS3Server } from './s3-server.ts'

const CRAWL = ['--allow-private', '--ignore-robots', '--delay', '0', '--per-host', '4', '--no-traps', '--detach']
const WORKER = ['--health-port', '0', '--threads', '1', '--segment-size', '1m', '--segment-age', '1000']
const seed = Number(process.env['TEST_GRAPH_SEED'] ?? 4711)

/** Hardly compressible, so that segments fill: about 1 KB. */
function noiseOf(path: string): string {
  return Array.from({ length: 12 }, (_, i) => hash('sha512', `${path} ${i}`, 'base64')).join(' ')
}

const serveSite = (t: TestContext, pages: number, afterMs = 0) =>
  servePlainSite(t, (path) => {
    if (path === '/') return Array.from({ length: pages }, (_, i) => `<a href="/${i}">x</a>`).join('')
    return { body: `<p>page ${path}</p><p>${noiseOf(path)}</p>`, afterMs }
  })

async function openCluster(t: TestContext, bucket: string) {
  const database = await makeTestDatabase()
  const db = new pg.Client({ connectionString: database.url })
  await db.connect()
  t.after(async () => {
    await db.end()
    await database.drop()
  })
  const env = { ...S3_ENVIRONMENT, ORBWEAVER_ARCHIVE_STORE: bucket, ORBWEAVER_STORE: database.url }
  const makeFolder = () => join(makeTemporaryFolder(t), 'data')
  const work = (data: string, flags: string[] = []): Program => {
    const program = startProgram(['worker', '--data', data, '--lease', '3000', ...WORKER, ...flags], { env })
    t.after(() => program.child.kill('SIGKILL'))
    return program
  }
  const shown = async (args: string[], data = makeFolder()) => {
    const { code, stdout, stderr } = await runProgram([...args, '--data', data], { env })
    assert.equal(code, 0, `${args.join(' ')}: ${stdout}${stderr}`)
    return stdout
  }
  return {
    work,
    shown,
    makeFolder,
    crawl: (origin: string) => shown(['crawl', `${origin}/`, ...CRAWL]),
    until: (statement: string) => waitForRow(db, statement),
    untilDone: () => waitForRow(db, `select 1 from crawls where status = 'completed'`),
    async visited(): Promise<number> {
      return Number((await db.query('select count(*) as n from pages')).rows[0]?.n)
    },
  }
}

async function stop({ child, ended }: Program): Promise<void> {
  child.kill('SIGTERM')
  const { code, stderr } = await ended
  assert.equal(code, 0, stderr)
}

async function kill({ child, ended }: Program): Promise<void> {
  child.kill('SIGKILL')
  await ended
}

const ALL_READ = /\nEvery record can be read, and every page has its content\.\n$/

describe('workers with an archive in object storage', () => {
  let server: S3Server
  const cleanups: (() => unknown)[] = []
  before(async () => {
    server = await startS3Server({ after: (cleanUp) => cleanups.push(cleanUp) })
  })
  after(async () => {
    for (const cleanUp of cleanups) await cleanUp()
  })

  it('leave pages that any process reads, after their machines are gone', async (t) => {
    const cluster = await openCluster(t, server.makeBucket())
    const { origin } = await serveSite(t, 1200, 5)
    const folders = [cluster.makeFolder(), cluster.makeFolder()]
    const workers = folders.map((folder) => cluster.work(folder))
    await cluster.until(`select 1 from workers where state = 'working' having count(*) = 2`)
    await cluster.crawl(origin)
    await cluster.untilDone()
    // The last pages may still be in an open segment, which another process reads from its worker.
    assert.match(await cluster.shown(['page', `${origin}/7`, '--text']), /^page \/7\n/)
    assert.match(await cluster.shown(['archive', 'verify']), ALL_READ)
    await Promise.all(workers.map(stop))
    const writers = new Set(folders.map((folder) => readdirSync(join(folder, 'archive', 'cache'))[0]?.split('-')[1]))
    assert.equal(writers.size, 2)
    for (const folder of folders) rmSync(folder, { recursive: true })
    assert.match(await cluster.shown(['archive', 'verify']), ALL_READ)
    assert.match(await cluster.shown(['page', `${origin}/1199`, '--text']), /^page \/1199\n/)
    const [id] = (await cluster.shown(['crawls'])).match(/\b[0-9a-z]{8,}\b/) ?? []
    const out = join(makeTemporaryFolder(t), 'out.warc.gz')
    await cluster.shown(['export', id ?? '', '--format', 'warc', '--out', out])
  })

  it('upload what a killed one left, even if no crawl is running', async (t) => {
    const cluster = await openCluster(t, server.makeBucket())
    const { origin } = await serveSite(t, 20)
    const data = cluster.makeFolder()
    const killed = cluster.work(data, ['--segment-age', '3600000'])
    await cluster.crawl(origin)
    await cluster.untilDone()
    await kill(killed)
    assert.deepEqual(readdirSync(join(data, 'archive', 'cache')), [])
    const next = cluster.work(data)
    await waitUntil(() => readdirSync(join(data, 'archive', 'cache')).length === 1)
    await stop(next)
    rmSync(data, { recursive: true })
    assert.match(await cluster.shown(['archive', 'verify']), ALL_READ)
  })

  it('do not start without their bucket', async (t) => {
    const cluster = await openCluster(t, server.makeBucket().replace('pages-', 'no-pages-'))
    const { code, stderr } = await cluster.work(cluster.makeFolder()).ended
    assert.equal(code, 1)
    assert.match(stderr, /NoSuchBucket/)
  })

  it(`lose nothing when they are killed at any moment (seed ${seed})`, async (t) => {
    const cluster = await openCluster(t, server.makeBucket())
    const { origin } = await serveSite(t, 3000, 5)
    await cluster.crawl(origin)
    const random = seededRandom(seed).next
    const data = cluster.makeFolder()
    for (let kills = 0; kills < 6; kills++) {
      const worker = cluster.work(data, ['--archive-cache', '0'])
      const before = await cluster.visited()
      await cluster.until(`select 1 from pages having count(*) > ${before}`)
      await sleep(random() * 1500)
      await kill(worker)
    }
    const last = cluster.work(data, ['--archive-cache', '0'])
    await cluster.untilDone()
    await stop(last)
    rmSync(data, { recursive: true })
    assert.equal(await cluster.visited(), 3001)
    assert.match(await cluster.shown(['archive', 'verify']), ALL_READ)
  })

  it('lose no page even with their machine, if pages are uploaded before their commit', async (t) => {
    const cluster = await openCluster(t, server.makeBucket())
    const { origin } = await serveSite(t, 1500, 5)
    await cluster.crawl(origin)
    for (let machines = 0; machines < 3; machines++) {
      const data = cluster.makeFolder()
      const worker = cluster.work(data, ['--upload-before-commit'])
      const before = await cluster.visited()
      await cluster.until(`select 1 from pages having count(*) > ${before}`)
      await sleep(500)
      await kill(worker)
      rmSync(data, { recursive: true })
      assert.match(await cluster.shown(['archive', 'verify']), ALL_READ)
    }
    const last = cluster.work(cluster.makeFolder(), ['--upload-before-commit'])
    await cluster.untilDone()
    await kill(last)
    assert.equal(await cluster.visited(), 1501)
    assert.match(await cluster.shown(['archive', 'verify']), ALL_READ)
  })

  /**
   * Cuts the connection to the bucket in mid-crawl, for some seconds after the workers noticed. Returns how many requests
   * were repeated.
   */
  async function interruptUploads(t: TestContext, pages: number, flags: string[]): Promise<number> {
    const proxy = await openTcpProxy({ host: '127.0.0.1', port: server.port })
    t.after(() => proxy.close())
    const cluster = await openCluster(t, server.makeBucket(proxy.port))
    const { origin, requests } = await serveSite(t, pages)
    const data = cluster.makeFolder()
    const worker = cluster.work(data, flags)
    await cluster.until(`select 1 from workers where state = 'working'`)
    await cluster.crawl(origin)
    await cluster.until('select 1 from pages having count(*) > 100')
    proxy.refuse()
    await cluster.until(`select 1 from workers where figures::jsonb ->> 'held' = 'archive_store'`)
    // Requests in flight end; then nothing more is fetched.
    await sleep(2000)
    const { length } = requests
    await sleep(2000)
    assert.ok(requests.length - length <= 4, `${requests.length - length} requests during the hold`)
    assert.ok(length < pages, 'the crawl was over before the hold')
    assert.match(worker.stderrText(), /archive upload failed, trying again/)
    proxy.restore()
    await cluster.untilDone()
    await stop(worker)
    assert.match(worker.stderrText(), /archive uploads continue/)
    assert.equal(await cluster.visited(), pages + 1)
    rmSync(data, { recursive: true })
    assert.match(await cluster.shown(['archive', 'verify']), ALL_READ)
    return requests.length - pages - 1
  }

  it('are on hold while the bucket cannot be reached, and continue by themselves', async (t) => {
    assert.equal(await interruptUploads(t, 5000, ['--max-upload-backlog', '2m']), 0)
  })

  it('are on hold while nothing can be uploaded before its commit, and continue by themselves', async (t) => {
    // Visits that wait for their commit are late if the lease ends before the outage, and are fetched again.
    assert.ok((await interruptUploads(t, 2000, ['--upload-before-commit'])) < 400)
  })

  it('stop within seconds while nothing can be uploaded before its commit, and fetch it again later', async (t) => {
    const proxy = await openTcpProxy({ host: '127.0.0.1', port: server.port })
    t.after(() => proxy.close())
    const cluster = await openCluster(t, server.makeBucket(proxy.port))
    const { origin } = await serveSite(t, 2000)
    const data = cluster.makeFolder()
    const worker = cluster.work(data, ['--upload-before-commit'])
    await cluster.until(`select 1 from workers where state = 'working'`)
    await cluster.crawl(origin)
    await cluster.until('select 1 from pages having count(*) > 100')
    proxy.refuse()
    await cluster.until(`select 1 from workers where figures::jsonb ->> 'held' = 'archive_store'`)
    const stoppedAt = Date.now()
    await stop(worker)
    assert.ok(Date.now() - stoppedAt < 20_000, `${Date.now() - stoppedAt} ms`)
    assert.match(worker.stderrText(), /archive segments are not uploaded/)
    proxy.restore()
    const next = cluster.work(data, ['--upload-before-commit'])
    await cluster.untilDone()
    await stop(next)
    assert.equal(await cluster.visited(), 2001)
    rmSync(data, { recursive: true })
    assert.match(await cluster.shown(['archive', 'verify']), ALL_READ)
  })
})
