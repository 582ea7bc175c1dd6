// Workers: registered processes that crawl, known by their heartbeat. A worker without a heartbeat for 15 s is lost,
// and its leases that were not renewed for as long are requeued. A lost worker may still be running, cut off from
// the store. That is safe: its threads stop using a lease before the 15 s are over
// (engine/crawl/loop/lease-renewal.ts), and its later reports are rejected. The next heartbeat makes it a worker
// again.

import type { Crawl } from './crawls.ts'

export const WORKER_STATES = ['working', 'draining', 'left', 'lost'] as const
/** Draining: claims no new URLs and ends when its work is done. Left: has ended in good order. */
export type WorkerState = (typeof WORKER_STATES)[number]

/** Heartbeats come every second, and a busy machine may miss some. A worker silent for longer counts as lost. */
export const HEARTBEAT_TIMEOUT_MS = 15_000

/** What the slots of a crawl are doing or waiting for. */
export const PHASES = [
  'politeness',
  'dns',
  'connect',
  'origin',
  'parse',
  'documents',
  'renderer',
  'proxy',
  'hooks',
  'store',
  'archive',
  'idle',
  'held',
] as const
export type Phase = (typeof PHASES)[number]

/** What a worker reports about one of its crawls. */
export interface CrawlFigures {
  crawlId: string
  inFlight: number
  /** Time of the slots in the last minute in ms; a missing phase is 0. */
  phases: Partial<Record<Phase, number>>
  /** Number of silent hosts, and the one that waits longest for its next request. Omitted if there are none. */
  silentHosts?: { hosts: number; host: string }
}

/** What a worker reports about itself. */
export interface WorkerFigures {
  /** Percent of one core since the last heartbeat. */
  cpuPercent: number
  rssBytes: number
  /** Largest event loop delay since the last heartbeat. */
  loopDelayMs: number
  /** Requests since the start. Responses of every kind count as answers, including error pages. */
  requests: number
  answers: number
  bytes: number
  inFlight: number
  lastAnswerAt: number | null
  /** Requests in the last minute, and how many of them got no response. */
  recentRequests: number
  recentFailures: number
  /** Why the worker claims no new URLs, if it is on hold. */
  held: string | null
  /** At most 50 crawls. */
  crawls: CrawlFigures[]
}

export interface WorkerHeartbeat {
  id: string
  /** Machine and process, for display. */
  name: string
  version: string
  /** Address of its health port, which also serves its archived records; null: none. */
  address: string | null
  startedAt: number
  figures: WorkerFigures
}

export interface WorkerRow extends WorkerHeartbeat {
  state: WorkerState
  seenAt: number
  /** Why it was drained, or how it was lost. */
  note: string | null
}

export interface HeartbeatReply {
  /** False: finish the work in flight and leave. */
  mayWork: boolean
  /** Active workers including this one. They share the limit on requests per second. */
  workers: number
  /** Why no worker may claim URLs at present; null: they may. */
  hold: FleetHoldReason | null
  /** Running crawls. */
  crawls: Crawl[]
}

/** Reasons for which one process can hold all workers. */
const FLEET_HOLD_REASONS = ['index_lag'] as const
export type FleetHoldReason = (typeof FLEET_HOLD_REASONS)[number]

/** An API process without the worker role. It serves archived records too, but sends no heartbeats. */
export interface ApiArchiveNode {
  id: string
  /** Machine and process, for display. */
  name: string
  /** See `WorkerFigures`. */
  address: string | null
}

export interface LostWorker {
  id: string
  /** How long the worker had been silent when its loss was noticed. */
  silentMs: number
  /** URLs that it had in flight, which were requeued. */
  urls: number
}

/** Work that no worker has claimed. */
export interface Backlog {
  /** Hosts of running crawls that are due and not leased. Counting stops at a few thousand. */
  dueHosts: number
}

/** Whether no active worker is left if this one drains. */
export function isLastWorker(rows: readonly Pick<WorkerRow, 'id' | 'state'>[], id: string): boolean {
  const isWorking = (row: Pick<WorkerRow, 'id' | 'state'>) => row.state === 'working'
  return rows.some((row) => row.id === id && isWorking(row)) && !rows.some((row) => row.id !== id && isWorking(row))
}

export interface Workers {
  /** The first heartbeat registers the worker. */
  heartbeat(beat: WorkerHeartbeat): Promise<HeartbeatReply>
  leave(workerId: string): Promise<void>
  list(): Promise<WorkerRow[]>
  /**
   * Keeps all workers from claiming URLs for `forMs`; 0 ends the hold. The holder has to repeat the call before the
   * hold expires.
   */
  hold(reason: FleetHoldReason, holder: string, forMs: number): Promise<void>
  /** Called every few seconds. Not needed by a store that one process has to itself. */
  announceArchiveNode(archiveNode: ApiArchiveNode): Promise<void>
  /** Archive nodes that announced themselves recently. */
  listArchiveNodes(): Promise<ApiArchiveNode[]>
  /** Tells a worker to finish and leave. */
  drain(workerId: string, why: string): Promise<void>
  /**
   * Marks workers without a heartbeat for `silentMs` as lost, and requeues the leases of lost workers that were not
   * renewed for as long. Their hosts wait one gap from now.
   */
  requeueLost(silentMs: number): Promise<LostWorker[]>
  backlog(): Promise<Backlog>
  /** Deletes workers that left or were lost longer ago than this. */
  deleteGone(olderThanMs: number): Promise<void>
}
