import { CRAWL_SETTINGS, crawlSettings } from '../../config/crawl-settings.ts'
import { newKeySeed } from '../../config/key-seed.ts'
import { KEEPING_SETTINGS, WORK_SETTINGS } from '../../config/worker-settings.ts'
import { planCrawl } from '../../engine/crawl/plan.ts'
import { AppError } from '../../lib/errors.ts'
import { leaveToServer, leaveToWorkers } from '../detach.ts'
import type { Command } from '../io.ts'
import { readSeedFile } from '../seeds.ts'
import { clientOf, onServer } from '../server.ts'
import { watchCrawl } from '../watch.ts'

export const crawl: Command = {
  usage: '<url...>',
  help: 'Crawl from these urls.',
  maxArguments: Number.POSITIVE_INFINITY,
  settings: [
    ...(['data', 'store', 'server', 'token', 'detach', 'config', 'seeds', 'sitemap'] as const),
    ...CRAWL_SETTINGS,
    ...KEEPING_SETTINGS,
    ...WORK_SETTINGS,
    ...(['json', 'quiet'] as const),
  ],
  async run(config, args, io) {
    const texts = [...args, ...(config.seeds === null ? [] : await readSeedFile(config.seeds, io.stdin))]
    if (texts.length === 0 && config.sitemap.length === 0) {
      throw new AppError(
        'USAGE',
        `Name at least one url to crawl, for example: ${io.program} crawl https://example.com`,
      )
    }
    const settings = crawlSettings(config)
    const plan = planCrawl({ urls: texts, sitemaps: config.sitemap, settings, keySeed: newKeySeed() })
    const client = clientOf(config)
    if (client !== null) return onServer(client, () => leaveToServer(client, plan, config, io))
    await io.checkFilterLists(settings.filterLists)
    if (config.detach) return leaveToWorkers(config, io, ({ crawls }) => crawls.create(plan))
    const workshop = await io.openWorkshop(config, true)
    try {
      return await watchCrawl(await workshop.crawls.create(plan), workshop, config, io)
    } finally {
      await workshop.close()
    }
  },
}
