// Texts that explain why a crawl is on hold or why hosts are waiting.

import type { HostWait, WaitReason } from '../../engine/crawl/hosts/host-waits.ts'
import type { HoldReason } from '../../ports/hold-reasons.ts'
import { formatDuration, pluralize } from '../format/units.ts'

/** Texts from the longest to the shortest. */
const HOLD_TEXTS: Record<HoldReason, readonly [string, ...string[]]> = {
  max_disk: [
    'the data directory has reached --max-disk; free some space, or stop and resume with a higher limit',
    'the data directory has reached --max-disk',
    'disk limit reached',
  ],
  low_disk: [
    'the disk is nearly full (--min-free-disk); the crawl continues when space is freed',
    'the disk is nearly full',
    'disk nearly full',
  ],
  index_lag: [
    'the search index is too far behind (--max-index-lag); the crawl continues when half of the lag is gone',
    'the search index is too far behind',
    'index behind',
  ],
  slow_store: [
    'commits take longer than --max-store-latency; the crawl continues when they take half of that',
    'the store is too slow (--max-store-latency)',
    'store slow',
  ],
  archive_store: [
    'uploads to --archive-store fail or are too slow; the crawl continues when half of --max-upload-backlog is uploaded',
    'uploads to --archive-store fail or are too slow',
    'object storage behind',
  ],
  memory: [
    'the process uses more memory than --memory allows; the crawl continues when it uses less, or after some seconds',
    'the process uses more than --memory',
    'memory limit',
  ],
  no_worker: [
    'no worker is running; restart the server, or start a worker if there are several machines',
    'no worker is running; restart the server',
    'no worker is running',
  ],
  reader_lag: [
    'the program that reads the pages is too far behind; the crawl continues when half of them are read',
    'the program that reads the pages is too far behind',
    'reader behind',
  ],
}

const WAIT_TEXTS: Record<WaitReason, string> = {
  no_answer: 'no response',
  slow_answer: 'no response yet',
  cooldown: 'cooling down',
  fewer_at_a_time: 'concurrency limit',
  crawl_delay: 'crawl-delay',
  policy: 'host policy',
  max_rate: 'rate limit',
  per_ip: 'per-IP limit',
  gap: 'gap',
  documents: 'document reader',
  renderer: 'renderer',
  proxy: 'proxy',
  hooks: 'hooks of the program',
}

export function holdText(reason: HoldReason, room = Number.POSITIVE_INFINITY): string {
  const texts = HOLD_TEXTS[reason]
  return texts.find((text) => text.length <= room) ?? texts.at(-1) ?? texts[0]
}

/** `sanitize` makes host names safe to print. */
export function waitText(waits: readonly HostWait[], sanitize: (text: string) => string): string {
  return waits.map((hostWait) => `${WAIT_TEXTS[hostWait.reason]} ${describeWaiters(hostWait, sanitize)}`).join(', ')
}

function describeWaiters({ hosts, host, leftMs }: HostWait, sanitize: (text: string) => string): string {
  if (hosts > 1) return pluralize(hosts, 'host')
  return leftMs >= 1000 ? `${formatDuration(leftMs)} (${sanitize(host)})` : `(${sanitize(host)})`
}
