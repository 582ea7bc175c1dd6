// The engines that a benchmark measures, and where they keep their data.

import { join } from 'node:path'
import { processCpuMs } from '../../test/testing/cpu-time.ts'
import { startBenchOpenSearch } from '../harness/bench-opensearch.ts'
import { startBenchPostgres } from '../harness/bench-postgres.ts'
import { crawlAndIndex } from './crawl-and-index.ts'
import { type OpenSearch, openSearch } from './open-search.ts'
import type { Site } from './serve-site.ts'

export const ENGINES = ['sqlite', 'postgres', 'opensearch'] as const
export type EngineName = (typeof ENGINES)[number]

export interface Engine {
  name: EngineName
  /** Crawls and indexes the site unless that was done before, and opens it for queries. */
  open(site: Site): Promise<OpenSearch>
  /** CPU time of this process, the database server and the search engine. */
  readCpuMs(): number
  stop(): Promise<void>
}

export interface EngineOptions {
  /** The folder for the data of all sites. */
  data: string
  /** Later runs reuse the data. */
  isKept: boolean
  reindex: boolean
}

export async function startEngine(name: EngineName, { data, isKept, reindex }: EngineOptions): Promise<Engine> {
  const keepIn = isKept ? join(data, 'postgres') : null
  const postgres = name === 'sqlite' ? null : await startBenchPostgres({ keepIn })
  // Data of the engine is not kept, so the index is built again.
  const node = name === 'opensearch' ? await startBenchOpenSearch() : null
  const openIndex = async (site: Site) => {
    const search = node?.makeSearchUrl() ?? null
    return openSearch(await crawlAndIndex(site, { data, name, postgres, search, reindex: reindex || node !== null }))
  }
  return {
    name,
    open: openIndex,
    readCpuMs: () => processCpuMs() + (postgres?.liveCpuMs() ?? 0) + (node?.cpuMs() ?? 0),
    async stop() {
      await node?.stop()
      await postgres?.stop()
    },
  }
}
