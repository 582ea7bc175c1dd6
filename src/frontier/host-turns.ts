// Crawls that need the same host take turns. A lease is topped up for one turn; when it is released, the host is reserved
// for the crawl whose turn is next, or else for the thread that had it.
//
//   served       the crawl was granted the host (SQLite: `servedAt`)
//   waiting      the crawl asked while another one had the host; it waits from then on (Postgres: `wanted_at`)
//   missed       the crawl did not ask while the host was reserved for it

import type { CrawlSettings } from '../ports/crawls.ts'

/** How long a lease is topped up while another crawl waits for the host. */
const TURN_MS = 1000
/** How long a released host waits for the holder of its reservation. */
const RESERVED_MS = 500

export interface HostReservation {
  /**
   * The thread that last had the host, whose connections and robots.txt rules can be reused; null for any thread of
   * the crawl.
   */
  holder: string | null
  crawl: number
  until: number
}

/** URLs of a host with a gap that last for a turn. */
export function urlsPerTurn({ delayMs }: CrawlSettings, gapMs: number): number {
  return Math.ceil(TURN_MS / Math.max(1, gapMs, delayMs === 'auto' ? 0 : delayMs))
}

export function isTurnOver(grantedAt: number, now: number): boolean {
  return now - grantedAt >= TURN_MS
}

/** The arguments are SQL expressions. */
export function isTurnOverSql(grantedAt: string, now: string): string {
  return `${grantedAt} <= ${now} - ${TURN_MS}`
}

/** When a host may be requested. A host that is down is due at once, since its URLs end without a request. */
export function hostDueAt(nextAt: number, downUntil: number, now: number): number {
  return downUntil > now ? 0 : nextAt
}

export function reservedUntil(nextAt: number, now: number): number {
  return Math.max(now, nextAt) + RESERVED_MS
}

/** `h` is the host; `now` is an SQL expression. */
export function reservedUntilSql(now: string): string {
  return `greatest(${now}, h.next_at) + ${RESERVED_MS}`
}

/** Whether a host is free for a thread of a crawl, or reserved for another one. */
export function isAvailableTo(
  { reservation, downUntil }: { reservation: HostReservation | null; downUntil: number },
  { crawl, holder, isExclusive }: { crawl: number; holder: string; isExclusive: boolean },
  now: number,
): boolean {
  if (reservation === null || reservation.until <= now || downUntil > now) return true
  if (reservation.holder === null) return reservation.crawl === crawl
  return reservation.holder === holder || !isExclusive
}

/** `h` is the host; `crawl`, `holder`, `now` and `isExclusive` are SQL expressions. */
export function isAvailableToSql(requester: {
  crawl: string
  holder: string
  now: string
  isExclusive: string
}): string {
  const { crawl, holder, now, isExclusive } = requester
  return `(h.kept_until <= ${now} or h.down_until > ${now} or h.kept_crawl = ${crawl}
        or (h.kept_crawl is null and (h.kept_for = ${holder} or not ${isExclusive})))`
}
