import type { RouteResponse } from '../../../../src/api/contract/routes.ts'
import type { Tone } from '../../components/display/Badge.tsx'

export type WorkerInfo = RouteResponse<'listWorkers'>['items'][number]

export interface WorkerHealth {
  word: string
  tone: Tone
  /** What to look at; null when all is well. */
  detail: string | null
}

/** Half of the requests of a minute failing is no longer the sites' fault. */
const MANY_FAILURES = 0.5
const ENOUGH_REQUESTS = 20
const SLOW_LOOP_MS = 200

export function describeHealth(worker: WorkerInfo): WorkerHealth {
  switch (worker.state) {
    case 'left':
      return { word: 'left', tone: 'neutral', detail: worker.note }
    case 'lost':
      return { word: 'lost', tone: 'bad', detail: worker.note ?? 'It has not been heard for a while.' }
    case 'draining':
      return { word: 'draining', tone: 'warn', detail: worker.note ?? 'It finishes what it has and leaves.' }
    case 'working':
      return workingHealth(worker)
  }
}

function workingHealth(worker: WorkerInfo): WorkerHealth {
  if (worker.held !== null) return { word: 'held', tone: 'warn', detail: worker.held }
  const failures = worker.recent_requests === 0 ? 0 : worker.recent_failures / worker.recent_requests
  if (worker.recent_requests >= ENOUGH_REQUESTS && failures >= MANY_FAILURES) {
    return { word: 'failing', tone: 'bad', detail: 'Most of its requests of the last minute got no answer.' }
  }
  if (worker.loop_delay_ms >= SLOW_LOOP_MS) {
    return { word: 'overloaded', tone: 'warn', detail: 'Its timers come late: the machine has too little CPU for it.' }
  }
  return { word: 'working', tone: 'good', detail: worker.note }
}

/** At work first, then those that went, the newest first. */
export function sortWorkers(workers: readonly WorkerInfo[]): WorkerInfo[] {
  const ORDER = { working: 0, draining: 1, lost: 2, left: 3 } as const
  return workers.toSorted((a, b) => ORDER[a.state] - ORDER[b.state] || (a.started_at < b.started_at ? 1 : -1))
}
