import type { RouteResponse } from '../../../../src/api/contract/routes.ts'
import type { Tone } from '../../components/display/Badge.tsx'
import { holdText } from '../../text/reasons.ts'

export type WorkerInfo = RouteResponse<'listWorkers'>['items'][number]

export interface WorkerHealth {
  label: string
  tone: Tone
  /** An explanation; null if the worker is healthy. */
  detail: string | null
}

/** If half of the requests fail, the cause is likely the worker, not the sites. */
const MANY_FAILURES = 0.5
const ENOUGH_REQUESTS = 20
const SLOW_LOOP_MS = 200

export function describeHealth(worker: WorkerInfo): WorkerHealth {
  switch (worker.state) {
    case 'left':
      return { label: 'Left', tone: 'neutral', detail: worker.note }
    case 'lost':
      return { label: 'Lost', tone: 'bad', detail: worker.note ?? 'No heartbeat for a while.' }
    case 'draining':
      return { label: 'Draining', tone: 'warn', detail: worker.note ?? 'Finishes its requests, then exits.' }
    case 'working':
      return workingHealth(worker)
  }
}

function workingHealth(worker: WorkerInfo): WorkerHealth {
  if (worker.held !== null) return { label: 'On hold', tone: 'warn', detail: holdText(worker.held) }
  const failures = worker.recent_requests === 0 ? 0 : worker.recent_failures / worker.recent_requests
  if (worker.recent_requests >= ENOUGH_REQUESTS && failures >= MANY_FAILURES) {
    return { label: 'Failing', tone: 'bad', detail: 'Most requests of the last minute got no response.' }
  }
  if (worker.loop_delay_ms >= SLOW_LOOP_MS) {
    return { label: 'Overloaded', tone: 'warn', detail: 'The event loop is delayed: the machine needs more CPU.' }
  }
  return { label: 'Working', tone: 'good', detail: worker.note }
}

/** Active workers first, newest first. */
export function sortWorkers(workers: readonly WorkerInfo[]): WorkerInfo[] {
  const ORDER = { working: 0, draining: 1, lost: 2, left: 3 } as const
  return workers.toSorted((a, b) => ORDER[a.state] - ORDER[b.state] || (a.started_at < b.started_at ? 1 : -1))
}
