// Handlers for monitors and their documents.

import type { z } from 'zod'
import { AppError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import {
  addDocument,
  addMonitor,
  findDraftProblems,
  findMonitor,
  monitorNotFoundError,
  muteUrl,
  type NewDocument,
  readHtmlDocument,
} from '../../monitor/manage-monitors.ts'
import { scanArchive } from '../../monitor/scan-archive.ts'
import type { MonitorChanges } from '../../ports/monitors.ts'
import type { PageVersion } from '../../ports/pages.ts'
import type { monitorRoutes } from '../contract/monitors.ts'
import type { ApiDependencies, HandlersFor } from '../handlers.ts'
import { findCrawl } from '../requests/find-crawl.ts'
import { parsePageUrl } from '../requests/page-url.ts'
import { invalidFieldsError } from '../requests/request-error.ts'
import { ATOM_TYPE } from '../views/atom-feed.ts'
import { toHitFeed } from '../views/hit-feed.ts'
import { documentJson, monitorJson, ruleFromJson } from '../views/monitor-json.ts'

type MonitorRouteName = Exclude<keyof typeof monitorRoutes, 'listHits' | 'getHit' | 'acknowledgeHits'>

/** Dependencies that the command line also has when it opens the store itself. */
export type MonitorDependencies = Pick<ApiDependencies, 'monitors' | 'protectedDocuments' | 'monitorHits' | 'clock'> & {
  log: Log
  crawls: Pick<ApiDependencies['crawls'], 'progress'>
  pages: Pick<ApiDependencies['pages'], 'history' | 'listAfter' | 'newestId'>
  pageCache: Pick<ApiDependencies['pageCache'], 'readUncached'>
}

const MAX_TITLE = 300

export function monitorHandlers(dependencies: MonitorDependencies): HandlersFor<MonitorRouteName> {
  const { monitors, protectedDocuments: documents, monitorHits: hits, crawls, clock } = dependencies
  const viewOf = async (id: string) => {
    const row = await findMonitor(monitors, id)
    return monitorJson(row, (await monitors.counts())[id])
  }
  const check = async (changes: MonitorChanges) => {
    const problems = findDraftProblems(changes)
    if (problems.length > 0) {
      throw invalidFieldsError(
        'BAD_CONFIG',
        problems.map(({ field, message }) => ({ field: `body.${field}`, message })),
      )
    }
    for (const crawlId of changes.crawlIds ?? []) await findCrawl(crawls, crawlId)
  }
  return {
    async listMonitors() {
      const [rows, counts] = [await monitors.list(), await monitors.counts()]
      return { items: rows.map((row) => monitorJson(row, counts[row.id])), next_cursor: null, total: rows.length }
    },
    async createMonitor({ body }) {
      const { name, include, exclude, crawl_ids: crawlIds, muted: isMuted } = body
      const draft = { name, include, exclude, crawlIds, isMuted, rule: ruleFromJson(body.rule) }
      await check(draft)
      return monitorJson(await addMonitor(monitors, draft, clock.now()))
    },
    getMonitor: ({ params }) => viewOf(params.monitor_id),
    async changeMonitor({ params, body }) {
      const { name, include, exclude, crawl_ids: crawlIds, muted: isMuted, rule } = body
      const changes: MonitorChanges = {
        ...(name === undefined ? {} : { name }),
        ...(include === undefined ? {} : { include }),
        ...(exclude === undefined ? {} : { exclude }),
        ...(crawlIds === undefined ? {} : { crawlIds }),
        ...(isMuted === undefined ? {} : { isMuted }),
        ...(rule === undefined ? {} : { rule: ruleFromJson(rule) }),
      }
      await check(changes)
      if (!(await monitors.change(params.monitor_id, changes))) throw monitorNotFoundError(params.monitor_id)
      return viewOf(params.monitor_id)
    },
    async deleteMonitor({ params }) {
      if (!(await monitors.remove(params.monitor_id))) throw monitorNotFoundError(params.monitor_id)
    },
    async muteMonitorUrl({ params, body }) {
      const url = parsePageUrl(body.url)
      await muteUrl(monitors, params.monitor_id, { url, isMuted: body.muted })
      return viewOf(params.monitor_id)
    },
    async scanArchive({ params, body }) {
      const { pages, pageCache, log } = dependencies
      const monitor = await findMonitor(monitors, params.monitor_id)
      const readPage = (version: PageVersion) => pageCache.readUncached(version)
      const scan = { pages, readPage, documents, hits, clock, log }
      const { examined, unread, newHits, next, newest } = await scanArchive(monitor, body.after, scan)
      return { examined, unread, new_hits: newHits, next, newest }
    },
    async getMonitorFeed({ params, query }, { baseUrl }) {
      const monitor = await findMonitor(monitors, params.monitor_id)
      const filter = { crawlId: null, url: null, isOpen: null, isMuted: false, before: null, limit: query.limit }
      const body = toHitFeed(monitor, await hits.list({ ...filter, monitorId: monitor.id }), baseUrl)
      return { type: ATOM_TYPE, filename: null, body }
    },
    async listMonitorDocuments({ params }) {
      await findMonitor(monitors, params.monitor_id)
      const rows = await documents.list(params.monitor_id)
      return { items: rows.map(documentJson), next_cursor: null, total: rows.length }
    },
    async addMonitorDocument({ params, body }) {
      const document = await readDocument(body, dependencies)
      const request = { document, now: clock.now() }
      return documentJson(await addDocument({ monitors, documents }, params.monitor_id, request))
    },
    async deleteMonitorDocument({ params }) {
      await findMonitor(monitors, params.monitor_id)
      if (await documents.remove(params.monitor_id, params.document_id)) return
      throw new AppError('DOCUMENT_NOT_FOUND', `The monitor has no document with the id ${params.document_id}.`)
    },
  }
}

type DocumentRequest = z.output<(typeof monitorRoutes)['addMonitorDocument']['body']>

async function readDocument(request: DocumentRequest, dependencies: MonitorDependencies): Promise<NewDocument> {
  if ('text' in request) return { ...request, url: null }
  if ('html' in request) {
    const { title, text } = readHtmlDocument(request.html)
    return { title: (request.title ?? title).slice(0, MAX_TITLE) || 'Untitled', url: null, text }
  }
  const url = parsePageUrl(request.url)
  const version = (await dependencies.pages.history(url)).findLast(({ isArchived }) => isArchived)
  if (version === undefined) {
    const advice = 'Crawl it first, or send its text.'
    throw new AppError('PAGE_NOT_FOUND', `The archive has no page ${url}. ${advice}`)
  }
  const { text } = await dependencies.pageCache.readUncached(version)
  return { title: (request.title ?? version.title ?? url).slice(0, MAX_TITLE) || url, url, text }
}
