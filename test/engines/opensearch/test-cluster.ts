// The real program with a store in Postgres and its index in a search engine.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import pg from 'pg'
import { parseSearchUrl } from '../../../src/config/values/search-url.ts'
import { makeTestDatabase } from '../../../src/store/testing/test-database.ts'
import { servePlainSite } from '../../sites/plain-site.ts'
import { FAST_FLAGS, makeTemporaryFolder, parseSummary, runProgram } from '../../testing/program.ts'
import type { SearchNode } from './search-node.ts'

/** Matches the output of `index verify` if nothing is wrong. */
export const VERIFIED = /^The index is complete: /

export async function openCluster(t: TestContext, node: SearchNode) {
  const database = await makeTestDatabase()
  t.after(() => database.drop())
  const search = node.makeSearchUrl()
  const data = join(makeTemporaryFolder(t), 'data')
  const env = { ORBWEAVER_STORE: database.url, ORBWEAVER_SEARCH: search, ORBWEAVER_DATA: data }
  const prefix = parseSearchUrl(search)?.prefix ?? assert.fail()
  const run = (args: string[], more: NodeJS.ProcessEnv = {}) => runProgram(args, { env: { ...env, ...more } })
  const shown = async (args: string[]) => {
    const { code, stdout, stderr } = await run(args)
    assert.equal(code, 0, `${args.join(' ')}: ${stdout}${stderr}`)
    return stdout
  }
  /** Documents that searches can find. */
  const count = async () => {
    const path = `/${prefix}/_count?ignore_unavailable=true`
    return (await node.request<{ count: number }>('GET', path)).count
  }
  /** Counts documents in all indices, including those that are not served yet. */
  const countAll = async () => {
    await node.request('POST', `/${prefix}-*/_refresh`)
    return (await node.request<{ count: number }>('GET', `/${prefix}-*/_count`)).count
  }
  const countRows = async () => {
    const client = new pg.Client(database.url)
    await client.connect()
    try {
      const { rows } = await client.query('select count(*)::int as count from documents')
      return rows[0].count as number
    } finally {
      await client.end()
    }
  }
  const indexNames = async () => Object.keys(await node.request<object>('GET', `/${prefix}-*`)).sort()
  return { env, data, prefix, search, run, shown, count, countAll, countRows, indexNames }
}

/** A start page and as many others as `pages`, crawled and not indexed. */
export async function crawlSite(t: TestContext, node: SearchNode, pages: number) {
  const cluster = await openCluster(t, node)
  const { origin } = await servePlainSite(t, (path) => {
    if (path === '/') return Array.from({ length: pages }, (_, i) => `<a href="/${i}">page number${i}</a>`).join('')
    return `<title>Page ${path}</title><p>The common text of a page with number${path.slice(1)}.</p>`
  })
  const crawled = await cluster.run(['crawl', `${origin}/`, '--json', ...FAST_FLAGS])
  const { crawl_id: crawlId } = parseSummary(crawled)
  return { ...cluster, origin, crawlId }
}
