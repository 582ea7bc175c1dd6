// Handlers for changes of pages: lists, differences and feeds.

import { compareVersions, PLAIN_COMPARISON } from '../../changes/compare-versions.ts'
import { compileIgnoreRules } from '../../changes/ignore-rules.ts'
import { HostNoise } from '../../changes/noise/host-noise.ts'
import { AppError } from '../../lib/errors.ts'
import type { ChangeKind, ChangeQuery } from '../../ports/changes.ts'
import type { changeRoutes } from '../contract/changes.ts'
import type { ApiDependencies, HandlersFor } from '../handlers.ts'
import { readCursor, writeCursor } from '../requests/cursor.ts'
import { findCrawl, findPage } from '../requests/find-crawl.ts'
import { parsePageUrl } from '../requests/page-url.ts'
import { ATOM_TYPE } from '../views/atom-feed.ts'
import { toAtomFeed } from '../views/change-feed.ts'
import { changeJson, comparisonJson } from '../views/change-json.ts'
import { pageJson } from '../views/row-json.ts'

type ChangeRouteName = Exclude<keyof typeof changeRoutes, 'ignoreChange'>

export interface ChangeDependencies extends Pick<ApiDependencies, 'changes' | 'pages' | 'versionReader'> {
  crawls: Pick<ApiDependencies['crawls'], 'progress'>
}

export function changeHandlers(dependencies: ChangeDependencies): HandlersFor<ChangeRouteName> {
  const { changes, crawls, pages, versionReader } = dependencies
  return {
    async listChanges({ query }) {
      if (query.crawl_id !== undefined) await findCrawl(crawls, query.crawl_id)
      const [after = null] = query.cursor === undefined ? [] : readCursor(query.cursor, ['number'])
      const { order, limit } = query
      const request: ChangeQuery = {
        ...toFilter(query),
        crawlId: query.crawl_id ?? null,
        url: query.url === undefined ? null : parsePageUrl(query.url),
        order,
        after: after === null ? null : Number(after),
        limit,
      }
      const found = await changes.list(request)
      const last = found.at(-1)?.cursor ?? request.after ?? 0
      const hasMore = order === 'oldest' || found.length === limit
      return { items: found.map(changeJson), next_cursor: hasMore ? writeCursor(last) : null, total: null }
    },
    async countChanges({ query }) {
      if (query.crawl_id !== undefined) await findCrawl(crawls, query.crawl_id)
      return changes.count(query.crawl_id ?? null, query.since === undefined ? null : Date.parse(query.since))
    },
    async getChange({ params }) {
      const change = await changes.find(params.change_id)
      if (change === null) {
        throw new AppError('CHANGE_NOT_FOUND', `There is no change ${params.change_id}, or it has expired.`)
      }
      const { crawlId, urlId, pageId, previousPageId, isRepeated } = change
      const { settings } = await findCrawl(crawls, crawlId)
      const before = previousPageId === null ? null : await pages.find(previousPageId)
      const after = pageId === null ? null : await pages.find(pageId)
      const noise = new HostNoise(await changes.noise(crawlId, urlId))
      const rules = { rules: compileIgnoreRules(settings), noise, isRepeated }
      return { ...changeJson(change), ...comparisonJson(await compareVersions(before, after, rules, versionReader)) }
    },
    async diffPages({ params, query }) {
      const after = await findPage(pages, params.page_id)
      const before = await findPage(pages, query.before)
      const compared = comparisonJson(await compareVersions(before, after, PLAIN_COMPARISON, versionReader))
      return { before: pageJson(before), after: pageJson(after), ...compared }
    },
    async getChangeFeed({ params, query }, { baseUrl }) {
      const crawl = await findCrawl(crawls, params.crawl_id)
      const { limit } = query
      const filter = { ...toFilter(query), crawlId: crawl.id, url: null, order: 'newest', after: null, limit } as const
      const body = toAtomFeed(crawl, await changes.list(filter), baseUrl)
      return { type: ATOM_TYPE, filename: null, body }
    },
  }
}

type Filter = Pick<ChangeQuery, 'kinds' | 'since' | 'until' | 'minWords'>

function toFilter({
  kind = [],
  since,
  until,
  min_words: minWords,
}: {
  kind?: ChangeKind | ChangeKind[] | undefined
  since?: string | undefined
  until?: string | undefined
  min_words: number
}): Filter {
  return {
    kinds: [kind].flat(),
    since: since === undefined ? null : Date.parse(since),
    until: until === undefined ? null : Date.parse(until),
    minWords,
  }
}
