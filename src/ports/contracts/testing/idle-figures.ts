import type { WorkerFigures } from '../../workers.ts'

/** The figures of a worker that has done nothing yet. */
export const IDLE_FIGURES: WorkerFigures = {
  cpuPercent: 0,
  rssBytes: 0,
  loopDelayMs: 0,
  requests: 0,
  answers: 0,
  bytes: 0,
  inFlight: 0,
  lastAnswerAt: null,
  recentRequests: 0,
  recentFailures: 0,
  held: null,
  crawls: [],
}
