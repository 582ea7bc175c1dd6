// Why a crawl, or a host of it, is not asked for more just now, in words.

import type { HostWait, WaitReason } from '../../engine/crawl/hosts/host-waits.ts'
import type { HoldReason } from '../../ports/hold-reasons.ts'
import { formatDuration, pluralize } from '../format/units.ts'

/** From the longest to the shortest way to say it. */
const HOLD_TEXTS: Record<HoldReason, readonly [string, ...string[]]> = {
  max_disk: [
    'the data directory has reached --max-disk; make room there, or stop and resume with a larger one',
    'the data directory has reached --max-disk',
    'for room (--max-disk)',
  ],
  low_disk: [
    'the disk is nearly full (--min-free-disk); the crawl goes on when there is room',
    'the disk is nearly full',
    'for room on the disk',
  ],
  index_lag: [
    'the search index is too far behind (--max-index-lag); the crawl goes on when it has caught up by half',
    'the search index is too far behind',
    'for the index',
  ],
  slow_store: [
    'commits take longer than --max-store-latency; the crawl goes on when the store answers in half that time',
    'the store is too slow (--max-store-latency)',
    'for the store',
  ],
  memory: [
    'the process takes more memory than --memory allows; the crawl goes on when it takes less, or after some seconds',
    'the process takes more than --memory',
    'for memory',
  ],
  no_worker: [
    'no worker is running; restart the server, or in a cluster start a worker',
    'no worker is running; restart the server',
    'no worker is running',
  ],
}

const WAIT_TEXTS: Record<WaitReason, string> = {
  no_answer: 'no answer',
  slow_answer: 'no answer yet',
  cooldown: 'cooling down',
  fewer_at_a_time: 'refuses more at a time',
  crawl_delay: 'crawl-delay',
  max_rate: 'rate limit',
  per_ip: 'per-ip',
  gap: 'gap',
  documents: 'document reader',
}

export function holdText(reason: HoldReason, room = Number.POSITIVE_INFINITY): string {
  const ways = HOLD_TEXTS[reason]
  return ways.find((way) => way.length <= room) ?? ways.at(-1) ?? ways[0]
}

/** `text` makes the name of a host fit to print. */
export function waitText(waits: readonly HostWait[], text: (foreign: string) => string): string {
  return waits.map((hostWait) => `${WAIT_TEXTS[hostWait.reason]} ${describeWaiters(hostWait, text)}`).join(', ')
}

function describeWaiters({ hosts, host, leftMs }: HostWait, text: (foreign: string) => string): string {
  if (hosts > 1) return pluralize(hosts, 'host')
  return leftMs >= 1000 ? `${formatDuration(leftMs)} (${text(host)})` : `(${text(host)})`
}
