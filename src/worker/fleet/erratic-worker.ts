// Finds workers that fail where others succeed: a machine without a way out, a broken resolver, too little memory.

import type { WorkerRow } from '../../ports/workers.ts'

/** Of fewer requests a minute nothing can be said. */
const MIN_REQUESTS = 20
const BAD_SHARE = 0.5
const GOOD_SHARE = 0.1
/** A process that is late by this much is starved, and holds hosts that others could serve. */
const MAX_LOOP_DELAY_MS = 5_000
/** Of a worker that has been silent for longer nothing is known: it may be dead. Beats come every second. */
const FRESH_MS = 5_000

export interface ErraticWorker {
  id: string
  why: string
}

/** One at a time: with it gone, the others may look different. */
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
  return `${percent(own)} of its requests got no answer, ${percent(rest)} of those of the others`
}

function describeStarvation({ figures }: WorkerRow, others: WorkerRow[]): string | null {
  const isStarved = (delayMs: number) => delayMs > MAX_LOOP_DELAY_MS
  if (!isStarved(figures.loopDelayMs) || others.some((other) => isStarved(other.figures.loopDelayMs))) return null
  return `it is late by ${Math.round(figures.loopDelayMs / 1000)} s, the others are not`
}

/** Null where there are too few requests to tell. */
function failureShareOf(rows: WorkerRow[]): number | null {
  const requests = rows.reduce((sum, { figures }) => sum + figures.recentRequests, 0)
  const failures = rows.reduce((sum, { figures }) => sum + figures.recentFailures, 0)
  return requests < MIN_REQUESTS ? null : failures / requests
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`
}
