// What visits to the urls of one shape brought. Pages that bring nothing raise its points, pages that bring something
// lower them, below zero for a pattern that has long been good:
//
//   open  <-- SLOW points -->  slowed  -- CAP points -->  capped
//
// Released is what its owner has freed: it is counted, but never slowed or capped.

import type { PatternReport, PatternState } from '../../ports/patterns.ts'

export const SLOW = 5
export const CAP = 12
const REWARD = 4
const MOST_PATIENCE = 8
/** Pages with content that prove a pattern. */
const PROOF = 12
/** Urls of a pattern that count as a way on while no page of it had content. */
export const CREDIT = 256

export interface Pattern {
  host: string
  shape: string
  state: PatternState
  visits: number
  fruitless: number
  /** Pages that had something to say or led on, and those that had something to say. */
  good: number
  rich: number
  points: number
  /** Urls of this pattern that still count as a way on for the pages that lead to them; content renews it. */
  credit: number
  /** The coarse pattern's run of poor pages that this one has added to, and how many points. */
  run: number
  given: number
  /** Since the last report. */
  newVisits: number
  newFruitless: number
  hasNewState: boolean
}

export function newPattern(host: string, shape: string): Pattern {
  const counts = { visits: 0, fruitless: 0, good: 0, rich: 0, points: 0, run: 0, given: 0 }
  const news = { newVisits: 0, newFruitless: 0, hasNewState: false }
  return { host, shape, state: 'open', ...counts, credit: CREDIT, ...news }
}

export function isProven({ rich, points }: Pattern, proof = PROOF): boolean {
  return rich >= proof && points <= 0
}

export function isContained({ state }: Pattern): boolean {
  return state === 'slowed' || state === 'capped'
}

/** A page led on, or also had something to say. */
export function reward(pattern: Pattern, isRich: boolean): void {
  pattern.good += 1
  if (isRich) pattern.rich += 1
  pattern.points = Math.max(-Math.min(MOST_PATIENCE, pattern.good), pattern.points - REWARD)
  if (pattern.state === 'slowed' && pattern.points < SLOW) changeState(pattern, 'open')
}

/** A page brought nothing. `patience` multiplies the points that it takes to slow a pattern. */
export function punish(pattern: Pattern, points: number, patience: number): void {
  pattern.fruitless += 1
  pattern.newFruitless += 1
  pattern.points += points
  if (pattern.points >= SLOW * patience) changeState(pattern, 'slowed')
}

/** Answers whether it has changed. */
export function changeState(pattern: Pattern, state: PatternState): boolean {
  if (pattern.state === state || pattern.state === 'released' || pattern.state === 'capped') return false
  pattern.state = state
  pattern.hasNewState = true
  return true
}

/** Reports grow rarer as an open pattern grows: the store need not know each of its pages at once. */
export function isWorthTelling({ state, visits, fruitless, newVisits, newFruitless, hasNewState }: Pattern): boolean {
  if (hasNewState) return true
  const isOfInterest = state !== 'open' || fruitless >= 3 || visits >= 32
  return isOfInterest && (newFruitless > 0 || newVisits * 8 >= visits)
}

/** What is new since the last report. */
export function takeReport(pattern: Pattern): PatternReport {
  const { host, shape, state, newVisits, newFruitless } = pattern
  pattern.newVisits = 0
  pattern.newFruitless = 0
  pattern.hasNewState = false
  return { pattern: host + shape, state, visits: newVisits, fruitless: newFruitless }
}

/** Takes over what the store knows, in totals over all threads. That it is open again each finds out by itself. */
export function adopt(pattern: Pattern, { state, visits, fruitless }: PatternReport): void {
  // Of a proven pattern one page in eight was looked at. What we have seen ourselves we know better.
  if (pattern.visits === 0) pattern.rich = Math.floor((visits - fruitless) / 8)
  if (pattern.state === 'released' || state === 'open') return
  if (pattern.state === 'capped' && state === 'slowed') return
  if (pattern.state === 'open' && state === 'slowed') pattern.points = Math.max(pattern.points, SLOW)
  pattern.state = state
}
