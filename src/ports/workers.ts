// Workers: registered processes that crawl, known by their heartbeat. One that is not heard for a while is lost, and what
// its threads hold and have not renewed for as long is taken back. It may only be cut off: a thread trusts a lease for no
// longer than that after it renewed it, so its own requests have ended by then (engine/crawl/loop/lease-renewal.ts). What it reports
// later is refused. If it was cut off or asleep, its next beat makes it a worker again.

import type { Crawl } from './crawls.ts'

export const WORKER_STATES = ['working', 'draining', 'left', 'lost'] as const
/** Draining: it takes no new urls and ends when what it has is done. Left: it has ended in good order. */
export type WorkerState = (typeof WORKER_STATES)[number]

/** Beats come every second; a busy machine may miss some. A worker that is silent for longer is not at work. */
export const HEARTBEAT_TIMEOUT_MS = 15_000

/** What the slots of a crawl are busy with, or wait for. */
export const PHASES = [
  'politeness',
  'dns',
  'connect',
  'origin',
  'parse',
  'documents',
  'store',
  'archive',
  'idle',
  'held',
] as const
export type Phase = (typeof PHASES)[number]

/** What a worker says of one crawl it works on. */
export interface CrawlFigures {
  crawlId: string
  inFlight: number
  /** Time of its slots in the last minute, in ms; what is not named is 0. */
  phases: Partial<Record<Phase, number>>
}

/** What a worker says of itself. */
export interface WorkerFigures {
  /** Of one core, since the last beat. */
  cpuPercent: number
  rssBytes: number
  /** How late timers come, at worst since the last beat. */
  loopDelayMs: number
  /** Since it started; answers of every kind, an error page too. */
  requests: number
  answers: number
  bytes: number
  inFlight: number
  lastAnswerAt: number | null
  /** Requests of the last minute, and those of them that got no answer. */
  recentRequests: number
  recentFailures: number
  /** Why it takes no new urls, if something holds it. */
  held: string | null
  /** At most fifty. */
  crawls: CrawlFigures[]
}

export interface WorkerHeartbeat {
  id: string
  /** Machine and process, for people. */
  name: string
  version: string
  /** Where its health port can be reached, which also gives out what its folder keeps; null: nowhere. */
  address: string | null
  startedAt: number
  figures: WorkerFigures
}

export interface WorkerRow extends WorkerHeartbeat {
  state: WorkerState
  seenAt: number
  /** Why it was told to drain, or how it was lost. */
  note: string | null
}

export interface HeartbeatReply {
  /** False: finish what is under way and leave. */
  mayWork: boolean
  /** Workers at work, this one included: a limit of requests a second is shared among them. */
  workers: number
  /** Why no worker shall take urls for now; null: nothing is in the way. */
  hold: FleetHoldReason | null
  /** Crawls that are running. */
  crawls: Crawl[]
}

/** What one process can ask all workers to wait for. */
export const FLEET_HOLD_REASONS = ['index_lag'] as const
export type FleetHoldReason = (typeof FLEET_HOLD_REASONS)[number]

/** A process that keeps pages and is no worker. */
export interface ArchiveNode {
  id: string
  /** Machine and process, for people. */
  name: string
  /** As of a worker. */
  address: string | null
}

export interface LostWorker {
  id: string
  /** How long it had been silent when it was noticed. */
  silentMs: number
  /** Urls that it held and that were queued again. */
  urls: number
}

/** Work that nobody has taken. */
export interface Backlog {
  /** Hosts of running crawls that could be asked now and are not in anybody's hands; counted up to some thousands. */
  dueHosts: number
}

export interface Workers {
  /** Registers on the first beat. */
  heartbeat(beat: WorkerHeartbeat): Promise<HeartbeatReply>
  leave(workerId: string): Promise<void>
  list(): Promise<WorkerRow[]>
  /** All workers take no urls for so long; 0 ends it. Whoever holds says so again in time, or work goes on. */
  hold(reason: FleetHoldReason, holder: string, forMs: number): Promise<void>
  /** Said every few seconds by a keeper. A store that one process has to itself needs not know. */
  announceArchiveNode(archiveNode: ArchiveNode): Promise<void>
  /** Those heard of lately. */
  listArchiveNodes(): Promise<ArchiveNode[]>
  /** Tells a worker to finish and leave. */
  drain(workerId: string, why: string): Promise<void>
  /**
   * Takes workers not heard for `silentMs` for lost, and takes back the leases of lost workers that were not renewed for as
   * long. A host under one of them waits a gap from now.
   */
  requeueLost(silentMs: number): Promise<LostWorker[]>
  backlog(): Promise<Backlog>
  /** Forgets those that left or were lost longer ago than this. */
  deleteGone(olderThanMs: number): Promise<void>
}
