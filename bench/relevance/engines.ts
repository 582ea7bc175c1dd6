// The engines that a benchmark measures, and where they keep their data.

import { join } from 'node:path'
import { processCpuMs } from '../../test/testing/cpu-time.ts'
import { type BenchPostgres, startBenchPostgres } from '../harness/bench-postgres.ts'
import { crawlAndIndex } from './crawl-and-index.ts'
import { type OpenSearch, openSearch } from './open-search.ts'
import type { Site } from './serve-site.ts'

export const ENGINES = ['sqlite', 'postgres'] as const
export type EngineName = (typeof ENGINES)[number]

export interface Engine {
  name: EngineName
  /** Crawls and indexes the site unless that was done before, and opens it for queries. */
  open(site: Site): Promise<OpenSearch>
  /** Of this process and of the database server. */
  readCpuMs(): number
  stop(): Promise<void>
}

export interface EngineOptions {
  /** The folder for the data of all sites. */
  data: string
  reindex: boolean
}

export async function startEngine(name: EngineName, { data, reindex }: EngineOptions): Promise<Engine> {
  const postgres: BenchPostgres | null = name === 'postgres' ? await startBenchPostgres(join(data, 'postgres')) : null
  return {
    name,
    open: async (site) => openSearch(await crawlAndIndex(site, { data, postgres, reindex })),
    readCpuMs: () => processCpuMs() + (postgres?.liveCpuMs() ?? 0),
    async stop() {
      await postgres?.stop()
    },
  }
}
