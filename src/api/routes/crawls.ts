// Handlers that create, list, read, change and delete crawls.

import {
  type CrawlConfig,
  checkSettings,
  crawlKeyOf,
  isChangeable,
  restoreMasked,
  type SettingChanges,
  toCrawlSettings,
  toSettingsJson,
} from '../../config/crawl-settings.ts'
import { nextRuns } from '../../config/scheduled-times.ts'
import { fileKeyOf } from '../../config/schema.ts'
import { findCookieProblem } from '../../engine/crawl/plan/find-cookie-problem.ts'
import { givenCookies } from '../../engine/fetch/cookies/cookie-jar.ts'
import { AppError } from '../../lib/errors.ts'
import { isoTime } from '../../lib/iso-time.ts'
import { isUnfinished } from '../../lib/states.ts'
import type { Crawl, CrawlSettings } from '../../ports/crawls.ts'
import { isRecrawled } from '../../ports/revisits.ts'
import { includesScope } from '../auth/request-guard.ts'
import type { Scope } from '../contract/route.ts'
import type { ApiDependencies, HandlersFor } from '../handlers.ts'
import {
  addRenderProblem,
  type CrawlRequest,
  checkCrawlRequest,
  findForbiddenSettings,
  planWithSchemes,
  requireNewCrawl,
  reusedSettings,
} from '../requests/crawl-request.ts'
import { readCursor, writeCursor } from '../requests/cursor.ts'
import { invalidFieldsError } from '../requests/request-error.ts'
import { estimateSize } from '../views/estimate-size.ts'
import { waitForRoot } from '../views/wait-for-root.ts'

export function crawlHandlers(
  dependencies: ApiDependencies,
): HandlersFor<'listCrawls' | 'createCrawl' | 'checkCrawl' | 'getCrawl' | 'changeCrawl' | 'deleteCrawl'> {
  const { crawls, control, progressView, config, clock } = dependencies
  return {
    async listCrawls({ query }) {
      const { status, text, cursor, limit } = query
      const found = await crawls.list({
        ...(status === undefined ? {} : { status }),
        ...(text === undefined ? {} : { text: text.toLowerCase() }),
        ...(cursor === undefined ? {} : { olderThan: parseListCursor(cursor) }),
        // One more than needed, to know whether there is a next page.
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
    async createCrawl({ body, query }, { scope, signal }) {
      const base = await readBase(body)
      const check = async (request: CrawlRequest) =>
        requireNewCrawl(await addRenderProblem(checkCrawlRequest(request, config, scope, base), dependencies))
      const newCrawl = await planWithSchemes(body, check, dependencies)
      await dependencies.loadFilterLists(newCrawl.settings.filterLists)
      const crawl = await crawls.create(newCrawl)
      const waitMs = query.root_wait_ms
      const root = waitMs === 0 ? null : await waitForRoot(crawl, { waitMs, signal }, dependencies)
      return { ...(await progressView.crawlJson(await crawls.progress(crawl.id))), root }
    },
    async checkCrawl({ body }, { scope, signal }) {
      const { estimate, ...request } = body
      if (estimate && (scope === null || !includesScope(scope, 'crawl'))) {
        throw new AppError('SCOPE_MISSING', 'Estimating the size of a site requires a token with crawl scope.')
      }
      const checked = checkCrawlRequest(request, config, scope, await readBase(body))
      const { newCrawl, problems } = await addRenderProblem(checked, dependencies)
      const seeds = newCrawl?.seeds.map(({ url }) => url) ?? []
      return {
        problems,
        seeds,
        next_runs: newCrawl === null ? [] : nextRuns(newCrawl.settings, clock.now()).map(isoTime),
        estimate: estimate && newCrawl !== null ? await estimateSize(newCrawl, dependencies, signal) : null,
      }
    },
    async getCrawl({ params }) {
      return progressView.crawlJson(await crawls.progress(params.crawl_id))
    },
    async changeCrawl({ params, body }, { scope }) {
      const { crawl } = await crawls.progress(params.crawl_id)
      const changes = checkChanges(body.settings, crawl.settings, scope)
      const isRecrawlSet = changes.recrawl !== undefined || changes.schedule !== undefined
      // A completed crawl that visits its URLs again goes on.
      const startsWatching =
        crawl.status === 'completed' && isRecrawlSet && isRecrawled({ ...crawl.settings, ...changes })
      if (!isUnfinished(crawl.status) && !startsWatching) {
        throw new AppError('CRAWL_CLOSED', `Crawl ${crawl.id} is ${crawl.status}. Rerun it with other settings.`)
      }
      await saveNewCookies(crawl, changes)
      await control.changeSettings(crawl.id, changes)
      return progressView.crawlJson(await crawls.progress(crawl.id))
    },
    async deleteCrawl({ params }, caller) {
      const { crawl } = await crawls.progress(params.crawl_id)
      await control.remove(crawl.id)
      caller.continuesAfterResponse = !(await dependencies.removals.waitUntilRemoved())
    },
  }

  /** The site may have replaced the cookie, and the stored one would win over the new value. */
  async function saveNewCookies({ id, settings }: Crawl, { startCookies = [] }: SettingChanges): Promise<void> {
    const added = startCookies.filter((line) => !settings.startCookies.includes(line))
    if (added.length === 0) return
    const changes = givenCookies(added, clock.now())
    await dependencies.cookies.exchange({ crawlId: id, changes, since: Number.MAX_SAFE_INTEGER })
  }

  /** The settings of the crawl that a request is made from. */
  async function readBase({ from }: CrawlRequest): Promise<CrawlConfig | null> {
    return from === undefined ? null : reusedSettings((await crawls.progress(from)).crawl.settings, config)
  }

  function checkChanges(
    requested: Record<string, unknown>,
    current: CrawlSettings,
    scope: Scope | null,
  ): SettingChanges {
    // The current settings are the defaults, so that only the requested ones change.
    const defaults = checkSettings(toSettingsJson(current), config).values
    const { values, names, problems } = checkSettings(restoreMasked(requested, current), defaults)
    const cookieProblem = findCookieProblem(names.includes('cookie') ? values.cookie : [])
    const found = cookieProblem === null ? problems : [...problems, { field: 'cookie', message: cookieProblem }]
    const invalid = found.map(({ field, message }) => ({ field: `settings.${field}`, message }))
    const forbidden = findForbiddenSettings(names, { values, defaults, limits: config, scope })
    const message = 'Cannot be changed after the crawl was created. Start a new crawl.'
    const fixed = names
      .filter((name) => !isChangeable(name))
      .map((name) => ({ field: `settings.${fileKeyOf(name)}`, message }))
    const all = [...invalid, ...forbidden, ...fixed].map(({ field, message }) => ({ field: `body.${field}`, message }))
    if (all.length > 0) {
      const code = invalid.length > 0 ? 'BAD_CONFIG' : forbidden.length > 0 ? 'FORBIDDEN_SETTING' : 'SETTING_FIXED'
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
