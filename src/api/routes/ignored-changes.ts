// Handlers that change what counts as a change.

import type { z } from 'zod'
import { patternOfLine } from '../../changes/ignore-rules.ts'
import { CRAWL_SCHEMA } from '../../config/crawl-schema.ts'
import { InvalidValue } from '../../config/setting-kinds.ts'
import { AppError } from '../../lib/errors.ts'
import { isUnfinished } from '../../lib/states.ts'
import type { CrawlSettings } from '../../ports/crawls.ts'
import type { changeRoutes } from '../contract/changes.ts'
import type { ApiDependencies, HandlersFor } from '../handlers.ts'
import { findCrawl } from '../requests/find-crawl.ts'
import { invalidFieldsError } from '../requests/request-error.ts'

export function ignoredChangeHandlers({
  crawls,
  control,
  progressView,
}: Pick<ApiDependencies, 'crawls' | 'control' | 'progressView'>): HandlersFor<'ignoreChange'> {
  return {
    async ignoreChange({ params, body }) {
      const crawl = await findCrawl(crawls, params.crawl_id)
      if (!isUnfinished(crawl.status)) {
        throw new AppError('CRAWL_CLOSED', `Crawl ${crawl.id} is ${crawl.status} and finds no more changes.`)
      }
      await control.changeSettings(crawl.id, withRule(crawl.settings, body))
      return progressView.crawlJson(await crawls.progress(crawl.id))
    },
  }
}

type IgnoreRequest = z.output<(typeof changeRoutes)['ignoreChange']['body']>

function withRule(
  { ignoreChanges, ignoreSelectors }: CrawlSettings,
  request: IgnoreRequest,
): Partial<Pick<CrawlSettings, 'ignoreChanges' | 'ignoreSelectors'>> {
  const isLine = 'line' in request
  const [current, rule] = isLine ? [ignoreChanges, patternOfLine(request.line)] : [ignoreSelectors, request.selector]
  const { kind } = isLine ? CRAWL_SCHEMA.ignoreChanges : CRAWL_SCHEMA.ignoreSelector
  const list = kind.parse([...new Set([...current, rule])])
  if (list instanceof InvalidValue) {
    const field = isLine ? 'body.line' : 'body.selector'
    throw invalidFieldsError('BAD_CONFIG', [{ field, message: `Must be ${list.expected}.` }])
  }
  return isLine ? { ignoreChanges: list } : { ignoreSelectors: list }
}
