// Applies shorter paths that the other store had found but not applied. SQLite applies every shorter path at once, so
// afterwards all depths are those of the shortest paths.

import type { DatabaseSync } from 'node:sqlite'
import { isBeyondLimits } from '../../frontier/limits.ts'
import type { TransferRow } from '../../ports/transfer.ts'
import { decodeLinkKeys } from '../encoding/link-keys.ts'
import { REQUISITE_KIND, stateCode } from '../encoding/state-codes.ts'
import { type ActiveCrawl, ActiveCrawls } from '../frontier/sqlite/crawl-state/active-crawls.ts'
import { type DiscoveryPath, toDiscoveryPath, UrlDiscoverer } from '../frontier/sqlite/discovery/discover.ts'
import { Hosts } from '../frontier/sqlite/hosts.ts'
import { Leases } from '../frontier/sqlite/leases.ts'
import { HostRates } from '../frontier/sqlite/recrawl/host-rates.ts'
import { RevisitRecorder } from '../frontier/sqlite/recrawl/revisit-recorder.ts'

/** Parent of URLs without one, which have depth 0. */
const NO_PARENT = 0
const SEED_PATH: DiscoveryPath = { parent: null, depth: 0, hops: 0 }

/** Inside a transaction. A crawl that only waited for this completes. */
export function applyShorterPaths(db: DatabaseSync, detours: TransferRow[], now: number): void {
  if (detours.length === 0) return
  const hosts = new Hosts(db, now, { resolve: () => null })
  const active = new ActiveCrawls(db, hosts)
  const urlDiscoverer = new UrlDiscoverer(db, {
    hosts,
    leases: new Leases(0, 0),
    revisitRecorder: new RevisitRecorder(db, hosts, new HostRates(db)),
  })
  const uuidOf = db.prepare('select uuid from crawls where id = ?')
  const findUrl = db.prepare('select depth, hops, state, kind from urls where id = ?')
  const byKey = db.prepare(
    'select u.url, h.name as host from urls u join hosts h on h.id = u.host where u.crawl = ? and u.key = ?',
  )
  const offerPath = (crawl: ActiveCrawl, targets: Uint8Array, discoveryPath: DiscoveryPath) => {
    if (isBeyondLimits(crawl.settings, discoveryPath)) return
    for (const key of decodeLinkKeys(targets)) {
      const row = byKey.get(crawl.rowId, key)
      if (row === undefined) continue
      const known = { url: String(row['url']), host: String(row['host']) }
      // The URL exists, so this only offers it the path.
      urlDiscoverer.addWithoutRequeue(
        crawl,
        { key, ...known, kind: 'page', isRefresh: false, listing: null },
        discoveryPath,
        now,
      )
    }
  }
  const touched = new Set<ActiveCrawl>()
  for (const { crawl: rowId, url_id: urlId, targets } of detours) {
    const crawl = active.get(String(uuidOf.get(Number(rowId))?.['uuid']))
    touched.add(crawl)
    const from = Number(urlId)
    const url = findUrl.get(from)
    const step = { from, depth: Number(url?.['depth']), hops: Number(url?.['hops']), isRedirect: isRedirect(url) }
    const isRequisite = url?.['kind'] === REQUISITE_KIND
    if (targets instanceof Uint8Array) offerPath(crawl, targets, from === NO_PARENT ? SEED_PATH : toDiscoveryPath(step))
    else if (!isRequisite) urlDiscoverer.propagatePath(crawl, step, now)
    if (step.isRedirect) urlDiscoverer.markRedirectLoop(crawl, from)
  }
  for (const crawl of touched) active.save(crawl, now)
}

function isRedirect(url: Record<string, unknown> | undefined): boolean {
  return url?.['state'] === stateCode('redirected')
}
