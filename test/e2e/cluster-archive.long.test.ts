// Pages that several workers keep, each in its folder or all in one, read and dropped with the real program.

import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import pg from 'pg'
import { makeTestDatabase } from '../../src/store/postgres/test-database.ts'
import { servePlain } from '../sites/plain.ts'
import { untilRow } from './cluster.ts'
import { type Program, run, start, temporaryFolder } from './program.ts'

const CRAWL = ['--allow-private', '--ignore-robots', '--delay', '0', '--per-host', '4', '--no-traps', '--detach']
/** Several segments, and enough to last until three workers have been there. */
const PAGES = 2000

class Cluster {
  readonly #t: TestContext
  readonly #db: pg.Client
  readonly url: string

  private constructor(t: TestContext, url: string, db: pg.Client) {
    this.#t = t
    this.url = url
    this.#db = db
  }

  static async open(t: TestContext): Promise<Cluster> {
    const database = await makeTestDatabase()
    const db = new pg.Client({ connectionString: database.url })
    await db.connect()
    t.after(async () => {
      await db.end()
      await database.drop()
    })
    return new Cluster(t, database.url, db)
  }

  work(data: string): Program {
    const flags = ['--health-port', '0', '--threads', '1', '--segment-size', '1m', '--lease', '3000']
    const program = start(['worker', '--store', this.url, '--data', data, ...flags])
    this.#t.after(() => program.child.kill('SIGKILL'))
    return program
  }

  run(args: string[], data: string) {
    return run([...args, '--store', this.url, '--data', data])
  }

  async shown(args: string[], data: string): Promise<string> {
    const { code, stdout, stderr } = await this.run(args, data)
    assert.equal(code, 0, `${args.join(' ')}: ${stdout}${stderr}`)
    return stdout
  }

  /** Hands a crawl to the workers. */
  async crawl(origin: string): Promise<void> {
    await this.shown(['crawl', `${origin}/`, ...CRAWL], temporaryFolder(this.#t))
  }

  /** Asks the database until the statement has a row. */
  async until(text: string): Promise<void> {
    await untilRow(this.#db, text)
  }

  async untilDone(crawls: number): Promise<void> {
    await this.until(`select 1 from crawls where status = 'completed' having count(*) = ${crawls}`)
  }

  async untilAtWork(workers: number): Promise<void> {
    await this.until(`select 1 from workers where state = 'working' having count(*) = ${workers}`)
  }

  /** The time of every page is over. */
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
  return readdirSync(join(data, 'archive')).filter((name) => name.includes('.warc.gz'))
}

/** Hardly to be packed, so that segments fill. */
function noiseOf(path: string): string {
  return Array.from({ length: 12 }, (_, i) => hash('sha512', `${path} ${i}`, 'base64')).join(' ')
}

const site = (t: TestContext, name: string, pages: number, afterMs: () => number = () => 0) =>
  servePlain(t, (path) => {
    if (path === '/') return Array.from({ length: pages }, (_, i) => `<a href="/${i}">x</a>`).join('')
    return { body: `<p>${name} ${path}</p><p>${noiseOf(path)}</p>`, afterMs: afterMs() }
  })

describe('pages that workers keep in folders of their own', () => {
  it('are read from whoever has them, and dropped by those', async (t) => {
    const cluster = await Cluster.open(t)
    const [one, two] = [await site(t, 'one', 3), await site(t, 'two', 3)]
    const [a, b, elsewhere] = ['a', 'b', 'c'].map((name) => join(temporaryFolder(t), name)) as [string, string, string]
    const first = cluster.work(a)
    await cluster.crawl(one.origin)
    await cluster.untilDone(1)
    await stop(first)
    const second = cluster.work(b)
    await cluster.crawl(two.origin)
    await cluster.untilDone(2)

    const page = (origin: string) => cluster.run(['page', `${origin}/1`, '--text'], elsewhere)
    assert.match((await page(two.origin)).stdout, /^two \/1\n/)
    const missing = await page(one.origin)
    assert.equal(missing.code, 1)
    assert.match(
      missing.stderr,
      /^orbweaver: \S+ is kept by worker w\w+ on \S+:\d+, which is not running\. Start a worker with its --data folder, or name that folder with --data\.\n$/,
    )
    assert.match(await cluster.shown(['page', `${one.origin}/1`, '--text'], a), /^one \/1\n/)

    const again = cluster.work(a)
    await cluster.untilAtWork(2)
    assert.match((await page(one.origin)).stdout, /^one \/1\n/)
    assert.match(
      await cluster.shown(['archive', 'verify'], elsewhere),
      /^0 records in 0 segments, 0 B\n8 records in other folders; of each segment there, one was read back\.\nEvery record/,
    )
    await Promise.all([stop(again), stop(second)])

    await cluster.age()
    assert.match(await cluster.shown(['archive', 'expire'], a), /^Dropped 8 page versions .*\nDeleted 1 segment,/)
    assert.deepEqual([segmentsIn(a).length, segmentsIn(b).length], [0, 1])
    assert.match(await cluster.shown(['archive', 'expire'], b), /^Deleted 1 segment,/)
    assert.deepEqual(segmentsIn(b), [])
    assert.match(await cluster.shown(['archive', 'verify'], a), /^0 records/)
  })
})

describe('workers that share a folder', () => {
  it('leave alone what the others write, and put in order what a dead one left', async (t) => {
    const cluster = await Cluster.open(t)
    // Slow until everybody has been there.
    let pageMs = 25
    const { origin } = await site(t, 'one', PAGES, () => pageMs)
    const data = join(temporaryFolder(t), 'data')
    const dying = cluster.work(data)
    await cluster.crawl(origin)
    await cluster.until('select 1 from segments having count(*) >= 1')
    cluster.work(data)
    await cluster.untilAtWork(2)
    dying.child.kill('SIGKILL')
    await dying.ended
    cluster.work(data)
    await cluster.until('select 1 from workers having count(*) = 3')
    pageMs = 0
    await cluster.untilDone(1)
    assert.match(await cluster.shown(['archive', 'verify'], data), /\nEvery record reads back/)
    assert.match(await cluster.shown(['page', `${origin}/77`, '--text'], data), /^one \/77\n/)
    const records = JSON.parse(await cluster.shown(['archive', 'verify', '--json'], data)) as { records: number }
    assert.ok(records.records > PAGES, `${records.records} records`)
  })
})
