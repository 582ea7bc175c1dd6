// A real API server for tests, on a free port, with a real store in its own directory. Responses are validated against
// their schemas.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeSite } from '../../../test/sites/generated/make-site.ts'
import { loadConfig } from '../../config/load-config.ts'
import { type Config, SETTING_NAMES } from '../../config/schema.ts'
import { serveSites } from '../../demo/serve-sites.ts'
import { type LogFields, type OpenLog, openLog } from '../../lib/log.ts'
import type { Tokens } from '../../ports/access.ts'
import type { Crawl } from '../../ports/crawls.ts'
import { openApiServer, type RunningApi } from '../../setup/api-server.ts'
import { CrawlRuntime } from '../../setup/crawl-runtime.ts'
import { makeToken } from '../auth/tokens.ts'
import { type Client, createClient } from '../client.ts'
import { SCOPES, type Scope } from '../contract/route.ts'

export interface TestApi {
  address: string
  /** The data directory. */
  data: string
  runtime: CrawlRuntime
  /** Sends no token. */
  client: Client
  /** Lines of the log at level info and above. */
  logLines: LogFields[]
  /** One token per scope. */
  tokens: Record<Scope, string>
  clientFor(scope: Scope): Client
  request(path: string, init?: RequestInit): Promise<Response>
  /** Crawls a generated site completely. */
  crawlSite(pages?: number): Promise<Crawl>
  stop(graceMs: number): Promise<void>
  close(): Promise<void>
}

export async function startTestApi(flags: string[] = [], hasTokens = true): Promise<TestApi> {
  const data = mkdtempSync(join(tmpdir(), 'orbweaver-api-'))
  const common = ['--data', data, '--port', '0', '--threads', '1', '--min-free-disk', '0', '--durability', 'process']
  const { config } = loadConfig([...common, ...flags], {}, SETTING_NAMES)
  const crawlRuntime = await CrawlRuntime.open(config, 'wtest', { create: true })
  const clear = async () => {
    await crawlRuntime.close()
    rmSync(data, { recursive: true, force: true })
  }
  const tokens = await makeTokens(hasTokens ? crawlRuntime : null)
  const lines: LogFields[] = []
  const write = (line: string) => lines.push(JSON.parse(line) as LogFields)
  const api = await openServer(
    config,
    crawlRuntime,
    openLog({ write }, Date.now, { format: 'json', level: 'info' }),
  ).catch(async (error: unknown) => {
    await clear()
    throw error
  })
  const { address } = api
  let isStopped = false
  const stop = async (graceMs: number) => {
    isStopped = true
    await api.stop(graceMs)
  }
  return {
    address,
    data,
    runtime: crawlRuntime,
    client: createClient({ baseUrl: address }),
    logLines: lines,
    tokens,
    clientFor: (scope) => createClient({ baseUrl: address, token: tokens[scope] }),
    request: (path, init) => fetch(`${address}${path}`, init),
    crawlSite: (pages = 40) => crawlSite(crawlRuntime, address, pages, tokens.admin),
    stop,
    async close() {
      if (!isStopped) await api.stop(1000)
      await clear()
    },
  }
}

function openServer(config: Config, crawlRuntime: CrawlRuntime, log: OpenLog): Promise<RunningApi> {
  const { store } = crawlRuntime
  return openApiServer({
    config,
    log,
    store,
    version: '0.0.0-test',
    checksResponses: true,
    openArchive: () => crawlRuntime.openArchive(),
    metrics: async () => [],
    isStopping: () => false,
    localHoldReason: () => crawlRuntime.holds.reason,
    onMemoryPressure: (clear) => crawlRuntime.memoryHold.addCache(clear),
  })
}

async function makeTokens(crawlRuntime: CrawlRuntime | null): Promise<Record<Scope, string>> {
  const created = SCOPES.map((scope) => ({ scope, ...makeToken({ name: scope, scope }, Date.now()) }))
  for (const { row } of created) await crawlRuntime?.store.client.service<Tokens>('tokens').add(row)
  return Object.fromEntries(created.map(({ scope, token }) => [scope, token])) as Record<Scope, string>
}

async function crawlSite(crawlRuntime: CrawlRuntime, address: string, pages: number, token: string): Promise<Crawl> {
  const web = await serveSites([makeSite(7, { pages })])
  try {
    const client = createClient({ baseUrl: address, token })
    const urls = web.sites.map(({ origin }) => `${origin}/`)
    const settings = { allow_private: true, delay: 0, per_host: 8, cooldown: 0, retry_delay: 1 }
    const { crawl_id } = await client.createCrawl({ body: { urls, settings } })
    const runningCrawl = await crawlRuntime.startCrawl(await crawlRuntime.crawls.find(crawl_id))
    await runningCrawl.run(new Promise<never>(() => undefined))
    return await crawlRuntime.crawls.find(crawl_id)
  } finally {
    await web.close()
  }
}
