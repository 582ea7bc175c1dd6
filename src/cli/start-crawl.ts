// Creates or resumes a crawl and runs it in the right place: in this process, on the workers of a store, or on the server
// that uses the data directory or is named by --server.

import type { Client } from '../api/client.ts'
import { toCrawlSettings, toSettingsJson } from '../config/crawl-settings.ts'
import { defaultConfig } from '../config/load-config.ts'
import type { Config } from '../config/schema.ts'
import { jsonLine } from '../engine/export/jsonl.ts'
import { AppError } from '../lib/errors.ts'
import type { Crawl, Crawls, NewCrawl } from '../ports/crawls.ts'
import type { UrlKind } from '../ports/visits.ts'
import { serverCrawlSource, storeCrawlSource } from './crawl-source.ts'
import { isInUse } from './find-owner.ts'
import { followCrawl } from './foreground/follow-crawl.ts'
import { formatCommand } from './format/format-command.ts'
import type { ControlSession, CrawlSession, Io } from './io.ts'
import { withReadSession } from './with-read-session.ts'

/** Creates or resumes a crawl in a store. */
type CreateOrResume = (crawls: Crawls) => Promise<Crawl>

/** Sends only the settings that differ from the defaults; the server's own defaults apply to the rest. */
export async function startOnServer(client: Client, newCrawl: NewCrawl, config: Config, io: Io): Promise<number> {
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
  if (!config.detach) return followCrawl(serverCrawlSource(crawl_id, client), config, io)
  printCrawl({ id: crawl_id, rootUrl: root_url }, 'Started', { config, io })
  return 0
}

export function printCrawl(
  { id, rootUrl }: Pick<Crawl, 'id' | 'rootUrl'>,
  action: 'Started' | 'Resumed',
  { config, io }: { config: Config; io: Io },
): void {
  if (config.json) io.stdout.write(jsonLine({ type: 'crawl', crawl_id: id, root_url: rootUrl }))
  else
    io.stdout.write(
      `${action} crawl ${id}. See its status with: ${formatCommand(io.program, `status ${id.slice(0, 8)}`, config)}\n`,
    )
}

export async function startOnWorkers(config: Config, io: Io, start: CreateOrResume): Promise<number> {
  const controlSession = await io.openControlSession(config, true)
  try {
    if (config.store === null && controlSession.owner?.roles.includes('worker') !== true) {
      throw new AppError(
        'USAGE',
        `--detach needs a process that runs the crawl: start one with "${formatCommand(io.program, 'start', config)}", or name a Postgres database with --store.`,
      )
    }
    printCrawl(await start(controlSession.crawls), 'Started', { config, io })
    return 0
  } finally {
    await controlSession.close()
  }
}

/** Runs a crawl in this process. If a server has the data directory, it runs the crawl, and this process shows it. */
export async function startHere(
  config: Config,
  io: Io,
  {
    create,
    start,
    run,
  }: { create: boolean; start: CreateOrResume; run(crawl: Crawl, session: CrawlSession): Promise<number> },
): Promise<number> {
  const crawlSession = await openCrawlSession(config, io, create)
  if ('owner' in crawlSession) return startOnOwner(crawlSession, config, io, start)
  try {
    return await run(await start(crawlSession.crawls), crawlSession)
  } finally {
    await crawlSession.close()
  }
}

/** A control session if another process has the data directory. */
async function openCrawlSession(config: Config, io: Io, create: boolean): Promise<CrawlSession | ControlSession> {
  try {
    return await io.openCrawlSession(config, create)
  } catch (error) {
    if (!isInUse(error, config)) throw error
    const controlSession = await io.openControlSession(config, create)
    if (controlSession.owner !== null) return controlSession
    // The owner has ended meanwhile.
    await controlSession.close()
    return io.openCrawlSession(config, create)
  }
}

async function startOnOwner(
  { owner, crawls, close }: ControlSession,
  config: Config,
  io: Io,
  start: CreateOrResume,
): Promise<number> {
  try {
    if (owner?.roles.includes('worker') !== true) {
      throw new AppError(
        'DATA_IN_USE',
        `The data directory ${config.data} is in use by process ${owner?.pid}, which runs no other crawls. Wait until it ends, choose another --data directory, or run a server instead, which runs many crawls: ${formatCommand(io.program, 'start', config)}`,
      )
    }
    const crawl = await start(crawls)
    io.stderr.write(`The server with this data directory (pid ${owner.pid}) runs the crawl.\n`)
    return await withReadSession(config, io, (session) => followCrawl(storeCrawlSource(crawl, session), config, io))
  } finally {
    await close()
  }
}
