// Times at which a page changes. A process only moves forward: it returns the first change after an observation, and
// observations come in order of time.

import type { SeededRandom } from '../../../src/lib/seeded-random.ts'

export interface ChangeProcess {
  firstChangeAfter(time: number): number
}

/** A Poisson process. The times do not depend on when they are requested, so that all policies get the same changes. */
export function randomChanges(rate: number, random: SeededRandom): ChangeProcess {
  let change = 0
  return {
    firstChangeAfter(time) {
      while (change <= time) change += exponential(rate, random)
      return change
    },
  }
}

export function periodicChanges(rate: number, random: SeededRandom): ChangeProcess {
  const period = 1 / rate
  const phase = random.next() * period
  return { firstChangeAfter: (time) => (Math.floor((time - phase) / period) + 1) * period + phase }
}

/** A tenth of the time a page changes 9.1 times as often as on average, otherwise a tenth as often. */
export function burstyChanges(rate: number, random: SeededRandom): ChangeProcess {
  const rates = { busy: rate * 9.1, quiet: rate * 0.1 }
  const busyMs = Math.max(3 * 86_400_000, 10 / rate)
  const lengths = { busy: busyMs, quiet: busyMs * 9 }
  let isBusy = random.chance(0.1)
  let phaseEnd = exponential(1 / lengths[isBusy ? 'busy' : 'quiet'], random)
  let change = 0
  return {
    firstChangeAfter(time) {
      while (change <= time) {
        const next = Math.max(change, 0) + exponential(rates[isBusy ? 'busy' : 'quiet'], random)
        if (next <= phaseEnd) {
          change = next
          continue
        }
        change = phaseEnd
        isBusy = !isBusy
        phaseEnd += exponential(1 / lengths[isBusy ? 'busy' : 'quiet'], random)
      }
      return change
    },
  }
}

export function exponential(rate: number, random: SeededRandom): number {
  return -Math.log(1 - random.next()) / rate
}
