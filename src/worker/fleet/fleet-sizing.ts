// Decides how many workers a fleet should have. It grows while hosts are due that no worker has leased, and shrinks
// when one worker fewer would be enough. Both happen slowly enough not to oscillate.

export interface FleetLoad {
  /** Workers that run or are starting. */
  workers: number
  dueHosts: number
  /** Percent of one core, summed over the workers. */
  cpuPercent: number
}

export interface FleetLimits {
  min: number
  max: number
}

/** One worker is started per this many due hosts. */
const HOSTS_PER_WORKER = 50
/** Consecutive checks that must agree. There is a check every two seconds. */
const GROW_CHECKS = 2
const SHRINK_CHECKS = 15
/** A worker is stopped only if the others stay below this without it. */
const SPARE_CPU_PERCENT = 60

export class FleetSizing {
  readonly #limits: FleetLimits
  #growChecks = 0
  #shrinkChecks = 0

  constructor(limits: FleetLimits) {
    this.#limits = limits
  }

  /** Called on every check. Returns the wanted number of workers. */
  decideSize({ workers, dueHosts, cpuPercent }: FleetLoad): number {
    this.#growChecks = dueHosts > 0 ? this.#growChecks + 1 : 0
    const canSpareOne = workers > 1 && cpuPercent / (workers - 1) < SPARE_CPU_PERCENT
    this.#shrinkChecks = dueHosts === 0 && canSpareOne ? this.#shrinkChecks + 1 : 0
    if (this.#growChecks >= GROW_CHECKS) {
      this.#growChecks = 0
      // The fleet is at most doubled: the next check shows how much work the new workers take on.
      const more = Math.min(workers, Math.ceil(dueHosts / HOSTS_PER_WORKER))
      return this.#within(workers + Math.max(1, more))
    }
    if (this.#shrinkChecks >= SHRINK_CHECKS) {
      this.#shrinkChecks = 0
      return this.#within(workers - 1)
    }
    return this.#within(workers)
  }

  #within(workers: number): number {
    return Math.min(this.#limits.max, Math.max(this.#limits.min, workers))
  }
}
