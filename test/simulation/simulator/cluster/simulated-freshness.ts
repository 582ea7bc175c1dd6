// The freshness manager of a simulation. It queues URLs that are due, and lets the crawls complete once they have been
// visited often enough.

import { isUnfinished } from '../../../../src/lib/states.ts'
import type { Crawl } from '../../../../src/ports/crawls.ts'
import type { StoreMonitor } from '../checks/store-monitor.ts'
import type { VirtualTimeline } from '../virtual-timeline.ts'
import type { CrawlOwner } from './crawl-owner.ts'
import type { SimulatedStore } from './simulated-store.ts'
import type { StoreQueue } from './store-queue.ts'

export interface SimulatedFreshnessDependencies {
  timeline: VirtualTimeline
  storeQueue: StoreQueue
  storeMonitor: StoreMonitor
  owner: CrawlOwner
  crawls: Crawl[]
  store(): SimulatedStore
  onEvent(who: string, what: string): void
  onViolation(promise: string, detail: string): void
}

const STEP_MS = 700
const BATCH = 5
/** Revisits per URL, on average. */
const ROUNDS = 2
/** If a limit prevents all visits, crawls complete without revisits. */
const MAX_MS = 600_000

export class SimulatedFreshness {
  readonly #dependencies: SimulatedFreshnessDependencies
  #requeued = 0
  #isOver = false

  constructor(dependencies: SimulatedFreshnessDependencies) {
    this.#dependencies = dependencies
  }

  start(): void {
    const { timeline, storeQueue } = this.#dependencies
    storeQueue.enqueue(() => this.#step())
    timeline.after(STEP_MS, () => {
      if (!this.#isOver) this.start()
    })
  }

  async #step(): Promise<void> {
    const { store, crawls, owner, storeMonitor, timeline, onEvent, onViolation } = this.#dependencies
    if (this.#isOver) return
    const { requeued } = await store().revisits.requeueDue(BATCH)
    this.#requeued += requeued
    let known = 0
    let isWatching = false
    for (const [at, { id }] of crawls.entries()) {
      if (owner.hasRemoved(at)) continue
      const { ledger, crawl } = await storeMonitor.checkCrawl(id)
      isWatching ||= crawl.status === 'watching'
      known += ledger.queued + ledger.in_progress + ledger.visited + ledger.redirected
    }
    if (requeued > 0) onEvent('freshness', `requeues ${requeued}`)
    const isEnough = this.#requeued >= ROUNDS * known && known > 0
    const isLate = timeline.elapsedMs > MAX_MS
    if (isLate && !isEnough && isWatching)
      onViolation('G14 revisits', `${known} URLs were requeued ${this.#requeued} times in ${MAX_MS} ms`)
    if ((isEnough || isLate) && owner.isDone) await this.#finish()
  }

  /** Crawls complete when all queued URLs have been visited. */
  async #finish(): Promise<void> {
    const { store, crawls, owner, onEvent } = this.#dependencies
    this.#isOver = true
    onEvent('freshness', `has requeued ${this.#requeued} and ends`)
    for (const [at, { id }] of crawls.entries()) {
      if (owner.hasRemoved(at) || !isUnfinished((await store().crawls.find(id)).status)) continue
      await store().control.changeSettings(id, { recrawl: 'off' })
    }
  }
}
