// Crawls from a program: starts or resumes a crawl in this process and yields its pages.

import pkg from '../../package.json' with { type: 'json' }
import { withCookieFile } from '../cli/files/cookie-file.ts'
import { checkReached } from '../cli/foreground/check-reached.ts'
import type { CrawlHandle } from '../cli/io.ts'
import { toCrawlSettings } from '../config/crawl-settings.ts'
import { newKeySeed } from '../config/key-seed.ts'
import type { Config } from '../config/schema.ts'
import { chooseSchemes } from '../engine/crawl/plan/choose-schemes.ts'
import { planCrawl } from '../engine/crawl/plan/plan-crawl.ts'
import { AppError } from '../lib/errors.ts'
import { type CrawlStatus, isActive, isUnfinished, type Ledger } from '../lib/states.ts'
import type { Crawl, Crawls } from '../ports/crawls.ts'
import type { Pages } from '../ports/pages.ts'
import { CrawlRuntime } from '../setup/crawl-runtime.ts'
import { openReadSession } from '../setup/read-session.ts'
import { startForegroundCrawl } from '../setup/start-foreground-crawl.ts'
import { newWorkerId } from '../setup/worker-process.ts'
import { checkHooks } from '../worker/hooks/check-hooks.ts'
import type { CrawlHooks } from '../worker/hooks/serve-hooks.ts'
import { buildFetcher } from '../worker/threads/build-fetcher.ts'
import { followPages } from './follow-pages.ts'
import { type CrawlOptions, toCrawlConfig } from './options.ts'
import { type Page, toPage } from './page.ts'

export interface CrawlSummary {
  crawlId: string
  /** `paused` if it was stopped; resumeCrawl continues it. */
  status: CrawlStatus
  /** URLs by state. */
  urls: Ledger
  /** Why URLs ended as they did, with counts. */
  reasons: Record<string, number>
}

/** A crawl of this process. It begins when it is iterated, or when `run` is called. */
export interface CrawlRun extends AsyncIterable<Page> {
  /** Crawls to the end without reading pages. Like the loop, it throws NOTHING_REACHED if no page could be visited. */
  run(): Promise<CrawlSummary>
  /** Finishes the requests in flight and pauses the crawl. */
  stop(): void
}

/** Crawls from one or several start URLs. */
export function crawl(
  urls: string | readonly string[],
  options: CrawlOptions = {},
  hooks: CrawlHooks | null = null,
): CrawlRun {
  const config = toCrawlConfig(options)
  return new ProcessCrawl(config, hooks, async (crawls) => crawls.create(await plan([urls].flat(), config)))
}

/** Continues a crawl that was stopped or killed, by its id or the start of it. Its own settings apply; hooks are passed again. */
export function resumeCrawl(crawlId: string, options: CrawlOptions = {}, hooks: CrawlHooks | null = null): CrawlRun {
  return new ProcessCrawl(toCrawlConfig(options), hooks, async (crawls) => {
    const { id } = await crawls.find(crawlId)
    await crawls.setPaused(id, false)
    return crawls.find(id)
  })
}

export async function plan(urls: string[], config: Config) {
  if (urls.length === 0 && config.sitemap.length === 0) throw new AppError('USAGE', 'Give at least one URL to crawl.')
  const settings = toCrawlSettings(await withCookieFile(config, urls))
  const { header: headers, proxy: proxies, timeout: timeoutMs, maxBody: maxBodyBytes } = config
  const openFetcher = async () => buildFetcher({ ...config, headers, proxies, timeoutMs, maxBodyBytes }, [])
  const chosen = await chooseSchemes(urls, openFetcher)
  return planCrawl({ urls: chosen, sitemaps: config.sitemap, settings, keySeed: newKeySeed() })
}

/** `begin` creates the crawl, or finds it. */
class ProcessCrawl implements CrawlRun {
  readonly #config: Config
  readonly #hooks: CrawlHooks | null
  readonly #begin: (crawls: Crawls) => Promise<Crawl>
  #handle: CrawlHandle | null = null
  #isStopped = false
  #isUsed = false

