// Creates or resumes a crawl that other processes run: the workers of a store, or a server.

import type { Client } from '../api/client.ts'
import { toCrawlSettings, toSettingsJson } from '../config/crawl-settings.ts'
import { defaultConfig } from '../config/load-config.ts'
import type { Config } from '../config/schema.ts'
import { jsonLine } from '../engine/export/jsonl.ts'
import { AppError } from '../lib/errors.ts'
import type { Crawl, NewCrawl } from '../ports/crawls.ts'
import type { UrlKind } from '../ports/frontier.ts'
import { formatCommand } from './format/format-command.ts'
import type { ControlSession, Io } from './io.ts'

/** Sends only the settings that differ from the defaults; the server's own defaults apply to the rest. */
export async function startOnServer(client: Client, newCrawl: NewCrawl, config: Config, io: Io): Promise<number> {
  if (!config.detach) throw new AppError('USAGE', 'With --server, the server runs the crawl: add --detach.')
  const settings = toSettingsJson(newCrawl.settings)
  const defaults = toSettingsJson(toCrawlSettings(defaultConfig()))
  const changed = Object.entries(settings).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(defaults[name]),
  )
  const urlsOf = (kind: UrlKind) => newCrawl.seeds.flatMap((seed) => (seed.kind === kind ? [seed.url] : []))
  const [urls, sitemaps] = [urlsOf('page'), urlsOf('sitemap')]
  const { crawl_id, root_url } = await client.createCrawl({
    body: {
      ...(urls.length === 0 ? {} : { urls }),
      ...(sitemaps.length === 0 ? {} : { sitemaps }),
      settings: Object.fromEntries(changed),
    },
  })
  printCrawl({ id: crawl_id, rootUrl: root_url }, config, io)
  return 0
}

function printCrawl({ id, rootUrl }: Pick<Crawl, 'id' | 'rootUrl'>, config: Config, io: Io): void {
  if (config.json) io.stdout.write(jsonLine({ type: 'crawl', crawl_id: id, root_url: rootUrl }))
  else
    io.stdout.write(
      `Started crawl ${id}. See its status with: ${formatCommand(io.program, `status ${id.slice(0, 8)}`, config)}\n`,
    )
}

export async function startOnWorkers(
  config: Config,
  io: Io,
  start: (controlSession: ControlSession) => Promise<Crawl>,
): Promise<number> {
  if (config.store === null) {
    throw new AppError('USAGE', '--detach needs a store that workers can share: name a Postgres database with --store.')
  }
  const controlSession = await io.openControlSession(config, true)
  try {
    printCrawl(await start(controlSession), config, io)
    return 0
  } finally {
    await controlSession.close()
  }
}
