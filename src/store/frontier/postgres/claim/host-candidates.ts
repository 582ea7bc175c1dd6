// Hosts of a crawl that are due, with their rows locked. While the row is locked, no other transaction can lease the host,
// in any crawl.

import type { HostSettings } from '../../../../config/policies/host-settings.ts'
import {
  freeSlots,
  hostSlotParameters,
  IS_EXCLUSIVE_SQL,
  isExclusiveHost,
  sharedSlots,
} from '../../../../frontier/host-slots.ts'
import { hostDueAt, isAvailableToSql } from '../../../../frontier/host-turns.ts'
import type { LeaseRequest } from '../../../../ports/leases.ts'
import type { PolicyCache } from '../../../policies/postgres.ts'
import type { Queryable, Row } from '../../../postgres/query.ts'
import type { CachedCrawl } from '../crawl-state/crawl-cache.ts'
import { HOST_COLUMNS, toHostTiming } from '../hosts.ts'
import { waitingCrawls } from './host-turns.ts'

/** Hosts of one rank, longest due first. Skips hosts that others have locked or reserved. */
const LOCK = {
  name: 'candidates_lock',
  text: `select q.host, q.rank, q.weight, h.name, ${HOST_COLUMNS}, h.kept_crawl, exists (${waitingCrawls('$4', 'h.id')}) as has_waiting_crawl
    from queues q join hosts h on h.id = q.host
    where q.crawl = $4 and q.turn_rank = $5 and q.due_at <= $10 and q.host <> all($7::int[])
      and ${isAvailableToSql({ crawl: '$4', holder: '$8', now: '$6', isExclusive: IS_EXCLUSIVE_SQL })}
    order by q.due_at limit $9 for no key update of q, h skip locked`,
}

/** A separate statement: its snapshot must include leases committed by the previous holder of the lock. */
const BUSY = {
  name: 'candidates_busy',
  text: `select host, sum(slots)::int as busy, (sum(slots) filter (where worker = $2))::int as own,
      bool_or(crawl = $3) as is_ours, min(expires_at) as until
    from leases where host = any($1::int[]) group by host`,
}

export interface HostCandidate {
  hostId: number
  rank: number
  host: Row
  isExclusive: boolean
  /** 0: no slot can be granted. */
  slots: number
  /** Slots left for others. */
  slotsLeft: number
  /** When to try again if the host is not ready; null if it is. */
  notBefore: number | null
  /** Another crawl has the host. */
  isHeldByOtherCrawl: boolean
  /** New weight from the policy; null if the queue has it already. */
  weight: number | null
  settings: HostSettings
}

export interface HostCandidateRequest {
  crawl: CachedCrawl
  policies: PolicyCache
  holder: string
  request: LeaseRequest
  now: number
  /** Only hosts that are due by this time. */
  dueBy: number
}

export async function lockCandidates(
  tx: Queryable,
  { crawl, policies, holder, request, now, dueBy }: HostCandidateRequest,
  { rank, count, seen }: { rank: number; count: number; seen: number[] },
): Promise<HostCandidate[]> {
  const values = [...hostSlotParameters(crawl.settings), crawl.id, rank, now, seen, holder, count, dueBy]
  const { rows } = await tx.query({ ...LOCK, values })
  if (rows.length === 0) return []
  const hosts = rows.map((row) => Number(row['host']))
  const leases = await tx.query({ ...BUSY, values: [hosts, holder, crawl.id] })
  const busy = new Map(leases.rows.map((row) => [Number(row['host']), row]))
  return rows.map((row) => {
    const name = String(row['name'])
    const weight = policies.weightOf(name)
    const known = {
      settings: policies.settingsAt(crawl.settings, name),
      weight: weight === row['weight'] ? null : weight,
    }
    return {
      ...known,
      ...assessHost(known.settings, request, { host: row, lease: busy.get(Number(row['host'])), now }),
    }
  })
}

function assessHost(
  settings: HostSettings,
  request: LeaseRequest,
  { host, lease, now }: { host: Row; lease: Row | undefined; now: number },
): Omit<HostCandidate, 'weight' | 'settings'> {
  const isExclusive = isExclusiveHost(settings, toHostTiming(host))
  const known = {
    hostId: Number(host['host']),
    rank: Number(host['rank']),
    host,
    isExclusive,
    isHeldByOtherCrawl: false,
  }
  const dueAt = hostDueAt(Number(host['next_at']), Number(host['down_until']), now)
  if (dueAt > now) return { ...known, slots: 0, slotsLeft: 0, notBefore: dueAt }
  const busy = Number(lease?.['busy'] ?? 0)
  const own = Number(lease?.['own'] ?? 0)
  const free = freeSlots(settings, isExclusive, busy)
  if (free === 0) {
    // If another thread of the crawl has slots, the crawl is being served.
    const isHeldByOtherCrawl = lease?.['is_ours'] !== true
    return { ...known, slots: 0, slotsLeft: 0, notBefore: Number(lease?.['until'] ?? now), isHeldByOtherCrawl }
  }
  const slots = isExclusive ? free : sharedSlots(free, { own, slotsPerHost: request.slotsPerHost })
  return { ...known, slots, slotsLeft: free - slots, notBefore: null }
}
