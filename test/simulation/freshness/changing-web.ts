// Pages that change by themselves, in virtual time: rates over four orders of magnitude, alike within a host and more so
// within a URL pattern; importance by a power law; most change at random, some on the hour they keep, some in bursts.

import { type SeededRandom, seededRandom } from '../../../src/lib/seeded-random.ts'
import { burstyChanges, type ChangeProcess, periodicChanges, randomChanges } from './change-processes.ts'

export interface ChangingPage {
  host: number
  pattern: number
  /** 1 on average. */
  importance: number
  /** Changes per millisecond, over a long time. */
  rate: number
  process: ChangeProcess
}

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

const FASTEST_MS = HOUR_MS
const ORDERS_OF_MAGNITUDE = 4
const PERIODIC_SHARE = 0.1
const BURSTY_SHARE = 0.1
const IMPORTANCE_EXPONENT = 0.7
const PAGES_PER_HOST = 200
const PATTERNS_PER_HOST = 3

export function makeChangingWeb(count: number, seed: number): ChangingPage[] {
  const random = seededRandom(seed)
  const hosts = Math.max(1, Math.round(count / PAGES_PER_HOST))
  const speeds = Array.from({ length: hosts * PATTERNS_PER_HOST }, () => 0)
  for (let host = 0; host < hosts; host++) {
    const speed = random.next()
    for (let i = 0; i < PATTERNS_PER_HOST; i++) speeds[host * PATTERNS_PER_HOST + i] = near(speed, 0.2, random)
  }
  const importances = skewedImportances(count, random)
  return importances.map((importance) => {
    // Squared, so that some hosts are large.
    const host = Math.floor(random.next() ** 2 * hosts)
    const pattern = host * PATTERNS_PER_HOST + random.below(PATTERNS_PER_HOST)
    const speed = near(speeds[pattern] ?? 0, 0.1, random)
    const rate = 1 / (FASTEST_MS * 10 ** (ORDERS_OF_MAGNITUDE * (1 - speed)))
    const ownRandom = seededRandom(random.below(2 ** 32))
    return { host, pattern, importance, rate, process: chooseProcess(rate, ownRandom) }
  })
}

function chooseProcess(rate: number, random: SeededRandom): ChangeProcess {
  const kind = random.next()
  if (kind < PERIODIC_SHARE) return periodicChanges(rate, random)
  return kind < PERIODIC_SHARE + BURSTY_SHARE ? burstyChanges(rate, random) : randomChanges(rate, random)
}

function skewedImportances(count: number, random: SeededRandom): number[] {
  const importances = Array.from({ length: count }, (_, i) => (i + 1) ** -IMPORTANCE_EXPONENT)
  const mean = importances.reduce((sum, value) => sum + value, 0) / count
  for (let i = count - 1; i > 0; i--) {
    const other = random.below(i + 1)
    const value = importances[i] ?? 0
    importances[i] = importances[other] ?? 0
    importances[other] = value
  }
  return importances.map((value) => value / mean)
}

/** A point of [0, 1] near another. Reflected at the ends, so that uniform points stay uniform. */
function near(centre: number, distance: number, random: SeededRandom): number {
  const point = Math.abs(centre + (random.next() + random.next() + random.next() - 1.5) * 2 * distance)
  return point > 1 ? 2 - point : point
}
