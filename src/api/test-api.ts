// A real server on a free port over a real store in a directory of its own, for tests. Answers are checked against their
// schemas.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeSite } from '../../test/sites/graph.ts'
import { loadConfig } from '../config/load.ts'
import { type Config, SETTING_NAMES } from '../config/schema.ts'
import { serveSites } from '../demo/serve.ts'
import { type Fields, type OpenLog, openLog } from '../lib/log.ts'
import type { Tokens } from '../ports/access.ts'
import type { Crawl } from '../ports/crawls.ts'
import { openApi, type RunningApi } from '../setup/api.ts'
import { Workshop } from '../setup/workshop.ts'
import { type Client, createClient } from './client.ts'
import { SCOPES, type Scope } from './contract/route.ts'
import { makeToken } from './guard/tokens.ts'

export interface TestApi {
  address: string
  /** Where the store and the archive are. */
  data: string
  workshop: Workshop
  /** Without a token. */
  client: Client
  /** What the log wrote, from the level info on. */
  lines: Fields[]
  /** One of each scope. */
  tokens: Record<Scope, string>
  as(scope: Scope): Client
  ask(path: string, init?: RequestInit): Promise<Response>
  /** Crawls a generated site to its end. */
  crawlSite(pages?: number): Promise<Crawl>
  stop(graceMs: number): Promise<void>
  close(): Promise<void>
}

export async function startTestApi(flags: string[] = [], hasTokens = true): Promise<TestApi> {
  const data = mkdtempSync(join(tmpdir(), 'orbweaver-api-'))
  const common = ['--data', data, '--port', '0', '--threads', '1', '--min-free-disk', '0', '--durability', 'process']
  const { config } = loadConfig([...common, ...flags], {}, SETTING_NAMES)
  const workshop = await Workshop.open(config, 'wtest', true)
  const clear = async () => {
    await workshop.close()
    rmSync(data, { recursive: true, force: true })
  }
  const tokens = await makeTokens(hasTokens ? workshop : null)
  const lines: Fields[] = []
  const write = (line: string) => lines.push(JSON.parse(line) as Fields)
  const api = await open(config, workshop, openLog({ write }, Date.now, { format: 'json', level: 'info' })).catch(
    async (error: unknown) => {
      await clear()
      throw error
    },
  )
  const { address } = api
  let isStopped = false
  const stop = async (graceMs: number) => {
    isStopped = true
    await api.stop(graceMs)
  }
  return {
    address,
    data,
    workshop,
    client: createClient({ baseUrl: address }),
    lines,
    tokens,
    as: (scope) => createClient({ baseUrl: address, token: tokens[scope] }),
    ask: (path, init) => fetch(`${address}${path}`, init),
    crawlSite: (pages = 40) => crawlSite(workshop, address, pages, tokens.admin),
    stop,
    async close() {
      if (!isStopped) await api.stop(1000)
      await clear()
    },
  }
}

function open(config: Config, workshop: Workshop, log: OpenLog): Promise<RunningApi> {
  const { store } = workshop
  return openApi({
    ...{ config, log, store, version: '0.0.0-test', checksAnswers: true },
    openArchive: () => workshop.openArchive(),
    metrics: async () => [],
    isStopping: () => false,
    heldHere: () => workshop.holds.held,
    onMemoryShort: (clear) => workshop.memory.addCache(clear),
  })
}

async function makeTokens(workshop: Workshop | null): Promise<Record<Scope, string>> {
  const made = SCOPES.map((scope) => ({ scope, ...makeToken({ name: scope, scope }, Date.now()) }))
  for (const { row } of made) await workshop?.store.client.service<Tokens>('tokens').add(row)
  return Object.fromEntries(made.map(({ scope, token }) => [scope, token])) as Record<Scope, string>
}

async function crawlSite(workshop: Workshop, address: string, pages: number, token: string): Promise<Crawl> {
  const web = await serveSites([makeSite(7, { pages })])
  try {
    const client = createClient({ baseUrl: address, token })
    const urls = web.placed.map(({ origin }) => `${origin}/`)
    const settings = { allow_private: true, delay: 0, per_host: 8, cooldown: 0, retry_delay: 1 }
    const { crawl_id } = await client.createCrawl({ body: { urls, settings } })
    const shift = await workshop.begin(await workshop.crawls.find(crawl_id))
    await shift.run(new Promise<never>(() => undefined))
    return await workshop.crawls.find(crawl_id)
  } finally {
    await web.close()
  }
}
