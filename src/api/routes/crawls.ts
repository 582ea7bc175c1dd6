// Crawls: made, listed, looked at, changed, removed.

import { checkSettings, crawlKeyOf, crawlSettings, isChangeable, settingsJson } from '../../config/crawl-settings.ts'
import { fileKeyOf } from '../../config/schema.ts'
import { AppError } from '../../lib/errors.ts'
import type { CrawlSettings } from '../../ports/crawls.ts'
import type { SettingChanges } from '../../ports/steering.ts'
import { estimateSize } from '../answers/estimate.ts'
import type { Scope } from '../contract/route.ts'
import { includesScope } from '../guard/guard.ts'
import type { ApiParts, Some } from '../handlers.ts'
import { readCursor, writeCursor } from '../requests/cursor.ts'
import { findProgress } from '../requests/find.ts'
import { checkRequest, forbiddenSettings, planOf } from '../requests/new-crawl.ts'
import { refuseFields } from '../requests/refusal.ts'

export function crawlHandlers(
  parts: ApiParts,
): Some<'listCrawls' | 'createCrawl' | 'checkCrawl' | 'getCrawl' | 'changeCrawl' | 'deleteCrawl'> {
  const { crawls, steering, teller, config } = parts
  return {
    async listCrawls({ query }) {
      const { status, text, cursor, limit } = query
      const found = await crawls.list({
        ...(status === undefined ? {} : { status }),
        ...(text === undefined ? {} : { text: text.toLowerCase() }),
        ...(cursor === undefined ? {} : { olderThan: placeOf(cursor) }),
        // One more than is shown tells whether there are more.
        limit: limit + 1,
      })
      const shown = found.slice(0, limit)
      const last = shown.at(-1)
      const hasMore = found.length > limit && last !== undefined
      return {
        items: await Promise.all(shown.map((progress) => teller.tell(progress))),
        next_cursor: hasMore ? writeCursor(last.crawl.createdAt, last.crawl.id) : null,
        total: cursor === undefined && !hasMore ? shown.length : null,
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
    async deleteCrawl({ params }, caller) {
      const { crawl } = await findProgress(crawls, params.crawl_id)
      await steering.remove(crawl.id)
      caller.goesOn = !(await parts.removals.soon())
    },
  }

  function changesOf(given: Record<string, unknown>, now: CrawlSettings, scope: Scope | null): SettingChanges {
    // What the crawl has is the default: only what is given changes.
    const defaults = checkSettings(settingsJson(now), config).values
    const { values, names, problems } = checkSettings(given, defaults)
    const bad = problems.map(({ field, message }) => ({ field: `settings.${field}`, message }))
    const forbidden = forbiddenSettings(names, { values, defaults, ceilings: config, scope })
    const message = 'It cannot change once a crawl has begun; start a new one.'
    const fixed = names
      .filter((name) => !isChangeable(name))
      .map((name) => ({ field: `settings.${fileKeyOf(name)}`, message }))
    const all = [...bad, ...forbidden, ...fixed].map(({ field, message }) => ({ field: `body.${field}`, message }))
    if (all.length > 0) {
      const code = bad.length > 0 ? 'BAD_CONFIG' : forbidden.length > 0 ? 'FORBIDDEN_SETTING' : 'SETTING_FIXED'
      throw refuseFields(code, all)
    }
    const settings = crawlSettings(values)
    return Object.fromEntries(names.map((name) => [crawlKeyOf(name), settings[crawlKeyOf(name)]]))
  }
}

function placeOf(cursor: string): { createdAt: number; id: string } {
  const [createdAt, id] = readCursor(cursor, ['number', 'string'])
  return { createdAt: Number(createdAt), id: String(id) }
}
