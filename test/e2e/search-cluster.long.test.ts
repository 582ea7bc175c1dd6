// Search in a cluster: workers archive pages in their own folders, and indexers have no pages.

import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import pg from 'pg'
import { makeTestDatabase } from '../../src/store/testing/test-database.ts'
import { servePlainSite } from '../sites/plain-site.ts'
import { makeTemporaryFolder, type Program, runProgram, startProgram, waitForOutput } from '../testing/program.ts'
import { renderSearchSitePage } from './testing/search-site.ts'
import { waitForRow } from './testing/test-cluster.ts'

const PAGES = 300
/** The gardens, their list and the page of markup; the noindex page and the missing one are not indexed. */
const INDEXED = PAGES + 2

const CRAWL = ['--allow-private', '--ignore-robots', '--delay', '0', '--per-host', '4', '--no-traps', '--detach']

async function openCluster(t: TestContext) {
  const { url, drop } = await makeTestDatabase()
  const db = new pg.Client({ connectionString: url })
  await db.connect()
  const programs: Program[] = []
  t.after(async () => {
    for (const { child } of programs) child.kill('SIGKILL')
    for (const { ended } of programs) await ended
    await db.end()
    await drop()
  })
  const launch = (args: string[]): Program => {
    const program = startProgram([...args, '--store', url, '--data', makeTemporaryFolder(t), '--health-port', '0'])
    programs.push(program)
    return program
  }
  return {
    db,
    url,
    work: () => launch(['serve', '--roles', 'worker,maintenance', '--threads', '1', '--lease', '3000']),
    index: () => launch(['serve', '--roles', 'indexer']),
    async run(args: string[]): Promise<string> {
      const { code, stdout, stderr } = await runProgram([...args, '--store', url, '--data', makeTemporaryFolder(t)])
      assert.equal(code, 0, `${args.join(' ')}: ${stdout}${stderr}`)
      return stdout
    },
    until: (statement: string) => waitForRow(db, statement),
  }
}

describe('search in a cluster', () => {
  it('indexers without pages fill one index, even if one of them is killed', async (t) => {
    const site = await servePlainSite(t, (path) => renderSearchSitePage(path, PAGES))
    const cluster = await openCluster(t)
    cluster.work()
    await cluster.until(`select 1 from workers where state = 'working'`)
    const killed = cluster.index()
    cluster.index()
    await cluster.run(['crawl', `${site.origin}/`, ...CRAWL])
    await cluster.until('select 1 from documents')
    killed.child.kill('SIGKILL')
    const last = cluster.index()
    await waitForOutput(last, /indexer started/)
    await cluster.until(`select 1 from crawls where status = 'completed' and not exists (select 1 from index_queue)`)

    const counts = await cluster.db.query(
      `select (select count(*) from documents) as documents, (select count(distinct page) from documents) as pages,
        (select sum(documents) from index_counts) as counted,
        (select sum(documents) from term_counts where term = 'uniq17x') as having`,
    )
    assert.deepEqual(counts.rows, [
      { documents: String(INDEXED), pages: String(INDEXED), counted: String(INDEXED), having: '1' },
    ])
    const search = async (...words: string[]) => {
      const { results, total } = JSON.parse(await cluster.run(['search', ...words, '--json'])) as {
        results: { url: string }[]
        total: number
      }
      return { paths: results.map(({ url }) => new URL(url).pathname), total }
    }
    assert.deepEqual((await search('uniq17x')).paths, ['/tree/17'])
    assert.deepEqual((await search('title:quince "bears the mark uniq14x"')).paths, ['/tree/14'])
    assert.equal((await search('watered gardener')).total, PAGES)
    assert.deepEqual((await search('hedgehog')).paths, [])
    last.child.kill('SIGTERM')
    assert.equal((await last.ended).code, 0)
    assert.match(await cluster.run(['index', 'verify']), new RegExp(`is complete: ${INDEXED} pages indexed`))
  })
})
