// Crawls: made, listed, looked at, changed, removed.

import {
  checkSettings,
  crawlKeyOf,
  isChangeable,
  type SettingChanges,
  toCrawlSettings,
  toSettingsJson,
} from '../../config/crawl-settings.ts'
import { fileKeyOf } from '../../config/schema.ts'
import { AppError } from '../../lib/errors.ts'
import type { CrawlSettings } from '../../ports/crawls.ts'
import { includesScope } from '../auth/request-guard.ts'
import type { Scope } from '../contract/route.ts'
import type { ApiDependencies, HandlersFor } from '../handlers.ts'
import { checkCrawlRequest, findForbiddenSettings, requirePlan } from '../requests/crawl-request.ts'
import { readCursor, writeCursor } from '../requests/cursor.ts'
import { findProgress } from '../requests/find-crawl.ts'
import { invalidFieldsError } from '../requests/request-error.ts'
import { estimateSize } from '../views/estimate-size.ts'

export function crawlHandlers(
  parts: ApiDependencies,
): HandlersFor<'listCrawls' | 'createCrawl' | 'checkCrawl' | 'getCrawl' | 'changeCrawl' | 'deleteCrawl'> {
  const { crawls, control, progressView, config } = parts
  return {
    async listCrawls({ query }) {
      const { status, text, cursor, limit } = query
      const found = await crawls.list({
        ...(status === undefined ? {} : { status }),
        ...(text === undefined ? {} : { text: text.toLowerCase() }),
        ...(cursor === undefined ? {} : { olderThan: parseListCursor(cursor) }),
        // One more than is shown tells whether there are more.
        limit: limit + 1,
      })
      const shown = found.slice(0, limit)
      const last = shown.at(-1)
      const hasMore = found.length > limit && last !== undefined
      return {
        items: await Promise.all(shown.map((progress) => progressView.progressJson(progress))),
        next_cursor: hasMore ? writeCursor(last.crawl.createdAt, last.crawl.id) : null,
        total: cursor === undefined && !hasMore ? shown.length : null,
      }
    },
    async createCrawl({ body }, { scope }) {
      const plan = requirePlan(checkCrawlRequest(body, config, scope))
      await parts.loadFilterLists(plan.settings.filterLists)
      const crawl = await crawls.create(plan)
      return progressView.crawlJson(await crawls.progress(crawl.id))
    },
    async checkCrawl({ body }, { scope, signal }) {
      const { estimate, ...request } = body
      if (estimate && (scope === null || !includesScope(scope, 'crawl'))) {
        throw new AppError('SCOPE_MISSING', 'To ask the site how large it is needs a token with the scope crawl.')
      }
      const { plan, problems } = checkCrawlRequest(request, config, scope)
      const seeds = plan?.seeds.map(({ url }) => url) ?? []
      return { problems, seeds, estimate: estimate && plan !== null ? await estimateSize(plan, parts, signal) : null }
    },
    async getCrawl({ params }) {
      return progressView.crawlJson(await findProgress(crawls, params.crawl_id))
    },
    async changeCrawl({ params, body }, { scope }) {
      const { crawl } = await findProgress(crawls, params.crawl_id)
      if (crawl.status !== 'running' && crawl.status !== 'paused') {
        throw new AppError('CRAWL_CLOSED', `Crawl ${crawl.id} is ${crawl.status}; run it again with other settings.`)
      }
      await control.changeSettings(crawl.id, changesOf(body.settings, crawl.settings, scope))
      return progressView.crawlJson(await crawls.progress(crawl.id))
    },
    async deleteCrawl({ params }, caller) {
      const { crawl } = await findProgress(crawls, params.crawl_id)
      await control.remove(crawl.id)
      caller.continuesAfterResponse = !(await parts.removals.waitUntilRemoved())
    },
  }

  function changesOf(given: Record<string, unknown>, now: CrawlSettings, scope: Scope | null): SettingChanges {
    // What the crawl has is the default: only what is given changes.
    const defaults = checkSettings(toSettingsJson(now), config).values
    const { values, names, problems } = checkSettings(given, defaults)
    const bad = problems.map(({ field, message }) => ({ field: `settings.${field}`, message }))
    const forbidden = findForbiddenSettings(names, { values, defaults, ceilings: config, scope })
    const message = 'It cannot change once a crawl has begun; start a new one.'
    const fixed = names
      .filter((name) => !isChangeable(name))
      .map((name) => ({ field: `settings.${fileKeyOf(name)}`, message }))
    const all = [...bad, ...forbidden, ...fixed].map(({ field, message }) => ({ field: `body.${field}`, message }))
    if (all.length > 0) {
      const code = bad.length > 0 ? 'BAD_CONFIG' : forbidden.length > 0 ? 'FORBIDDEN_SETTING' : 'SETTING_FIXED'
      throw invalidFieldsError(code, all)
    }
    const settings = toCrawlSettings(values)
    return Object.fromEntries(names.map((name) => [crawlKeyOf(name), settings[crawlKeyOf(name)]]))
  }
}

function parseListCursor(cursor: string): { createdAt: number; id: string } {
  const [createdAt, id] = readCursor(cursor, ['number', 'string'])
  return { createdAt: Number(createdAt), id: String(id) }
}
