// Handlers for how a crawl treats hosts.

import { PolicyTable } from '../../config/policies/policy-table.ts'
import { AdaptiveCache } from '../../lib/adaptive-cache.ts'
import type { HostMeasurements } from '../../ports/diagnostics.ts'
import type { RobotsCopy } from '../../ports/robots.ts'
import type { ApiDependencies, HandlersFor } from '../handlers.ts'
import { findCrawl } from '../requests/find-crawl.ts'
import { politenessJson } from '../views/politeness-json.ts'

const MAX_CACHED = 20

export function politenessHandlers(dependencies: ApiDependencies): HandlersFor<'getPoliteness'> {
  const { crawls, browse, threadDiagnostics, robots, policies, clock } = dependencies
  const measured = new AdaptiveCache<HostMeasurements[]>(() => clock.now(), { maxEntries: MAX_CACHED })
  return {
    async getPoliteness({ params, query }) {
      const crawl = await findCrawl(crawls, params.crawl_id)
      const { text = null, limit, cursor = null } = query
      const { hosts, nextCursor } = await browse.hosts(crawl.id, { text, limit, cursor })
      const names = hosts.map(({ host }) => host)
      const key = `${crawl.id} ${crawl.status} ${names.join(' ')}`
      const rows = await measured.get(key, () => threadDiagnostics.measureHosts(crawl.id, names))
      const byName = new Map(rows.map((row) => [row.host, row]))
      const table = new PolicyTable(await policies.list())
      const items: ReturnType<typeof politenessJson>[] = []
      for (const { host, robots: known } of hosts) {
        const row = byName.get(host)
        if (row === undefined) continue
        const copies = await Promise.all(known.map(({ origin }) => robots.find(origin)))
        const found = copies.filter((copy): copy is RobotsCopy => copy !== null)
        items.push(politenessJson({ ...row, robots: found }, crawl.settings, table))
      }
      return { next_cursor: nextCursor, total: null, items }
    },
  }
}
