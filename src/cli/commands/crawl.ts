import { resolve } from 'node:path'
import type { Config } from '../../config/schema.ts'
import { Scope } from '../../engine/url/scope.ts'
import { AppError } from '../../lib/errors.ts'
import type { CrawlSettings } from '../../ports/crawls.ts'
import { leaveToWorkers } from '../detach.ts'
import type { Command } from '../io.ts'
import { newKeySeed, readSeedFile, toSeeds, toSitemaps } from '../seeds.ts'
import { watchCrawl } from '../watch.ts'

export const crawl: Command = {
  usage: '<url...>',
  help: 'Crawl from these urls.',
  maxArguments: Number.POSITIVE_INFINITY,
  settings: [
    ...(['data', 'store', 'detach', 'config', 'seeds', 'depth', 'maxPages', 'scope', 'include', 'exclude'] as const),
    ...(['concurrency', 'perHost', 'delay', 'timeout', 'retries', 'retryDelay', 'maxBody'] as const),
    ...(['userAgent', 'header', 'followRedirects', 'ignoreRobots', 'metaRobots', 'relNofollow'] as const),
    ...(['sitemaps', 'sitemap', 'sitemapOnly', 'maxRate', 'perIp', 'cooldown', 'hostPatience'] as const),
    ...(['keepSessionIds', 'maxPathSegments', 'maxQueryParams', 'traps', 'filterList'] as const),
    ...(['allowPrivate', 'allow', 'insecure'] as const),
    ...([
      'documents',
      'archive',
      'archiveMax',
      'archiveInclude',
      'archiveExclude',
      'skipNearDuplicates',
      'keep',
    ] as const),
    ...(['durability', 'segmentSize', 'segmentAge'] as const),
    ...(['maxDisk', 'minFreeDisk', 'threads', 'seenUrls', 'lease', 'json', 'quiet'] as const),
  ],
  async run(config, args, io) {
    const texts = [...args, ...(config.seeds === null ? [] : await readSeedFile(config.seeds, io.stdin))]
    if (texts.length === 0 && config.sitemap.length === 0) {
      throw new AppError('USAGE', 'Name at least one url to crawl, for example: orbweaver crawl https://example.com')
    }
    if (config.sitemapOnly && !config.sitemaps && config.sitemap.length === 0) {
      throw new AppError(
        'USAGE',
        '--sitemap-only needs a sitemap: name one with --sitemap, or leave out --no-sitemaps.',
      )
    }
    const keySeed = newKeySeed()
    const pages = toSeeds(texts, keySeed)
    const seeds = [...pages, ...toSitemaps(config.sitemap, pages, keySeed)]
    const settings = crawlSettings(config)
    checkSeedsInScope(
      settings,
      pages.map((seed) => seed.url),
    )
    await io.checkFilterLists(settings.filterLists)
    if (config.detach) return leaveToWorkers(config, io, ({ crawls }) => crawls.create({ seeds, settings, keySeed }))
    const workshop = await io.openWorkshop(config, true)
    try {
      return await watchCrawl(await workshop.crawls.create({ seeds, settings, keySeed }), workshop, config, io)
    } finally {
      await workshop.close()
    }
  },
}

function crawlSettings(config: Config): CrawlSettings {
  return {
    scope: config.scope,
    include: config.include,
    exclude: config.exclude,
    maxDepth: config.depth,
    maxPages: config.maxPages,
    concurrency: config.concurrency,
    perHost: config.perHost,
    delayMs: config.delay,
    timeoutMs: config.timeout,
    retries: config.retries,
    retryDelayMs: config.retryDelay,
    maxBodyBytes: config.maxBody,
    userAgent: config.userAgent,
    headers: config.header,
    followRedirects: config.followRedirects,
    ignoreRobots: config.ignoreRobots,
    metaRobots: config.metaRobots,
    relNofollow: config.relNofollow,
    sitemaps: config.sitemaps,
    sitemapOnly: config.sitemapOnly,
    keepSessionIds: config.keepSessionIds,
    maxPathSegments: config.maxPathSegments,
    maxQueryParams: config.maxQueryParams,
    traps: config.traps,
    filterLists: config.filterList.map((file) => resolve(file)),
    documents: config.documents,
    archive: config.archive,
    archiveMaxBytes: config.archiveMax.findLast(({ type }) => type === null)?.bytes ?? 0,
    archiveMaxByType: Object.fromEntries(
      config.archiveMax.flatMap(({ type, bytes }) => (type === null ? [] : [[type, bytes]])),
    ),
    archiveInclude: config.archiveInclude,
    archiveExclude: config.archiveExclude,
    skipNearDuplicates: config.skipNearDuplicates,
    keepDays: config.keep === 0 ? null : config.keep,
    allowPrivate: config.allowPrivate,
    allow: config.allow,
    insecure: config.insecure,
    perIp: config.perIp,
    maxRate: config.maxRate,
    cooldownMs: config.cooldown,
    hostPatienceMs: config.hostPatience,
  }
}

/** A pattern that leaves out the start url itself is a mistake better told now than by an empty result. */
function checkSeedsInScope(settings: CrawlSettings, seeds: string[]): void {
  const scope = new Scope({ ...settings, include: [] }, seeds)
  const outside = seeds.find((seed) => scope.judge(seed, new URL(seed).host) !== null)
  if (outside !== undefined) {
    throw new AppError('BAD_CONFIG', `--exclude leaves out the start url ${outside}.`)
  }
}
