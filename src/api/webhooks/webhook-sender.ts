// Calls webhooks when the status of a crawl changes, and when changes of pages are published. Each delivery is stored
// first, under an id that is the same in all processes, so several processes that see a change send it once. After a
// crash it may be sent again, under the same id.

import type { Clock } from '../../lib/clock.ts'
import { asAppError } from '../../lib/errors.ts'
import { isoTime } from '../../lib/iso-time.ts'
import type { Log } from '../../lib/log.ts'
import type { Delivery, WebhookRow, Webhooks } from '../../ports/access.ts'
import type { Changes } from '../../ports/changes.ts'
import type { CrawlProgress, Crawls } from '../../ports/crawls.ts'
import type { StatusListener } from '../live/status-notifier.ts'
import type { ProgressJson } from '../views/progress-view.ts'
import { enqueueChanges } from './change-deliveries.ts'
import { deliveryHeaders } from './signature.ts'
import { type StatusChange, StatusChanges } from './status-changes.ts'
import type { WebhookClient } from './webhook-client.ts'

export interface WebhookSenderDependencies {
  webhooks: Webhooks
  crawls: Pick<Crawls, 'list'>
  changes: Pick<Changes, 'list'>
  toJson(progress: CrawlProgress): Promise<ProgressJson>
  client: WebhookClient
  clock: Clock
  log: Log
}

const POLL_INTERVAL_MS = 1000
/** Changes in the hour before the start are delivered too, unless they already were (deliveries are stored longer). */
const LOOK_BACK_MS = 3_600_000
const MAX_CONCURRENT_CALLS = 32
/** Longer than the timeout of a call. */
const CLAIM_MS = 60_000
const FIRST_RETRY_MS = 10_000
const MAX_RETRY_MS = 3_600_000
/** The retries span about a day. */
const MAX_ATTEMPTS = 32
const GONE = 410

export class WebhookSender implements StatusListener {
  readonly #dependencies: WebhookSenderDependencies
  readonly #statusChanges = new StatusChanges()
  readonly #since: number
  readonly #stopping = new AbortController()
  #cancel: (() => void) | null = null
  #polling: Promise<void> = Promise.resolve()
  /** Calls in flight. They run concurrently, so that a slow receiver does not delay the others. */
  readonly #calls = new Set<Promise<void>>()

  constructor(dependencies: WebhookSenderDependencies) {
    this.#dependencies = dependencies
    this.#since = dependencies.clock.now() - LOOK_BACK_MS
  }

  start(): void {
    this.#runAndSchedule()
  }

  /** Aborts calls in flight; this or another process repeats them later. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#cancel?.()
    await this.#polling
    await Promise.all(this.#calls)
  }

  /** Reports every change of this process; polling sees only the last of several changes within a second. */
  async onChanged(progress: CrawlProgress): Promise<void> {
    const rows = await this.#dependencies.webhooks.list()
    if (rows.length > 0) await this.#enqueue(rows, this.#statusChanges.collectOne(progress, this.#since))
  }

  onRemoved(): void {
    // Removed crawls have no event.
  }

  /** Stores new deliveries, sends the due ones, and waits until no call is in flight. */
  async runOnce(): Promise<void> {
    await this.#poll()
    await Promise.all(this.#calls)
  }

  #runAndSchedule(): void {
    this.#polling = this.#poll()
      .catch((error: unknown) => this.#logFailure(error))
      .then(() => {
        if (!this.#stopping.signal.aborted)
          this.#cancel = this.#dependencies.clock.after(POLL_INTERVAL_MS, () => this.#runAndSchedule())
      })
  }

  async #poll(): Promise<void> {
    const { webhooks, crawls, clock } = this.#dependencies
    const rows = await webhooks.list()
    if (rows.length === 0) return
    await this.#enqueue(rows, this.#statusChanges.collect(await crawls.list(), this.#since))
    await enqueueChanges(rows, clock.now(), this.#dependencies)
    const free = MAX_CONCURRENT_CALLS - this.#calls.size
    if (free <= 0 || this.#stopping.signal.aborted) return
    for (const delivery of await webhooks.claimDue(clock.now(), CLAIM_MS, free)) {
      const call = this.#deliver(delivery, rows)
        .catch((error: unknown) => this.#logFailure(error))
        .finally(() => this.#calls.delete(call))
      this.#calls.add(call)
    }
  }

  #logFailure(error: unknown): void {
    const { code, message } = asAppError(error)
    if (!this.#stopping.signal.aborted) this.#dependencies.log.warn('failed to call webhooks', { code, message })
  }

  async #enqueue(rows: WebhookRow[], changes: StatusChange[]): Promise<void> {
    const { webhooks, clock, toJson } = this.#dependencies
    const dueAt = clock.now()
    const deliveries: Delivery[] = []
    for (const { event, at, progress } of changes) {
      const subscribers = rows.filter(({ events, createdAt }) => events.includes(event) && at >= createdAt)
      if (subscribers.length === 0) continue
      const { id: crawlId } = progress.crawl
      const body = JSON.stringify({ event, at: isoTime(at), crawl: await toJson(progress) })
      for (const { id: webhookId } of subscribers) {
        const id = `${webhookId}:${crawlId}:${event}:${at}`
        deliveries.push({ id, webhookId, event, body, attempts: 0, dueAt })
      }
    }
    if (deliveries.length > 0) await webhooks.enqueue(deliveries)
  }

  async #deliver(delivery: Delivery, rows: WebhookRow[]): Promise<void> {
    const { webhooks, client, clock, log } = this.#dependencies
    const webhook = rows.find(({ id }) => id === delivery.webhookId)
    // The webhook was created after the list was read; the delivery is sent when its claim expires.
    if (webhook === undefined) return
    const { url, secret, allowsPrivate } = webhook
    const headers = deliveryHeaders(delivery, secret, clock.now())
    const { signal } = this.#stopping
    const outcome = await client.post({ url, headers, body: delivery.body, allowsPrivate }, signal)
    if (signal.aborted && outcome.status === null) return
    const at = clock.now()
    const waitMs = outcome.problem === null || outcome.status === GONE ? null : retryWaitMs(delivery.attempts + 1)
    await webhooks.recordDelivery(delivery.id, { at, ...outcome }, waitMs === null ? null : at + waitMs)
    const fields = { webhook: webhook.id, delivery: delivery.id, host: new URL(url).host, status: outcome.status }
    if (outcome.problem === null) log('webhook called', fields)
    else log.warn('webhook failed', { ...fields, problem: outcome.problem, again_in_ms: waitMs })
  }
}

/** Null after the last attempt. */
export function retryWaitMs(attempts: number): number | null {
  return attempts >= MAX_ATTEMPTS ? null : Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempts - 1))
}
