// How many workers a fleet should have. It grows when hosts that could be asked find nobody, and shrinks when one fewer
// would do; slowly enough not to swing.

export interface FleetLoad {
  /** Workers that work or are about to. */
  workers: number
  dueHosts: number
  /** Of one core, summed over the workers. */
  cpuPercent: number
}

export interface FleetLimits {
  min: number
  max: number
}

/** A worker is started for so many hosts that wait. */
const HOSTS_PER_WORKER = 50
/** Looks in a row that must agree; a look is two seconds. */
const GROW_CHECKS = 2
const SHRINK_CHECKS = 15
/** With one worker fewer, the others shall not be busier than this. */
const SPARE_CPU_PERCENT = 60

export class FleetSizing {
  readonly #limits: FleetLimits
  #growChecks = 0
  #shrinkChecks = 0

  constructor(limits: FleetLimits) {
    this.#limits = limits
  }

  /** Answers how many workers there should be; call it at every look. */
  decideSize({ workers, dueHosts, cpuPercent }: FleetLoad): number {
    this.#growChecks = dueHosts > 0 ? this.#growChecks + 1 : 0
    const wouldDo = workers > 1 && cpuPercent / (workers - 1) < SPARE_CPU_PERCENT
    this.#shrinkChecks = dueHosts === 0 && wouldDo ? this.#shrinkChecks + 1 : 0
    if (this.#growChecks >= GROW_CHECKS) {
      this.#growChecks = 0
      // Twice as many at most: what the first of them take shows at the next look.
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
