// Reads the next URLs of a host queue from disk into a lease. Rows of URLs in flight stay in the queue index, so
// reading continues after the cursor. If the cursor was reset, rows in flight are read again and skipped.

import type { DatabaseSync } from 'node:sqlite'
import type { HostFreshness } from '../../../../frontier/host-freshness.ts'
import { toUrlKind } from '../../../../frontier/kind-changes.ts'
import { maxDelayedPerClaim } from '../../../../frontier/revisit-plan.ts'
import type { LeasedUrl } from '../../../../ports/leases.ts'
import { isRecrawled } from '../../../../ports/revisits.ts'
import { toAncestry } from '../../../encoding/ancestry.ts'
import { QUEUED, REQUISITE_KIND } from '../../../encoding/state-codes.ts'
import { decodeTrials } from '../../../encoding/trials.ts'
import { DamagedVersions } from '../../../pages/sqlite-damage.ts'
import { toLastVisit } from '../../revisit-row.ts'
import type { ActiveCrawl } from '../crawl-state/active-crawls.ts'
import type { ActiveLease, Leases } from '../leases.ts'
import type { HostRates } from '../recrawl/host-rates.ts'
import type { HostQueue } from './host-schedule.ts'

type Row = [
  id: number,
  url: string,
  depth: number,
  hops: number,
  attempts: number,
  rank: number,
  kind: number,
  dueAt: number,
  skeletons: Uint8Array | null,
  trials: string | null,
]

const COLUMNS = `id, url, depth, hops, attempts, rank, kind, max(due_at, first_seen_at),
  a.skeletons, trials`
/** Ancestry does not cross hosts, and requisites have none. */
const FROM = `urls indexed by urls_queue left join ancestry a on a.url_id = urls.parent and a.host = urls.host
  and urls.kind <> ${REQUISITE_KIND}`
interface WantedUrls {
  count: number
  maxDepth: number
  isDelayed: boolean
  /** Null if the crawl is not recrawled. */
  revisits: { now: number; host: HostFreshness; hasDamage: boolean } | null
}

export interface ClaimedUrls {
  urls: LeasedUrl[]
  /** URLs beyond the depth limit were skipped: it was lowered after they were discovered. */
  hasTooDeep: boolean
}

export class UrlClaimer {
  readonly #leases: Leases
  readonly #newUrls
  readonly #delayedUrls
  readonly #retryTimes
  readonly #revisit
  readonly #rates: HostRates
  readonly #damaged: DamagedVersions

