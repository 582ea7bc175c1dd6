// Handlers for the hits of monitors.

import { findHit, findMonitor } from '../../monitor/manage-monitors.ts'
import type { HitFilter } from '../../ports/monitors.ts'
import type { HandlersFor } from '../handlers.ts'
import { readCursor, writeCursor } from '../requests/cursor.ts'
import { findCrawl } from '../requests/find-crawl.ts'
import { parsePageUrl } from '../requests/page-url.ts'
import { hitJson } from '../views/monitor-json.ts'
import type { MonitorDependencies } from './monitors.ts'

export function hitHandlers({
  monitors,
  monitorHits: hits,
  crawls,
  clock,
}: Pick<MonitorDependencies, 'monitors' | 'monitorHits' | 'crawls' | 'clock'>): HandlersFor<
  'listHits' | 'getHit' | 'acknowledgeHits'
> {
  const readNames = async () => {
    const names = new Map((await monitors.list()).map(({ id, name }) => [id, name]))
    return (id: string) => names.get(id) ?? ''
  }
  return {
    async listHits({ query }) {
      if (query.monitor_id !== undefined) await findMonitor(monitors, query.monitor_id)
      if (query.crawl_id !== undefined) await findCrawl(crawls, query.crawl_id)
      const [before = null] = query.cursor === undefined ? [] : readCursor(query.cursor, ['number'])
      const filter: HitFilter = {
        monitorId: query.monitor_id ?? null,
        crawlId: query.crawl_id ?? null,
        url: query.url === undefined ? null : parsePageUrl(query.url),
        isOpen: query.open === undefined ? null : query.open === 'true',
        isMuted: null,
        before: before === null ? null : Number(before),
        limit: query.limit,
      }
      const found = await hits.list(filter)
      const nameOf = await readNames()
      const last = found.length === query.limit ? found.at(-1) : undefined
      return {
        items: found.map((hit) => hitJson(hit, nameOf(hit.monitorId))),
        next_cursor: last === undefined ? null : writeCursor(last.id),
        total: null,
      }
    },
    async getHit({ params }) {
      const hit = await findHit(hits, params.hit_id)
      return hitJson(hit, (await readNames())(hit.monitorId))
    },
    async acknowledgeHits({ body }) {
      if ('hit_ids' in body) return { acknowledged: await hits.acknowledge({ ids: body.hit_ids }, clock.now()) }
      const { id: monitorId } = await findMonitor(monitors, body.monitor_id)
      return { acknowledged: await hits.acknowledge({ monitorId, upTo: body.up_to }, clock.now()) }
    },
  }
}
