// What a crawl spends its time on, from what its workers say of the last minute, in words for its owner.

import type { z } from 'zod'
import { mergePhases } from '../../engine/crawl/watch/phase-recorder.ts'
import { HOLD_REASONS, type HoldReason } from '../../ports/hold-reasons.ts'
import type { CrawlStatus } from '../../ports/state.ts'
import { type CrawlFigures, PHASES, type Phase } from '../../ports/workers.ts'
import type { Bottleneck } from '../contract/crawls.ts'

export const BOTTLENECK_WINDOW_MS = 60_000

type BottleneckJson = z.output<typeof Bottleneck>

/** `setting` is the one that changes most about it. */
const PHASE_EXPLANATIONS: Record<Phase, { explanation: string; setting: string | null }> = {
  politeness: {
    explanation: 'The crawl mostly waits between requests to the same hosts, as good manners ask.',
    setting: 'delay',
  },
  dns: { explanation: 'The crawl mostly waits for the addresses of host names.', setting: 'concurrency' },
  connect: { explanation: 'The crawl mostly waits for connections to servers.', setting: 'concurrency' },
  origin: {
    explanation: 'The crawl mostly waits for the answers of servers. More requests at a time to a host would help.',
    setting: 'per_host',
  },
  parse: { explanation: 'The crawl mostly reads pages; it could use more threads or workers.', setting: 'threads' },
  documents: {
    explanation:
      'The crawl mostly waits for the document reader. More cores or workers would help; --no-documents leaves PDF and other documents unread.',
    setting: 'documents',
  },
  store: { explanation: 'The crawl mostly waits for the store to take what was found.', setting: 'concurrency' },
  archive: {
    explanation: 'The crawl mostly waits for the archive to be written. Keep fewer answers, or use a faster disk.',
    setting: 'archive',
  },
  idle: {
    explanation:
      'The crawl has little that it may visit now: few urls are known, it is not their time, or another crawl is at their hosts.',
    setting: null,
  },
  held: { explanation: 'The crawl is held up as a whole.', setting: null },
}

const HOLD_EXPLANATIONS: Record<HoldReason, { explanation: string; setting: string | null }> = {
  max_disk: { explanation: 'The crawl waits: the data directory is as large as it may be.', setting: 'max_disk' },
  low_disk: { explanation: 'The crawl waits: the disk is nearly full.', setting: 'min_free_disk' },
  index_lag: { explanation: 'The crawl waits for the search index to catch up.', setting: 'max_index_lag' },
  slow_store: { explanation: 'The crawl waits: the store takes too long to commit.', setting: 'max_store_latency' },
  memory: { explanation: 'The crawl waits: the process takes more memory than it may.', setting: 'memory' },
  no_worker: {
    explanation: 'The crawl waits: no worker is running. Restart the server, or in a cluster start a worker.',
    setting: null,
  },
}

export interface CrawlActivity {
  figures: readonly CrawlFigures[]
  /** Why all workers of the crawl take no new urls. */
  held: string | null
}

export function findBottleneck(status: CrawlStatus, { figures, held }: CrawlActivity): BottleneckJson {
  const none = { cause: null, shares: {}, setting: null, window_ms: BOTTLENECK_WINDOW_MS }
  if (status !== 'running') return { ...none, explanation: `The crawl is ${status}.` }
  if (held === 'no_worker') return { ...none, ...HOLD_EXPLANATIONS.no_worker }
  const times = mergePhases(figures.map(({ phases }) => phases))
  const spent = PHASES.map((phase) => ({ phase, ms: times[phase] ?? 0 }))
  const total = spent.reduce((sum, { ms }) => sum + ms, 0)
  if (figures.length === 0) return { ...none, explanation: 'No worker has the crawl in its hands.' }
  if (total <= 0) return { ...none, explanation: 'The crawl has only just begun.' }
  const largest = spent.reduce((most, one) => (one.ms > most.ms ? one : most))
  const shares = Object.fromEntries(spent.flatMap(({ phase, ms }) => (ms > 0 ? [[phase, ms / total]] : [])))
  const reason = HOLD_REASONS.find((one) => one === held)
  const words =
    largest.phase === 'held' && reason !== undefined ? HOLD_EXPLANATIONS[reason] : PHASE_EXPLANATIONS[largest.phase]
  return { cause: largest.phase, shares, ...words, window_ms: BOTTLENECK_WINDOW_MS }
}
