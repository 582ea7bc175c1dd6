// Mounts the compat routes with their extra dependencies: the frontier and the archive for external crawlers, and the
// environment variables with the defaults of crawl runs.

import type { Hono } from 'hono'
import type { ApiDependencies } from '../api/handlers.ts'
import type { ApiEnv } from '../api/http/request-context.ts'
import { mountCrawlRuns } from '../compat/crawl-runs/routes.ts'
import { readRunDefaults } from '../compat/crawl-runs/run-config.ts'
import { mountExternalCrawlers } from '../compat/external-crawlers/routes.ts'
import type { Config } from '../config/schema.ts'
import type { ServiceThread } from '../lib/service-thread.ts'
import type { ArchiveWriter } from '../ports/archive.ts'
import type { Frontier } from '../ports/frontier.ts'
import type { Contents } from '../ports/pages.ts'

export interface CompatInputs {
  config: Config
  store: ServiceThread
  openArchive(): Promise<Pick<ArchiveWriter, 'append'>>
}

/** Throws if an environment variable has an invalid value. */
export function createCompatMount({ config, store, openArchive }: CompatInputs) {
  const defaults = readRunDefaults(process.env, config)
  const frontier = store.client.service<Frontier>('frontier')
  const contents = store.client.service<Contents>('contents')
  return (app: Hono<ApiEnv>, dependencies: ApiDependencies): void => {
    mountCrawlRuns(app, { ...dependencies, frontier }, defaults)
    mountExternalCrawlers(app, { ...dependencies, frontier, contents, openArchive })
  }
}
