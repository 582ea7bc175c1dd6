// Stores a webhook delivery for every hit of a monitor. A hit counts as announced once its deliveries are stored; their
// ids are the same in all processes, so each is sent once, even if a process dies in between.

import type { Clock } from '../../lib/clock.ts'
import { asAppError } from '../../lib/errors.ts'
import { isoTime } from '../../lib/iso-time.ts'
import type { Log } from '../../lib/log.ts'
import type { Delivery, Webhooks } from '../../ports/access.ts'
import type { Hit, MonitorHits, Monitors } from '../../ports/monitors.ts'
import { HIT_EVENT } from '../contract/system.ts'
import { hitJson } from '../views/monitor-json.ts'

export interface HitAnnouncerDependencies {
  webhooks: Pick<Webhooks, 'list' | 'enqueue'>
  monitors: Pick<Monitors, 'list'>
  hits: Pick<MonitorHits, 'unannounced' | 'markAnnounced'>
  clock: Clock
  log: Log
}

const POLL_INTERVAL_MS = 1000
const HITS_AT_ONCE = 100

export class HitAnnouncer {
  readonly #dependencies: HitAnnouncerDependencies
  #isStopped = false
  #cancel: (() => void) | null = null
  #running: Promise<void> = Promise.resolve()

  constructor(dependencies: HitAnnouncerDependencies) {
    this.#dependencies = dependencies
  }

  start(): void {
    this.#running = this.#announceAll()
      .catch((error: unknown) => {
        const { code, message } = asAppError(error)
        if (!this.#isStopped) this.#dependencies.log.warn('failed to announce hits', { code, message })
      })
      .then(() => {
        if (!this.#isStopped) this.#cancel = this.#dependencies.clock.after(POLL_INTERVAL_MS, () => this.start())
      })
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancel?.()
    await this.#running
  }

  /** Announces some of the hits that are waiting, and returns their number. */
  async announce(): Promise<number> {
    const { webhooks, hits } = this.#dependencies
    const waiting = await hits.unannounced(HITS_AT_ONCE)
    if (waiting.length === 0) return 0
    const subscribers = (await webhooks.list()).filter(({ events }) => events.includes(HIT_EVENT))
    if (subscribers.length > 0) {
      const deliveries = await this.#toDeliveries(waiting)
      const all = subscribers.flatMap(({ id, createdAt }) =>
        deliveries.filter(({ at }) => at >= createdAt).map(({ toDelivery }) => toDelivery(id)),
      )
      if (all.length > 0) await webhooks.enqueue(all)
    }
    await hits.markAnnounced(waiting.map(({ id }) => id))
    return waiting.length
  }

  async #announceAll(): Promise<void> {
    while (!this.#isStopped && (await this.announce()) === HITS_AT_ONCE);
  }

  async #toDeliveries(hits: Hit[]): Promise<{ at: number; toDelivery(webhookId: string): Delivery }[]> {
    const { monitors, clock } = this.#dependencies
    const names = new Map((await monitors.list()).map(({ id, name }) => [id, name]))
    const dueAt = clock.now()
    return hits.map((hit) => {
      const view = hitJson(hit, names.get(hit.monitorId) ?? '')
      const body = JSON.stringify({ event: HIT_EVENT, at: isoTime(hit.at), hit: view })
      return {
        at: hit.at,
        toDelivery: (webhookId) => {
          return { id: `${webhookId}:hit:${hit.id}`, webhookId, event: HIT_EVENT, body, attempts: 0, dueAt }
        },
      }
    })
  }
}
