// Crawls: made, listed, looked at, changed, removed.

import { checkSettings, crawlKeyOf, crawlSettings, isChangeable, settingsJson } from '../../config/crawl-settings.ts'
import { fileKeyOf } from '../../config/schema.ts'
import { AppError } from '../../lib/errors.ts'
import type { CrawlProgress, CrawlSettings } from '../../ports/crawls.ts'
import type { SettingChanges } from '../../ports/steering.ts'
import { estimateSize } from '../answers/estimate.ts'
import type { Scope } from '../contract/route.ts'
import { includesScope } from '../guard/guard.ts'
import type { ApiParts, Some } from '../handlers.ts'
import { readCursor, writeCursor } from '../requests/cursor.ts'
import { findProgress } from '../requests/find.ts'
import { checkRequest, forbiddenSettings, planOf, slowPatterns } from '../requests/new-crawl.ts'
import { refuseFields } from '../requests/refusal.ts'

export function crawlHandlers(
  parts: ApiParts,
): Some<'listCrawls' | 'createCrawl' | 'checkCrawl' | 'getCrawl' | 'changeCrawl' | 'deleteCrawl'> {
  const { crawls, steering, teller, config } = parts
  return {
    async listCrawls({ query }) {
      const wanted = query.text?.toLowerCase() ?? ''
      const all = (await crawls.list()).filter(
        ({ crawl }) =>
          (query.status === undefined || crawl.status === query.status) &&
          (crawl.id.startsWith(wanted) || crawl.seeds.some((seed) => seed.toLowerCase().includes(wanted))),
      )
      const rest = query.cursor === undefined ? all : olderThan(all, query.cursor)
      const shown = rest.slice(0, query.limit)
      const last = shown.at(-1)
      const hasMore = rest.length > shown.length && last !== undefined
      return {
        items: await Promise.all(shown.map((progress) => teller.tell(progress))),
        next_cursor: hasMore ? writeCursor(last.crawl.createdAt, last.crawl.id) : null,
        total: all.length,
      }
    },
    async createCrawl({ body }, { scope }) {
      const plan = planOf(checkRequest(body, config, scope))
      await parts.loadFilterLists(plan.settings.filterLists)
      const crawl = await crawls.create(plan)
      return teller.tellAll(await crawls.progress(crawl.id))
    },
    async checkCrawl({ body }, { scope, signal }) {
      const { estimate, ...request } = body
      if (estimate && (scope === null || !includesScope(scope, 'crawl'))) {
        throw new AppError('SCOPE_MISSING', 'To ask the site how large it is needs a token with the scope crawl.')
      }
      const { plan, problems } = checkRequest(request, config, scope)
      const seeds = plan?.seeds.map(({ url }) => url) ?? []
      return { problems, seeds, estimate: estimate && plan !== null ? await estimateSize(plan, parts, signal) : null }
    },
    async getCrawl({ params }) {
      return teller.tellAll(await findProgress(crawls, params.crawl_id))
    },
    async changeCrawl({ params, body }, { scope }) {
      const { crawl } = await findProgress(crawls, params.crawl_id)
      if (crawl.status !== 'running' && crawl.status !== 'paused') {
        throw new AppError('CRAWL_CLOSED', `Crawl ${crawl.id} is ${crawl.status}; run it again with other settings.`)
      }
      await steering.change(crawl.id, changesOf(body.settings, crawl.settings, scope))
      return teller.tellAll(await crawls.progress(crawl.id))
    },
    async deleteCrawl({ params }) {
      const { crawl } = await findProgress(crawls, params.crawl_id)
      await steering.remove(crawl.id)
    },
  }

  function changesOf(given: Record<string, unknown>, now: CrawlSettings, scope: Scope | null): SettingChanges {
    // What the crawl has is the default: only what is given changes.
    const defaults = checkSettings(settingsJson(now), config).values
    const { values, names, problems } = checkSettings(given, defaults)
    const inBody = ({ field, message }: { field: string; message: string }) => ({ field: `body.${field}`, message })
    if (problems.length > 0) {
      throw refuseFields(
        'BAD_CONFIG',
        problems.map(({ field, message }) => inBody({ field: `settings.${field}`, message })),
      )
    }
    const slow = slowPatterns(values)
    if (slow.length > 0) throw refuseFields('BAD_CONFIG', slow.map(inBody))
    const forbidden = forbiddenSettings(names, { values, defaults, scope })
    if (forbidden.length > 0) throw refuseFields('FORBIDDEN_SETTING', forbidden.map(inBody))
    const fixed = names.filter((name) => !isChangeable(name))
    if (fixed.length > 0) {
      const message = 'It cannot change once a crawl has begun; start a new one.'
      throw refuseFields(
        'SETTING_FIXED',
        fixed.map((name) => inBody({ field: `settings.${fileKeyOf(name)}`, message })),
      )
    }
    const settings = crawlSettings(values)
    return Object.fromEntries(names.map((name) => [crawlKeyOf(name), settings[crawlKeyOf(name)]]))
  }
}

/** Newest first. A crawl that is gone by now still marks its place. */
function olderThan(all: CrawlProgress[], cursor: string): CrawlProgress[] {
  const [createdAt, id] = readCursor(cursor, ['number', 'string'])
  const at = all.findIndex(({ crawl }) => crawl.id === id)
  return at >= 0 ? all.slice(at + 1) : all.filter(({ crawl }) => crawl.createdAt < Number(createdAt))
}
