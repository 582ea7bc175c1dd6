// Signals that announce changes, such as sitemaps: true ones, with some misses and false alarms, and misleading ones.

import type { SeededRandom } from '../../../src/lib/seeded-random.ts'
import { exponential } from './change-processes.ts'
import { type ChangingPage, DAY_MS, HOUR_MS } from './changing-web.ts'

export const SIGNAL_WORLDS = ['none', 'true', 'lying', 'mixed'] as const
export type SignalWorld = (typeof SIGNAL_WORLDS)[number]

const RECALL = 0.9
const PRECISION = 0.9
/** Sitemaps are read once an hour. */
const POLL_MS = HOUR_MS

/** Time of the first signal after an observation of `time`, if the page changes at `staleAt`; infinite without one. */
export function firstSignal(
  page: ChangingPage,
  { world, time, staleAt }: { world: SignalWorld; time: number; staleAt: number },
  random: SeededRandom,
): number {
  const kind = signalKind(world, page.host)
  if (kind === 'none' || kind === 'frozen') return Number.POSITIVE_INFINITY
  // Says at every poll that the page changed just now.
  if (kind === 'always') return nextPoll(time)
  if (kind === 'random') return nextPoll(time + exponential(1 / (2 * DAY_MS), random))
  const falseRate = (page.rate * RECALL * (1 - PRECISION)) / PRECISION
  const announced = random.chance(RECALL) ? staleAt : staleAt + exponential(RECALL * page.rate, random)
  return nextPoll(Math.min(announced, time + exponential(falseRate, random)))
}

export function givesSignals(world: SignalWorld, host: number): boolean {
  return signalKind(world, host) !== 'none'
}

function signalKind(world: SignalWorld, host: number): 'none' | 'true' | 'always' | 'random' | 'frozen' {
  if (world === 'none' || world === 'true') return world
  if (world === 'mixed' && host % 2 === 0) return 'true'
  return (['always', 'random', 'frozen'] as const)[host % 3] ?? 'always'
}

function nextPoll(time: number): number {
  return Math.ceil(time / POLL_MS) * POLL_MS
}
