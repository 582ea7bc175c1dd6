// The owner of the crawls: pauses them, blocks a host or lowers the depth limit and reverts that after a while, or
// removes a crawl. A reverted change leaves no trace in the result, unless the crawl had ended by then.

import { asAppError } from '../../../../src/lib/errors.ts'
import { isUnfinished } from '../../../../src/lib/states.ts'
import type { CrawlControl } from '../../../../src/ports/control.ts'
import type { Crawl } from '../../../../src/ports/crawls.ts'
import type { LeaseModel } from '../checks/lease-model.ts'
import type { StoreMonitor } from '../checks/store-monitor.ts'
import type { FaultKind, OwnerAction, PlannedFault } from '../planned-faults.ts'
import type { SimulationPlan } from '../simulation-plan.ts'
import type { VirtualTimeline } from '../virtual-timeline.ts'
import type { SimulatedStore } from './simulated-store.ts'
import type { SimulatedWorkers } from './simulated-workers.ts'
import type { StoreQueue } from './store-queue.ts'

export interface CrawlOwnerDependencies {
  plan: SimulationPlan
  timeline: VirtualTimeline
  storeQueue: StoreQueue
  storeMonitor: StoreMonitor
  leaseModel: LeaseModel
  workers: SimulatedWorkers
  crawls: Crawl[]
  hosts: string[]
  store(): SimulatedStore
  wallMs(): number
  onEvent(who: string, what: string): void
  onFault(kind: FaultKind): void
}

/** The crawl that an action applies to. */
interface ActionTarget {
  at: number
  id: string
}

/** A crawl with URLs in flight is not removed; the owner retries. */
const RETRY_MS = 3000
/** With a low limit, most crawls end soon, and then no deferred URLs can be admitted. */
const LOWER_DEPTH_DIVISOR = 20

export class CrawlOwner {
  readonly #dependencies: CrawlOwnerDependencies
  readonly #removed = new Set<number>()
  readonly #endedEarly = new Set<number>()
  /** Crawls with an action that is not reverted yet. */
  readonly #busy = new Set<number>()

  constructor(parts: CrawlOwnerDependencies) {
    this.#dependencies = parts
  }

  get isDone(): boolean {
    return this.#busy.size === 0
  }

  hasRemoved(crawl: number): boolean {
    return this.#removed.has(crawl)
  }

  /** Whether the crawl ended while an action restricted it. */
  hasEndedEarly(crawl: number): boolean {
    return this.#endedEarly.has(crawl)
  }

