// The revisits a day that a crawl may make: a token bucket, and the threshold of the crawl value at which they are spent.
// The threshold rises while the bucket is empty and falls while it is full. Both are stored with the crawl, so that
// restarts and any number of processes share them.

import type { ChangeEvidence } from './change-rate.ts'
import { crawlValue } from './crawl-value.ts'

export interface RevisitBudget {
  /** Crawl value from which a URL is visited. */
  threshold: number
  tokens: number
  updatedAt: number
}

const DAY_MS = 86_400_000
/** The bucket holds the visits of this time. */
const BUCKET_MS = 3_600_000
/** The threshold doubles or halves in about this time while the bucket is empty or full. */
const RESPONSE_MS = 6 * 3_600_000

/** The threshold at which a page of average importance with this evidence is visited after `intervalMs`. */
export function thresholdForInterval(prior: ChangeEvidence, intervalMs: number): number {
  return crawlValue(prior, 1, intervalMs)
}

/** A budget to start with: as if all pages were visited in turn. */
export function startBudget(
  { perDay, pages, prior }: { perDay: number; pages: number; prior: ChangeEvidence },
  now: number,
): RevisitBudget {
  const intervalMs = (Math.max(1, pages) / perDay) * DAY_MS
  return { threshold: thresholdForInterval(prior, intervalMs), tokens: bucketSize(perDay) / 2, updatedAt: now }
}

/** Fills the bucket for the time since the last call and moves the threshold. */
export function refillBudget(budget: RevisitBudget, perDay: number, now: number): RevisitBudget {
  const elapsedMs = Math.max(0, now - budget.updatedAt)
  const size = bucketSize(perDay)
  const tokens = Math.min(size, budget.tokens + (perDay * elapsedMs) / DAY_MS)
  const level = (2 * tokens) / size - 1
  const change = Math.exp((-level * Math.LN2 * Math.min(elapsedMs, BUCKET_MS)) / RESPONSE_MS)
  return { threshold: clampThreshold(budget.threshold * change), tokens, updatedAt: now }
}

/** Whole visits that may start now. */
export function visitsAllowed({ tokens }: RevisitBudget): number {
  return Math.max(0, Math.floor(tokens))
}

export function spendVisits(budget: RevisitBudget, visits: number): RevisitBudget {
  return { ...budget, tokens: budget.tokens - visits }
}

function bucketSize(perDay: number): number {
  return Math.max(1, (perDay * BUCKET_MS) / DAY_MS)
}

function clampThreshold(threshold: number): number {
  return threshold > 1e-6 ? Math.min(threshold, 1e18) : 1e-6
}
