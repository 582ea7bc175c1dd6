import { ARCHIVE_SETTINGS, CRAWL_PROCESS_SETTINGS } from '../../config/command-settings.ts'
import { CRAWL_SETTINGS, toCrawlSettings } from '../../config/crawl-settings.ts'
import { newKeySeed } from '../../config/key-seed.ts'
import { chooseSchemes } from '../../engine/crawl/plan/choose-schemes.ts'
import { planCrawl } from '../../engine/crawl/plan/plan-crawl.ts'
import { AppError } from '../../lib/errors.ts'
import type { Crawls } from '../../ports/crawls.ts'
import { withCookieFile } from '../files/cookie-file.ts'
import { readSeedFile } from '../files/seed-file.ts'
import { runForegroundCrawl } from '../foreground/run-foreground-crawl.ts'
import type { Command } from '../io.ts'
import { callServer, createServerClient } from '../remote-server.ts'
import { startHere, startOnServer, startOnWorkers } from '../start-crawl.ts'

export const crawl: Command = {
  usage: '<url...>',
  help: 'Crawl from one or more start URLs.',
  maxArguments: Number.POSITIVE_INFINITY,
  settings: [
    'data',
    'store',
    'server',
    'token',
    'detach',
    'config',
    'seeds',
    'sitemap',
    'cookiesFrom',
    ...CRAWL_SETTINGS,
    ...ARCHIVE_SETTINGS,
    ...CRAWL_PROCESS_SETTINGS,
    'json',
    'quiet',
  ],
  async run(config, args, io) {
    const texts = [...args, ...(config.seeds === null ? [] : await readSeedFile(config.seeds, io))]
    if (texts.length === 0 && config.sitemap.length === 0) {
      throw new AppError(
        'USAGE',
        `Give at least one URL to crawl, for example: ${io.program} crawl https://example.com`,
      )
    }
    const settings = toCrawlSettings(await withCookieFile(config, texts))
    const urls = await chooseSchemes(texts, () => io.openFetcher(config, []))
    const newCrawl = planCrawl({ urls, sitemaps: config.sitemap, settings, keySeed: newKeySeed() })
    const client = createServerClient(config)
    if (client !== null) return callServer(client, () => startOnServer(client, newCrawl, config, io))
    await io.checkFilterLists(settings.filterLists)
    const start = (crawls: Crawls) => crawls.create(newCrawl)
    if (config.detach) return startOnWorkers(config, io, start)
    if (settings.render !== 'off') await io.checkBrowser(config)
    return startHere(config, io, {
      create: true,
      start,
      run: (created, crawlSession) => runForegroundCrawl(created, crawlSession, config, io),
    })
  },
}
