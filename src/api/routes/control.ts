// Handlers that pause, resume, cancel, complete, rerun and retry crawls, and explain what limits their speed.

import { CRAWL_SETTINGS } from '../../config/crawl-settings.ts'
import { newKeySeed } from '../../config/key-seed.ts'
import { PolicyTable } from '../../config/policies/policy-table.ts'
import { normaliseUrl } from '../../engine/url/normalise-url.ts'
import { urlKey } from '../../engine/url/url-key.ts'
import { AppError } from '../../lib/errors.ts'
import { COMPLETED_BY_USER, type Crawl } from '../../ports/crawls.ts'
import type { Urls } from '../../ports/urls.ts'
import type { FoundUrl } from '../../ports/visits.ts'
import type { ApiDependencies, HandlersFor } from '../handlers.ts'
import { checkPausable, checkResumable, checkUnfinished } from '../requests/check-unfinished.ts'
import { findForbiddenSettings, reusedSettings } from '../requests/crawl-request.ts'
import { invalidFieldsError } from '../requests/request-error.ts'
import { findBottleneck } from '../views/bottleneck.ts'
import { describePolicy, slowsDown } from '../views/explain-policy.ts'

/** Limit of hosts that are searched for one that a policy slows down. */
const MAX_HOSTS = 100

export function controlHandlers(
  dependencies: ApiDependencies,
): HandlersFor<
  'pauseCrawl' | 'resumeCrawl' | 'cancelCrawl' | 'completeCrawl' | 'rerunCrawl' | 'retryUrls' | 'getBottleneck'
> {
  const { crawls, progressView, urls, config } = dependencies
  const readCrawlJson = async (crawlId: string) => progressView.crawlJson(await crawls.progress(crawlId))
  return {
    async pauseCrawl({ params }) {
      const { crawl } = await crawls.progress(params.crawl_id)
      checkPausable(crawl)
      await crawls.setPaused(crawl.id, true)
      return readCrawlJson(params.crawl_id)
    },
    async resumeCrawl({ params }) {
      const { crawl } = await crawls.progress(params.crawl_id)
      checkResumable(crawl)
      await crawls.setPaused(crawl.id, false)
      return readCrawlJson(crawl.id)
    },
    async cancelCrawl({ params }) {
      checkUnfinished((await crawls.progress(params.crawl_id)).crawl)
      await crawls.close(params.crawl_id, 'cancelled')
      return readCrawlJson(params.crawl_id)
    },
    async completeCrawl({ params }) {
      checkUnfinished((await crawls.progress(params.crawl_id)).crawl)
      await crawls.close(params.crawl_id, COMPLETED_BY_USER)
      return readCrawlJson(params.crawl_id)
    },
    async rerunCrawl({ params }, { scope }) {
      const { crawl } = await crawls.progress(params.crawl_id)
      const values = reusedSettings(crawl.settings, config)
      const forbidden = findForbiddenSettings(CRAWL_SETTINGS, { values, defaults: config, limits: config, scope })
      if (forbidden.length > 0) throw invalidFieldsError('FORBIDDEN_SETTING', forbidden)
      const keySeed = newKeySeed()
      const seeds = await readSeeds(urls, crawl, keySeed)
      const rerun = await crawls.create({ seeds, settings: crawl.settings, keySeed })
      return readCrawlJson(rerun.id)
    },
    async retryUrls({ params, body }) {
      const { crawl } = await crawls.progress(params.crawl_id)
      return { queued: await crawls.retry(crawl.id, body.state) }
    },
    async getBottleneck({ params }) {
      const progress = await crawls.progress(params.crawl_id)
      const bottleneck = findBottleneck(progress.crawl.status, await progressView.readActivity(progress))
      if (bottleneck.cause !== 'politeness') return bottleneck
      const decisive = await findDecisivePolicy(progress.crawl, dependencies)
      return decisive === null ? bottleneck : { ...bottleneck, explanation: `${bottleneck.explanation} ${decisive}` }
    },
  }
}

/** The policy of the host that has the most queued URLs, if it slows the crawl down there. */
async function findDecisivePolicy(
  { id, settings }: Crawl,
  { browse, policies }: Pick<ApiDependencies, 'browse' | 'policies'>,
): Promise<string | null> {
  const table = new PolicyTable(await policies.list())
  if (table.isEmpty) return null
  const { hosts } = await browse.hosts(id, { text: null, limit: MAX_HOSTS, cursor: null })
  for (const { host } of hosts.toSorted((a, b) => b.queued - a.queued)) {
    const policy = table.resolve(host)
    if (policy !== null && slowsDown(policy, settings)) return `${host}: ${describePolicy(policy, settings).join(' ')}`
  }
  return null
}

/** Seeds are the first rows and have no parent. */
async function readSeeds(urls: Urls, crawl: Crawl, keySeed: number): Promise<FoundUrl[]> {
  const seeds: FoundUrl[] = []
  for await (const { url, kind, discoveredFrom, firstSeenAt } of urls.rows(crawl.id)) {
    // URLs that were pushed later are not seeds either.
    if (discoveredFrom !== null || firstSeenAt !== crawl.createdAt) break
    const target = normaliseUrl(url)
    if ('problem' in target) throw new AppError('BAD_SEED', `The start URL ${url} is no longer valid.`)
    seeds.push({ url, host: target.host, key: urlKey(url, keySeed), kind, isRefresh: false, listing: null })
  }
  // Sitemaps named in robots.txt have no parent either. They must not become seeds, because custom headers are sent to
  // the hosts of the seeds.
  const hasPages = seeds.some(({ kind }) => kind === 'page')
  return hasPages ? seeds : seeds.filter(({ url }) => crawl.seeds.includes(url))
}