  constructor(db: DatabaseSync, leases: Leases, rates: HostRates) {
    this.#leases = leases
    this.#rates = rates
    this.#newUrls = db.prepare(
      `select ${COLUMNS} from ${FROM}
       where crawl = ? and urls.host = ? and state = ${QUEUED} and due_at = 0 and (rank, id) > (?, ?) order by rank, id limit ?`,
    )
    this.#delayedUrls = db.prepare(
      `select ${COLUMNS} from ${FROM}
       where crawl = ? and urls.host = ? and state = ${QUEUED} and due_at > 0 and due_at <= ? order by due_at limit ?`,
    )
    this.#damaged = new DamagedVersions(db)
    this.#revisit = db.prepare('select * from revisits where url_id = ?')
    this.#retryTimes = db.prepare(
      `select id, due_at from urls indexed by urls_queue
       where crawl = ? and host = ? and state = ${QUEUED} and due_at > 0 order by due_at limit ?`,
    )
    this.#newUrls.setReturnArrays(true)
    this.#delayedUrls.setReturnArrays(true)
    this.#retryTimes.setReturnArrays(true)
  }

  /** Moves up to `count` URLs of the queue into the lease: delayed URLs that are due, then new URLs by rank. */
  claimUrls(crawl: ActiveCrawl, queue: HostQueue, lease: ActiveLease, count: number, now: number): ClaimedUrls {
    const claimedUrls: ClaimedUrls = { urls: [], hasTooDeep: false }
    if (count <= 0) return claimedUrls
    const maxDepth = crawl.settings.maxDepth ?? Number.POSITIVE_INFINITY
    const revisits = isRecrawled(crawl.settings)
      ? { now, host: this.#rates.host(crawl, queue.host.id), hasDamage: this.#damaged.hasAny() }
      : null
    if (queue.delayed > 0 && queue.nextDelayedAt <= now) {
      const rows = this.#delayedUrls.all(crawl.rowId, queue.host.id, now, count + queue.inFlight) as unknown as Row[]
      const maxDelayed = revisits !== null && queue.claimable > queue.delayed ? maxDelayedPerClaim(count) : count
      this.#addToLease(queue, lease, rows, { count: maxDelayed, maxDepth, isDelayed: true, revisits }, claimedUrls)
      queue.nextDelayedAt = this.#earliestDelayed(crawl, queue)
    }
    if (claimedUrls.urls.length < count && queue.claimable > queue.delayed) {
      const from = queue.cursor ?? { rank: 0, id: 0 }
      const limit = count - claimedUrls.urls.length + queue.inFlightAfterCursor
      const rows = this.#newUrls.all(crawl.rowId, queue.host.id, from.rank, from.id, limit) as unknown as Row[]
      const last = this.#addToLease(queue, lease, rows, { count, maxDepth, isDelayed: false, revisits }, claimedUrls)
      if (last !== undefined) {
        queue.cursor = { rank: last[5], id: last[0] }
        queue.rank = last[5]
      }
    }
    return claimedUrls
  }

  #addToLease(
    queue: HostQueue,
    lease: ActiveLease,
    rows: Row[],
    want: WantedUrls,
    claimedUrls: ClaimedUrls,
  ): Row | undefined {
    let last: Row | undefined
    for (const row of rows) {
      if (claimedUrls.urls.length >= want.count) break
      const [id, url, depth, hops, attempts, , kindCode, dueAt, skeletons, trialsText] = row
      const kind = toUrlKind(kindCode)
      last = row
      if (this.#leases.urlInFlight(id) !== undefined) {
        if (!want.isDelayed) queue.inFlightAfterCursor = Math.max(0, queue.inFlightAfterCursor - 1)
        continue
      }
      if (depth > want.maxDepth) {
        claimedUrls.hasTooDeep = true
        continue
      }
      const revisit = want.revisits === null ? undefined : this.#revisit.get(id)
      const trials = decodeTrials(trialsText)
      this.#leases.addUrl(lease, {
        id,
        url,
        kind,
        leasedKind: kind,
        attempts,
        depth,
        hops,
        leasedDepth: depth,
        isDelayed: want.isDelayed,
        trials,
        // Verdicts on patterns depend on first visits alone (G12).
        countsAsTrial: revisit === undefined,
      })
      claimedUrls.urls.push({
        id,
        url,
        kind,
        depth,
        hops,
        attempts: attempts - Number(revisit?.['attempts'] ?? 0),
        dueAt,
        ancestry: toAncestry(skeletons, trials),
        lastVisit: this.#lastVisit({ id, url, attempts }, revisit, want),
      })
      queue.claimable -= 1
      queue.inFlight += 1
      if (want.isDelayed) queue.delayed -= 1
    }
    return last
  }

  #lastVisit(
    url: { id: number; url: string; attempts: number },
    revisit: Record<string, unknown> | undefined,
    { revisits }: WantedUrls,
  ): LeasedUrl['lastVisit'] {
    if (revisit === undefined || revisits === null) return null
    const isDamaged = revisits.hasDamage && this.#damaged.has(url)
    return toLastVisit(revisit, url.attempts, { ...revisits, isDamaged })
  }

  #earliestDelayed(crawl: ActiveCrawl, queue: HostQueue): number {
    if (queue.delayed === 0) return Number.POSITIVE_INFINITY
    const rows = this.#retryTimes.all(crawl.rowId, queue.host.id, queue.inFlight + 1) as unknown as [number, number][]
    for (const [id, dueAt] of rows) if (this.#leases.urlInFlight(id) === undefined) return dueAt
    return Number.POSITIVE_INFINITY
  }
}