  /** Starts one action at a time per crawl. The first crawl is never removed, or nothing would be left to check. */
  act(kind: OwnerAction, { pick, ms }: PlannedFault): void {
    const { crawls, hosts, onFault } = this.#dependencies
    const at = pick % crawls.length
    const id = crawls[at]?.id
    if (id === undefined || this.#busy.has(at) || this.#removed.has(at)) return
    if (kind === 'remove crawl' && at === 0) return
    this.#busy.add(at)
    onFault(kind)
    const about = { at, id }
    switch (kind) {
      case 'pause crawl':
        return this.#pause(about, ms)
      case 'block host':
        return this.#blockHost(about, hosts[pick % hosts.length] ?? '', ms)
      case 'lower depth':
        return this.#lowerDepth(about, pick % 3, Math.ceil(ms / LOWER_DEPTH_DIVISOR))
      case 'remove crawl':
        return this.#remove(about)
    }
  }

  cancelAll(): void {
    const { crawls, store } = this.#dependencies
    crawls.forEach(({ id }, at) => {
      this.#enqueue({ at, id }, 'cancels', () => store().crawls.close(id, 'cancelled'))
    })
  }

  /** Recounts the remaining crawls. */
  async auditCrawls(): Promise<void> {
    const { crawls, storeMonitor } = this.#dependencies
    for (const [at, { id }] of crawls.entries()) if (!this.#removed.has(at)) await storeMonitor.checkCrawl(id)
  }

  #pause(actionTarget: ActionTarget, ms: number): void {
    const { store } = this.#dependencies
    this.#enqueue(actionTarget, 'pauses', () => store().crawls.setPaused(actionTarget.id, true))
    this.#undoAfter(actionTarget, ms, 'resumes', () => store().crawls.setPaused(actionTarget.id, false))
  }

  #blockHost(actionTarget: ActionTarget, host: string, ms: number): void {
    const { store, plan, storeMonitor } = this.#dependencies
    this.#enqueue(actionTarget, `blocks ${host} in`, async () => {
      await store().control.blockHost(actionTarget.id, host)
      storeMonitor.setRestriction(actionTarget.id, { host, beyondDepth: Number.POSITIVE_INFINITY })
    })
    this.#undoAfter(actionTarget, ms, `releases ${host} in`, async () => {
      storeMonitor.setRestriction(actionTarget.id, null)
      if (await this.#isClosed(actionTarget)) return
      // URLs beyond the depth limit are discarded at the end of a crawl, so a shorter path that is found now leads
      // nowhere.
      if (plan.settings.maxDepth !== null && (await this.#isOver(actionTarget))) this.#endedEarly.add(actionTarget.at)
      await store().control.unblockHost(actionTarget.id, host)
      await store().crawls.setPaused(actionTarget.id, false)
    })
  }

  #lowerDepth(actionTarget: ActionTarget, maxDepth: number, ms: number): void {
    const { store, plan, storeMonitor } = this.#dependencies
    const { maxDepth: before } = plan.settings
    if (before !== null && before <= maxDepth) return this.#finish(actionTarget)
    this.#enqueue(actionTarget, `lowers the depth to ${maxDepth} of`, async () => {
      if (await this.#isOver(actionTarget)) return
      await store().control.changeSettings(actionTarget.id, { maxDepth })
      storeMonitor.setRestriction(actionTarget.id, { host: null, beyondDepth: maxDepth })
      await this.#restartWorkers(actionTarget)
    })
    this.#undoAfter(actionTarget, ms, 'raises the depth of', async () => {
      storeMonitor.setRestriction(actionTarget.id, null)
      if (await this.#isOver(actionTarget)) this.#endedEarly.add(actionTarget.at)
      await store().control.changeSettings(actionTarget.id, { maxDepth: before })
    })
  }

  #remove(actionTarget: ActionTarget): void {
    const { store, workers, leaseModel, timeline, wallMs } = this.#dependencies
    this.#enqueue(actionTarget, 'removes', async () => {
      await store().crawls.setPaused(actionTarget.id, true)
      const problem = await removeCrawl(store().control, actionTarget.id).then(
        () => null,
        (error: unknown) => asAppError(error),
      )
      if (problem?.code === 'CRAWL_RUNNING') {
        timeline.after(RETRY_MS, () => this.#remove(actionTarget))
        return
      }
      if (problem !== null) throw problem
      this.#removed.add(actionTarget.at)
      workers.forgetCrawl(actionTarget.at)
      leaseModel.forgetCrawl(actionTarget.id, wallMs())
      this.#finish(actionTarget)
    })
  }

  #undoAfter(actionTarget: ActionTarget, ms: number, what: string, work: () => Promise<unknown>): void {
    this.#dependencies.timeline.after(ms, () =>
      this.#enqueue(actionTarget, what, async () => {
        await work()
        await this.#restartWorkers(actionTarget)
        this.#finish(actionTarget)
      }),
    )
  }

  #finish({ at }: ActionTarget): void {
    this.#busy.delete(at)
  }

  /** Restarts the workers, unless nothing is left to do. */
  async #restartWorkers(actionTarget: ActionTarget): Promise<void> {
    const { workers, store } = this.#dependencies
    if (!(await this.#isOver(actionTarget)))
      workers.restartOn(actionTarget.at, await store().crawls.find(actionTarget.id))
  }

  async #isOver({ id }: ActionTarget): Promise<boolean> {
    const { status } = await this.#dependencies.store().crawls.find(id)
    return !isUnfinished(status)
  }

  async #isClosed({ id }: ActionTarget): Promise<boolean> {
    return (await this.#dependencies.store().crawls.find(id)).reason !== null
  }

  #enqueue(actionTarget: ActionTarget, what: string, work: () => Promise<unknown>): void {
    const { storeQueue, onEvent, storeMonitor } = this.#dependencies
    storeQueue.enqueue(async () => {
      if (this.#removed.has(actionTarget.at)) return
      onEvent('owner', `${what} crawl ${actionTarget.at}`)
      await work()
      if (!this.#removed.has(actionTarget.at)) await storeMonitor.checkCrawl(actionTarget.id)
    })
  }
}

async function removeCrawl(crawlControl: CrawlControl, crawlId: string): Promise<void> {
  await crawlControl.remove(crawlId)
  while (await crawlControl.removeNextBatch());
}