  constructor(config: Config, hooks: CrawlHooks | null, begin: (crawls: Crawls) => Promise<Crawl>) {
    if (hooks !== null) checkHooks(hooks)
    this.#config = config
    this.#hooks = hooks
    this.#begin = begin
  }

  [Symbol.asyncIterator](): AsyncGenerator<Page, CrawlSummary> {
    return this.#crawl(true)
  }

  async run(): Promise<CrawlSummary> {
    const { value } = await this.#crawl(false).next()
    return value as CrawlSummary
  }

  stop(): void {
    this.#isStopped = true
    this.#handle?.stop()
  }

  async *#crawl(wantsPages: boolean): AsyncGenerator<Page, CrawlSummary> {
    if (this.#isUsed) throw new AppError('USAGE', 'A crawl runs only once. Continue it with resumeCrawl.')
    this.#isUsed = true
    const config = this.#config
    await using opened = new AsyncDisposableStack()
    let hasFailed = false
    /** Errors after the first failure are less informative. */
    const unlessFailed = (error: unknown) => {
      if (!hasFailed) throw error
    }
    const close = async (each: { close(): Promise<unknown> }) => void (await each.close().catch(unlessFailed))
    const runtime = opened.adopt(await CrawlRuntime.open(config, newWorkerId(), { create: true }), close)
    const current = await this.#begin(runtime.crawls)
    if (wantsPages && current.settings.archive === 'none')
      throw new AppError('USAGE', 'Without an archive there are no pages to read: call run() instead.')
    if (this.#hooks?.extract !== undefined && current.settings.archive === 'none')
      throw new AppError(
        'USAGE',
        'The fields of the hook extract are stored with archived pages: leave out archive: none.',
      )
    const session = opened.adopt(await openReadSession(config), close)
    const afterId = await session.pages.newestId()
    const knownIds = config.store === null || !wantsPages ? null : await idsOf(current.id, session.pages)
    const handle = await startForegroundCrawl(current, { runtime, config, version: pkg.version, hooks: this.#hooks })
    this.#handle = handle
    if (this.#isStopped) handle.stop()
    let isOver = false
    const ended = handle.run().finally(() => {
      isOver = true
    })
    // It is awaited below, perhaps long after it has failed.
    ended.catch(() => {
      hasFailed = true
    })
    // Also runs if the program leaves its loop.
    opened.defer(async () => {
      handle.stop()
      await ended.catch(() => undefined)
      await pauseIfRunning(current.id, runtime).catch(unlessFailed)
    })
    if (wantsPages) {
      const hold = () => runtime.holds.take('reader_lag')
      const followed = { crawlId: current.id, pages: session.pages, afterId, knownIds }
      for await (const version of followPages({ ...followed, isOver: () => isOver, hold }))
        yield toPage(version, session)
    }
    await ended
    await pauseIfRunning(current.id, runtime)
    const summary = await summarise(current.id, runtime.crawls)
    if (!isUnfinished(summary.status)) checkReached(summary.urls, summary.reasons, nameOption)
    return summary
  }
}

/** --allow-private is the option allowPrivate. */
function nameOption(flag: string): string {
  return `the option ${flag.slice(2).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())}`
}

async function idsOf(crawlId: string, pages: Pick<Pages, 'listByCrawl'>): Promise<Set<number>> {
  const ids = new Set<number>()
  for await (const { id } of pages.listByCrawl(crawlId)) ids.add(id)
  return ids
}

async function pauseIfRunning(crawlId: string, runtime: CrawlRuntime): Promise<void> {
  const { crawl: current } = await runtime.crawls.progress(crawlId)
  if (isActive(current.status) && !(await runtime.hasOtherWorkers(crawlId)))
    await runtime.crawls.setPaused(crawlId, true)
}

async function summarise(crawlId: string, crawls: Crawls): Promise<CrawlSummary> {
  const { crawl: current, ledger } = await crawls.progress(crawlId)
  return { crawlId, status: current.status, urls: ledger, reasons: await crawls.reasons(crawlId) }
}
