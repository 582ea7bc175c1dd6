// Where another store had found a shorter way to a url but not yet passed it on, this one does so at once, as it does
// with every way: afterwards all depths are those of the shortest ways.

import type { DatabaseSync } from 'node:sqlite'
import type { TransferRow } from '../../ports/transfer.ts'
import { stateCode } from '../rows/codes.ts'
import { readKeys } from '../rows/link-keys.ts'
import { type ActiveCrawl, ActiveCrawls } from './active-crawl.ts'
import { Discover, isTooFar, type Step, type Way } from './discover.ts'
import { Hosts } from './hosts.ts'
import { Leases } from './leases.ts'

/** What has no url of its own but leads to urls at depth 0. */
const NOWHERE = 0
const FROM_NOWHERE: Way = { parent: null, depth: 0, hops: 0 }

/** Inside a transaction. A crawl that only waited for this is complete afterwards. */
export function passOnDetours(db: DatabaseSync, detours: TransferRow[], now: number): void {
  if (detours.length === 0) return
  const hosts = new Hosts(db, now)
  const active = new ActiveCrawls(db, hosts)
  const discover = new Discover(db, hosts, new Leases(0, 0))
  const uuidOf = db.prepare('select uuid from crawls where id = ?')
  const stands = db.prepare('select depth, hops, state from urls where id = ?')
  const byKey = db.prepare(
    'select u.url, h.name as host from urls u join hosts h on h.id = u.host where u.crawl = ? and u.key = ?',
  )
  const offer = (crawl: ActiveCrawl, targets: Uint8Array, way: Way) => {
    if (isTooFar(crawl, way)) return
    for (const key of readKeys(targets)) {
      const row = byKey.get(crawl.rowId, key)
      if (row === undefined) continue
      const known = { url: String(row['url']), host: String(row['host']) }
      // It is known, so this only tells it of the way.
      discover.add(crawl, { key, ...known, kind: 'page', isRefresh: false, listing: null }, way, now)
    }
  }
  const touched = new Set<ActiveCrawl>()
  for (const { crawl: rowId, url_id: urlId, targets } of detours) {
    const crawl = active.get(String(uuidOf.get(Number(rowId))?.['uuid']))
    touched.add(crawl)
    const from = Number(urlId)
    const url = stands.get(from)
    const step = { from, depth: Number(url?.['depth']), hops: Number(url?.['hops']), isRedirect: isRedirect(url) }
    if (targets instanceof Uint8Array) offer(crawl, targets, from === NOWHERE ? FROM_NOWHERE : wayOf(step))
    else discover.offerChildren(crawl, step, now)
    if (step.isRedirect) discover.markLoop(crawl, from)
  }
  for (const crawl of touched) active.save(crawl, now)
}

function isRedirect(url: Record<string, unknown> | undefined): boolean {
  return url?.['state'] === stateCode('redirected')
}

function wayOf({ from, depth, hops, isRedirect }: Step): Way {
  return { parent: from, depth: depth + (isRedirect ? 0 : 1), hops: isRedirect ? hops + 1 : 0 }
}
