// The dialects of the API, with what they need beyond the native routes: the frontier and the archive, for crawlers from
// outside, and the environment, where one of them has its defaults.

import type { Hono } from 'hono'
import { mountNodes } from '../api/dialects/nodes/routes.ts'
import { readRunDefaults } from '../api/dialects/runs/config.ts'
import { mountRuns } from '../api/dialects/runs/routes.ts'
import type { ApiEnv } from '../api/env.ts'
import type { ApiParts } from '../api/handlers.ts'
import type { Config } from '../config/schema.ts'
import type { ServiceThread } from '../lib/service-thread.ts'
import type { ArchiveWriter } from '../ports/archive.ts'
import type { Frontier } from '../ports/frontier.ts'
import type { Contents } from '../ports/pages.ts'

export interface DialectSource {
  config: Config
  store: ServiceThread
  openArchive(): Promise<Pick<ArchiveWriter, 'append'>>
}

/** Throws at once when the environment has bad values. */
export function dialectsOf({ config, store, openArchive }: DialectSource) {
  const defaults = readRunDefaults(process.env, config)
  const frontier = store.client.service<Frontier>('frontier')
  const contents = store.client.service<Contents>('contents')
  return (app: Hono<ApiEnv>, parts: ApiParts): void => {
    mountRuns(app, { ...parts, frontier }, defaults)
    mountNodes(app, { ...parts, frontier, contents, openArchive })
  }
}
