// Crawls: stopped, let go, begun again, and asked what holds them up.

import { CRAWL_SETTINGS, checkSettings, settingsJson } from '../../config/crawl-settings.ts'
import { newKeySeed } from '../../config/key-seed.ts'
import { patternFault } from '../../engine/crawl/pattern-check.ts'
import { urlKey } from '../../engine/url/key.ts'
import { normaliseUrl } from '../../engine/url/normalise.ts'
import { AppError } from '../../lib/errors.ts'
import type { Crawl } from '../../ports/crawls.ts'
import type { FoundUrl } from '../../ports/frontier.ts'
import type { Urls } from '../../ports/urls.ts'
import { bottleneckOf } from '../answers/bottleneck.ts'
import type { ApiParts, Some } from '../handlers.ts'
import { findProgress } from '../requests/find.ts'
import { forbiddenSettings } from '../requests/new-crawl.ts'
import { refuseFields } from '../requests/refusal.ts'

export function steerHandlers(
  parts: ApiParts,
): Some<'pauseCrawl' | 'resumeCrawl' | 'cancelCrawl' | 'rerunCrawl' | 'retryUrls' | 'getBottleneck'> {
  const { crawls, teller, urls, config } = parts
  const told = async (crawlId: string) => teller.tellAll(await crawls.progress(crawlId))
  return {
    async pauseCrawl({ params }) {
      const { crawl } = await findProgress(crawls, params.crawl_id)
      checkUnfinished(crawl)
      // What is about to end must not be kept from it.
      if (crawl.reason !== null) throw new AppError('CRAWL_CLOSED', `Crawl ${crawl.id} is ending: ${crawl.reason}.`)
      await crawls.setPaused(crawl.id, true)
      return told(params.crawl_id)
    },
    async resumeCrawl({ params }) {
      const { crawl } = await findProgress(crawls, params.crawl_id)
      if (crawl.status !== 'running' && crawl.status !== 'paused') {
        throw new AppError('NOTHING_TO_RESUME', `Crawl ${crawl.id} is ${crawl.status}; there is nothing to resume.`)
      }
      const fault = patternFault(crawl.settings)
      if (fault !== null) throw fault
      await crawls.setPaused(crawl.id, false)
      return told(crawl.id)
    },
    async cancelCrawl({ params }) {
      checkUnfinished((await findProgress(crawls, params.crawl_id)).crawl)
      await crawls.close(params.crawl_id, 'cancelled')
      return told(params.crawl_id)
    },
    async rerunCrawl({ params }, { scope }) {
      const { crawl } = await findProgress(crawls, params.crawl_id)
      const { values, problems } = checkSettings(settingsJson(crawl.settings), config)
      // An older version may have allowed what this one does not.
      if (problems.length > 0) throw refuseFields('BAD_CONFIG', problems)
      const forbidden = forbiddenSettings(CRAWL_SETTINGS, { values, defaults: config, ceilings: config, scope })
      if (forbidden.length > 0) throw refuseFields('FORBIDDEN_SETTING', forbidden)
      const keySeed = newKeySeed()
      const seeds = await seedsOf(urls, crawl, keySeed)
      const made = await crawls.create({ seeds, settings: crawl.settings, keySeed })
      return told(made.id)
    },
    async retryUrls({ params, body }) {
      const { crawl } = await findProgress(crawls, params.crawl_id)
      return { queued: await crawls.retry(crawl.id, body.state) }
    },
    async getBottleneck({ params }) {
      const progress = await findProgress(crawls, params.crawl_id)
      return bottleneckOf(progress.crawl.status, await teller.figuresOf(progress))
    },
  }
}

function checkUnfinished({ id, status }: Crawl): void {
  if (status === 'running' || status === 'paused') return
  throw new AppError('CRAWL_CLOSED', `Crawl ${id} is ${status}; it cannot be changed any more.`)
}

/** Start urls come first and from nowhere. */
async function seedsOf(urls: Urls, crawl: Crawl, keySeed: number): Promise<FoundUrl[]> {
  const seeds: FoundUrl[] = []
  for await (const { url, kind, discoveredFrom } of urls.rows(crawl.id)) {
    if (discoveredFrom !== null) break
    const target = normaliseUrl(url)
    if ('problem' in target) throw new AppError('BAD_SEED', `The start url ${url} cannot be crawled any more.`)
    seeds.push({ url, host: target.host, key: urlKey(url, keySeed), kind, isRefresh: false, listing: null })
  }
  // Sitemaps that a robots.txt named come from nowhere too. They must not become what the crawl starts from, for that
  // decides where its headers go.
  const hasPages = seeds.some(({ kind }) => kind === 'page')
  return hasPages ? seeds : seeds.filter(({ url }) => crawl.seeds.includes(url))
}
