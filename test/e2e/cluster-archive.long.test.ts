// Pages archived by several workers, each in its own folder or all in one, read and dropped with the real program.

import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import pg from 'pg'
import { makeTestDatabase } from '../../src/store/testing/test-database.ts'
import { servePlainSite } from '../sites/plain-site.ts'
import { makeTemporaryFolder, type Program, runProgram, startProgram } from '../testing/program.ts'
import { waitForRow } from './testing/test-cluster.ts'

const CRAWL = ['--allow-private', '--ignore-robots', '--delay', '0', '--per-host', '4', '--no-traps', '--detach']
/** Enough for several segments, and to last until three workers have taken part. */
const PAGES = 2000

class ArchiveCluster {
  readonly #t: TestContext
  readonly #db: pg.Client
  readonly url: string

  private constructor(t: TestContext, url: string, db: pg.Client) {
    this.#t = t
    this.url = url
    this.#db = db
  }

  static async open(t: TestContext): Promise<ArchiveCluster> {
    const database = await makeTestDatabase()
    const db = new pg.Client({ connectionString: database.url })
    await db.connect()
    t.after(async () => {
      await db.end()
      await database.drop()
    })
    return new ArchiveCluster(t, database.url, db)
  }

  work(data: string): Program {
    const flags = ['--health-port', '0', '--threads', '1', '--segment-size', '1m', '--lease', '3000']
    const program = startProgram(['worker', '--store', this.url, '--data', data, ...flags])
    this.#t.after(() => program.child.kill('SIGKILL'))
    return program
  }

  run(args: string[], data: string) {
    return runProgram([...args, '--store', this.url, '--data', data])
  }

  async shown(args: string[], data: string): Promise<string> {
    const { code, stdout, stderr } = await this.run(args, data)
    assert.equal(code, 0, `${args.join(' ')}: ${stdout}${stderr}`)
    return stdout
  }

  /** Creates a crawl for the workers. */
  async crawl(origin: string): Promise<void> {
    await this.shown(['crawl', `${origin}/`, ...CRAWL], makeTemporaryFolder(this.#t))
  }

  /** Repeats the statement until it returns a row. */
  async until(text: string): Promise<void> {
    await waitForRow(this.#db, text)
  }

  async untilDone(crawls: number): Promise<void> {
    await this.until(`select 1 from crawls where status = 'completed' having count(*) = ${crawls}`)
  }

  async untilAtWork(workers: number): Promise<void> {
    await this.until(`select 1 from workers where state = 'working' having count(*) = ${workers}`)
  }

  /** Makes every page expire. */
  async age(): Promise<void> {
    await this.#db.query('update pages set expires_at = 1')
  }
}

async function stop({ child, ended }: Program): Promise<void> {
  child.kill('SIGTERM')
  const { code, stderr } = await ended
  assert.equal(code, 0, stderr)
}

function segmentsIn(data: string): string[] {
  return readdirSync(join(data, 'archive')).filter((name) => name.includes('.warc.'))
}

/** Hardly compressible, so that segments fill. */
function noiseOf(path: string): string {
  return Array.from({ length: 12 }, (_, i) => hash('sha512', `${path} ${i}`, 'base64')).join(' ')
}

const site = (t: TestContext, name: string, pages: number, afterMs: () => number = () => 0) =>
  servePlainSite(t, (path) => {
    if (path === '/') return Array.from({ length: pages }, (_, i) => `<a href="/${i}">x</a>`).join('')
    return { body: `<p>${name} ${path}</p><p>${noiseOf(path)}</p>`, afterMs: afterMs() }
  })

describe('pages archived by workers in their own folders', () => {
  it('are read from the workers that have them, and dropped by those', async (t) => {
    const archiveCluster = await ArchiveCluster.open(t)
    const [one, two] = [await site(t, 'one', 3), await site(t, 'two', 3)]
    const [a, b, elsewhere] = ['a', 'b', 'c'].map((name) => join(makeTemporaryFolder(t), name)) as [
      string,
      string,
      string,
    ]
    const first = archiveCluster.work(a)
    await archiveCluster.crawl(one.origin)
    await archiveCluster.untilDone(1)
    await stop(first)
    const second = archiveCluster.work(b)
    await archiveCluster.crawl(two.origin)
    await archiveCluster.untilDone(2)

    const page = (origin: string) => archiveCluster.run(['page', `${origin}/1`, '--text'], elsewhere)
    assert.match((await page(two.origin)).stdout, /^two \/1\n/)
    const missing = await page(one.origin)
    assert.equal(missing.code, 1)
    assert.match(
      missing.stderr,
      /^orbweaver: \S+ is on worker w\w+ \(\S+:\d+\), which is not running\. Start a worker with its --data folder, or point --data at that folder\.\n$/,
    )
    assert.match(await archiveCluster.shown(['page', `${one.origin}/1`, '--text'], a), /^one \/1\n/)

    const again = archiveCluster.work(a)
    await archiveCluster.untilAtWork(2)
    assert.match((await page(one.origin)).stdout, /^one \/1\n/)
    assert.match(
      await archiveCluster.shown(['archive', 'verify'], elsewhere),
      /^0 records in 0 segments, 0 B\n8 records in other folders; one record of each segment there was read back\.\nEvery record/,
    )
    await Promise.all([stop(again), stop(second)])

    await archiveCluster.age()
    assert.match(
      await archiveCluster.shown(['archive', 'expire'], a),
      /^Deleted 8 page versions .*\nDeleted 1 segment and freed/,
    )
    assert.deepEqual([segmentsIn(a).length, segmentsIn(b).length], [0, 1])
    assert.match(await archiveCluster.shown(['archive', 'expire'], b), /^Deleted 1 segment and freed/)
    assert.deepEqual(segmentsIn(b), [])
    assert.match(await archiveCluster.shown(['archive', 'verify'], a), /^0 records/)
  })
})

describe('workers that share a folder', () => {
  it('leave the segments of the others alone, and clean up after a dead worker', async (t) => {
    const archiveCluster = await ArchiveCluster.open(t)
    // Slow until every worker has taken part.
    let pageMs = 25
    const { origin } = await site(t, 'one', PAGES, () => pageMs)
    const data = join(makeTemporaryFolder(t), 'data')
    const dying = archiveCluster.work(data)
    await archiveCluster.crawl(origin)
    await archiveCluster.until('select 1 from segments having count(*) >= 1')
    archiveCluster.work(data)
    await archiveCluster.untilAtWork(2)
    dying.child.kill('SIGKILL')
    await dying.ended
    archiveCluster.work(data)
    await archiveCluster.until('select 1 from workers having count(*) = 3')
    pageMs = 0
    await archiveCluster.untilDone(1)
    assert.match(await archiveCluster.shown(['archive', 'verify'], data), /\nEvery record can be read/)
    assert.match(await archiveCluster.shown(['page', `${origin}/77`, '--text'], data), /^one \/77\n/)
    const records = JSON.parse(await archiveCluster.shown(['archive', 'verify', '--json'], data)) as { records: number }
    assert.ok(records.records > PAGES, `${records.records} records`)
  })
})
