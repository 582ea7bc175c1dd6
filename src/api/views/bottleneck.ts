// Explains what limits the speed of a crawl, from its workers' reports of the last minute.

import type { z } from 'zod'
import { mergePhases } from '../../engine/crawl/stats/phase-recorder.ts'
import type { CrawlStatus } from '../../lib/states.ts'
import { HOLD_REASONS, type HoldReason } from '../../ports/hold-reasons.ts'
import { type CrawlFigures, PHASES, type Phase } from '../../ports/workers.ts'
import type { Bottleneck } from '../contract/crawls.ts'

const BOTTLENECK_WINDOW_MS = 60_000

type BottleneckJson = z.output<typeof Bottleneck>

/** `setting` is the setting with the largest effect. */
const PHASE_EXPLANATIONS: Record<Phase, { explanation: string; setting: string | null }> = {
  politeness: {
    explanation: 'The crawl mostly waits between requests to the same host, to be polite.',
    setting: 'delay',
  },
  dns: { explanation: 'The crawl mostly waits for DNS lookups.', setting: 'concurrency' },
  connect: { explanation: 'The crawl mostly waits for connections to hosts.', setting: 'concurrency' },
  origin: {
    explanation: 'The crawl mostly waits for responses of hosts. More concurrent requests per host would help.',
    setting: 'per_host',
  },
  parse: { explanation: 'The crawl mostly parses pages. More threads or workers would help.', setting: 'threads' },
  documents: {
    explanation:
      'The crawl mostly waits for the document reader. More cores or workers would help; --no-documents skips PDF and other documents.',
    setting: 'documents',
  },
  renderer: {
    explanation:
      'The crawl mostly waits for the renderer. More cores or workers would help; --render auto or --render-include renders fewer pages.',
    setting: 'render',
  },
  proxy: {
    explanation:
      'The crawl waits for a proxy: all of them failed. The log says why; they are tried again within a minute.',
    setting: 'proxy',
  },
  hooks: {
    explanation:
      'The crawl mostly waits for hooks of the program that runs it. Make them faster, or do slow work in the loop over its pages.',
    setting: null,
  },
  store: { explanation: 'The crawl mostly waits for the store to commit its results.', setting: 'concurrency' },
  archive: {
    explanation: 'The crawl mostly waits for the archive. Archive fewer responses, or use a faster disk.',
    setting: 'archive',
  },
  idle: {
    explanation:
      'The crawl has few URLs that it may visit now: few are known, they are not due yet, or another crawl is using their hosts.',
    setting: null,
  },
  held: { explanation: 'The crawl is on hold.', setting: null },
}

const HOLD_EXPLANATIONS: Record<HoldReason, { explanation: string; setting: string | null }> = {
  max_disk: {
    explanation: 'The crawl is on hold: the data directory has reached its size limit.',
    setting: 'max_disk',
  },
  low_disk: { explanation: 'The crawl is on hold: the disk is nearly full.', setting: 'min_free_disk' },
  index_lag: { explanation: 'The crawl is on hold until the search index catches up.', setting: 'max_index_lag' },
  slow_store: {
    explanation: 'The crawl is on hold: commits to the store take too long.',
    setting: 'max_store_latency',
  },
  archive_store: {
    explanation: 'The crawl is on hold: uploads to the object storage of the archive fail or are too slow.',
    setting: 'max_upload_backlog',
  },
  memory: { explanation: 'The crawl is on hold: the process uses too much memory.', setting: 'memory' },
  no_worker: {
    explanation:
      'The crawl is on hold: no worker is running. Restart the server, or start a worker if there are several machines.',
    setting: null,
  },
  reader_lag: {
    explanation: 'The crawl is on hold until the program that reads its pages catches up.',
    setting: null,
  },
}

export interface CrawlActivity {
  figures: readonly CrawlFigures[]
  /** Why all workers of the crawl are on hold. */
  held: string | null
}

/** Sum over all workers; a host belongs to one of them at a time. */
export function mergeSilentHosts(figures: readonly CrawlFigures[]): { hosts: number; host: string } | null {
  const silent = figures.flatMap(({ silentHosts }) => silentHosts ?? [])
  const [first] = silent
  return first === undefined ? null : { hosts: silent.reduce((sum, { hosts }) => sum + hosts, 0), host: first.host }
}

/**
 * Explains that the crawl waits for hosts that do not respond, if they outnumber the hosts that it is getting pages
 * from.
 */
function explainSilence(
  phase: Phase,
  figures: readonly CrawlFigures[],
): Pick<BottleneckJson, 'explanation' | 'setting'> | null {
  const silent = mergeSilentHosts(figures)
  const inFlight = figures.reduce((sum, { inFlight }) => sum + inFlight, 0)
  if (silent === null || silent.hosts < inFlight || !['origin', 'connect', 'politeness', 'idle'].includes(phase))
    return null
  const who = silent.hosts === 1 ? `${silent.host} is not responding` : `${silent.hosts} hosts are not responding`
  return {
    explanation: `Waiting for the site: ${who}. The crawl keeps trying, up to the host patience.`,
    setting: 'host_patience',
  }
}

export function findBottleneck(status: CrawlStatus, { figures, held }: CrawlActivity): BottleneckJson {
  const none = { cause: null, shares: {}, setting: null, window_ms: BOTTLENECK_WINDOW_MS }
  if (status !== 'running') return { ...none, explanation: `The crawl is ${status}.` }
  if (held === 'no_worker') return { ...none, ...HOLD_EXPLANATIONS.no_worker }
  const times = mergePhases(figures.map(({ phases }) => phases))
  const spent = PHASES.map((phase) => ({ phase, ms: times[phase] ?? 0 }))
  const total = spent.reduce((sum, { ms }) => sum + ms, 0)
  if (figures.length === 0) return { ...none, explanation: 'No worker is crawling yet.' }
  if (total <= 0) return { ...none, explanation: 'The crawl has just started.' }
  const largest = spent.reduce((max, phase) => (phase.ms > max.ms ? phase : max))
  const shares = Object.fromEntries(spent.flatMap(({ phase, ms }) => (ms > 0 ? [[phase, ms / total]] : [])))
  const reason = HOLD_REASONS.find((known) => known === held)
  const explained =
    largest.phase === 'held' && reason !== undefined
      ? HOLD_EXPLANATIONS[reason]
      : (explainSilence(largest.phase, figures) ?? PHASE_EXPLANATIONS[largest.phase])
  return { cause: largest.phase, shares, ...explained, window_ms: BOTTLENECK_WINDOW_MS }
}
