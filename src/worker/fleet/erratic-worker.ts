// Finds workers that fail where others succeed: a machine without network access, a broken resolver, too little memory.

import type { WorkerRow } from '../../ports/workers.ts'

/** Fewer requests per minute say nothing. */
const MIN_REQUESTS = 20
const BAD_SHARE = 0.5
const GOOD_SHARE = 0.1
/** A process with a longer event loop delay is starved, and keeps hosts from other workers. */
const MAX_LOOP_DELAY_MS = 5_000
/** A worker that has been silent for longer may be dead. Heartbeats come every second. */
const FRESH_MS = 5_000

export interface ErraticWorker {
  id: string
  why: string
}

/** Finds one worker at a time: without it, the others may look different. */
export function findErraticWorker(rows: WorkerRow[]): ErraticWorker | null {
  const newest = Math.max(...rows.map(({ seenAt }) => seenAt))
  const working = rows.filter(({ state, seenAt }) => state === 'working' && newest - seenAt < FRESH_MS)
  for (const row of working) {
    const others = working.filter((other) => other !== row)
    if (others.length === 0) continue
    const why = describeFailures(row, others) ?? describeStarvation(row, others)
    if (why !== null) return { id: row.id, why }
  }
  return null
}

function describeFailures(row: WorkerRow, others: WorkerRow[]): string | null {
  const [own, rest] = [failureShareOf([row]), failureShareOf(others)]
  if (own === null || rest === null || own < BAD_SHARE || rest > GOOD_SHARE) return null
  return `${percent(own)} of its requests got no response, compared with ${percent(rest)} on the other workers`
}

function describeStarvation({ figures }: WorkerRow, others: WorkerRow[]): string | null {
  const isStarved = (delayMs: number) => delayMs > MAX_LOOP_DELAY_MS
  if (!isStarved(figures.loopDelayMs) || others.some((other) => isStarved(other.figures.loopDelayMs))) return null
  return `its event loop is ${Math.round(figures.loopDelayMs / 1000)} s late, the other workers' are not`
}

/** Null if there are too few requests to tell. */
function failureShareOf(rows: WorkerRow[]): number | null {
  const requests = rows.reduce((sum, { figures }) => sum + figures.recentRequests, 0)
  const failures = rows.reduce((sum, { figures }) => sum + figures.recentFailures, 0)
  return requests < MIN_REQUESTS ? null : failures / requests
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`
}
