// Handlers for the server itself: version, settings, log level and the demo crawl.

import { toCrawlSettings } from '../../config/crawl-settings.ts'
import { newKeySeed } from '../../config/key-seed.ts'
import { planCrawl } from '../../engine/crawl/plan/plan-crawl.ts'
import { AppError } from '../../lib/errors.ts'
import type { ApiDependencies, HandlersFor } from '../handlers.ts'
import { listSettingInfo } from '../views/setting-info.ts'

export function systemHandlers(
  dependencies: ApiDependencies,
): HandlersFor<'about' | 'getSettings' | 'getLogLevel' | 'setLogLevel' | 'startDemo'> {
  const { config, crawls, progressView, log } = dependencies
  return {
    async about(_input, { scope }) {
      return {
        name: 'orbweaver',
        version: dependencies.version,
        api: 'v1',
        store: config.store === null ? 'sqlite' : 'postgres',
        needs_token: dependencies.guard.needsToken,
        scope,
        has_demo: dependencies.demo !== null,
      }
    },
    async getSettings() {
      return { items: listSettingInfo(config) }
    },
    async getLogLevel() {
      return { level: log.level }
    },
    async setLogLevel({ body }) {
      log.setLevel(body.level)
      await dependencies.setStoreLogLevel(body.level)
      return { level: log.level }
    },
    async startDemo() {
      if (dependencies.demo === null) {
        throw new AppError(
          'ROUTE_NOT_FOUND',
          'The demo site is only available on a server with the worker role and the embedded store.',
        )
      }
      const url = await dependencies.demo.start()
      const overrides = { perHost: 4, delay: 0, header: [], allow: [...config.allow, new URL(url).hostname] }
      const settings = toCrawlSettings({ ...config, ...overrides, scope: 'host', depth: null, maxPages: null })
      const crawl = await crawls.create(planCrawl({ urls: [url], sitemaps: [], settings, keySeed: newKeySeed() }))
      return progressView.crawlJson(await crawls.progress(crawl.id))
    },
  }
}
