// The event loop delay of this process per second. The web server of a chaos run lives in it and records a request only
// when its loop turns.

import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { DelayMonitor } from './request-rate.ts'

const SECOND_MS = 1000
const NS_PER_MS = 1e6
const RESOLUTION_MS = 10

export class EventLoopDelay implements DelayMonitor {
  readonly #delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  readonly #samples: { until: number; lateMs: number }[] = []
  readonly #timer: NodeJS.Timeout

  constructor() {
    this.#delay.enable()
    this.#timer = setInterval(() => this.#sample(), SECOND_MS)
  }

  maxDelayMsAround(at: number): number {
    const near = this.#samples.filter(({ until }) => until > at - SECOND_MS && until < at + 2 * SECOND_MS)
    return near.reduce((worst, { lateMs }) => Math.max(worst, lateMs), 0)
  }

  close(): void {
    clearInterval(this.#timer)
    this.#delay.disable()
  }

  #sample(): void {
    this.#samples.push({ until: performance.now(), lateMs: this.#delay.max / NS_PER_MS - RESOLUTION_MS })
    this.#delay.reset()
  }
}
