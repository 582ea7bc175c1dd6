// Crawls and indexes a site with the real program. A folder that holds the complete crawl of the same site is reused.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSummary, runProgram } from '../../test/testing/program.ts'
import type { BenchPostgres } from '../harness/bench-postgres.ts'
import { type Site, serveSite } from './serve-site.ts'

export interface CrawlTarget {
  /** The folder for the data of all sites. */
  data: string
  /** Name of the engine. */
  name: string
  /** Null if the store and the index are SQLite files. */
  postgres: BenchPostgres | null
  /** Null if the index is in the store. */
  search: string | null
  reindex: boolean
}

/** Trap detection would rightly exclude documents that are short or much alike. */
const CRAWL_FLAGS = ['--allow-private', '--ignore-robots', '--no-traps', '--delay', '0', '--per-host', '8', '--json']

/** Returns the flags that name the store and the index. */
export async function crawlAndIndex(site: Site, target: CrawlTarget): Promise<string[]> {
  const { data, postgres, search, reindex } = target
  const name = `${site.name}-${target.name}`
  const folder = join(data, name)
  // Written last, so that a crawl or an index that was interrupted starts over.
  const marker = `${folder}.complete`
  const isComplete = existsSync(marker) && readFileSync(marker, 'utf8') === site.fingerprint
  if (!isComplete) {
    rmSync(marker, { force: true })
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(data, { recursive: true })
  }
  const database = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '_')
  const storeFlags = ['--data', folder]
  if (postgres !== null) {
    const url = isComplete ? postgres.selectDatabase(database) : await postgres.createDatabase(database)
    storeFlags.push('--store', url)
  }
  if (!isComplete) await crawl(site, storeFlags)
  // If the index is complete and has the current version, `run` does nothing.
  const searchFlags = search === null ? [] : ['--search', search]
  await run(['index', reindex ? 'rebuild' : 'run', ...storeFlags, ...searchFlags, '--json'])
  if (postgres !== null) await postgres.query('vacuum analyze')
  writeFileSync(marker, site.fingerprint)
  return [...storeFlags, ...searchFlags]
}

async function crawl(site: Site, storeFlags: string[]): Promise<void> {
  const { origin, close } = await serveSite(site)
  try {
    const seeds = site.seeds.map((path) => origin + path)
    const result = await run(['crawl', ...seeds, ...storeFlags, ...CRAWL_FLAGS, ...site.crawlFlags])
    const { status, states } = parseSummary(result)
    const visited = states['visited'] ?? 0
    if (status !== 'completed' || (site.urls !== null && visited !== site.urls)) {
      throw new Error(`The crawl of ${site.name} is ${status} with ${visited} of ${site.urls ?? 'all'} URLs visited.`)
    }
  } finally {
    close()
  }
}

async function run(args: string[]) {
  const result = await runProgram(args)
  if (result.code !== 0) throw new Error(`orbweaver ${args[0]} exited with code ${result.code}: ${result.stderr}`)
  return result
}
