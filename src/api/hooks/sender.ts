// Calls webhooks when crawls change. What is to be called is stored first, under an id that every process would give it,
// so that it is called once however many processes see the change, and also when they die in between.

import type { Clock } from '../../lib/clock.ts'
import { asAppError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { Delivery, WebhookRow, Webhooks } from '../../ports/access.ts'
import type { CrawlProgress, Crawls } from '../../ports/crawls.ts'
import { isoTime, type ProgressJson } from '../answers/progress.ts'
import type { Hearer } from '../live/tell-changes.ts'
import { type Change, Changes } from './changes.ts'
import type { Poster } from './post.ts'
import { deliveryHeaders } from './sign.ts'

export interface SenderParts {
  webhooks: Webhooks
  crawls: Pick<Crawls, 'list'>
  tell(progress: CrawlProgress): Promise<ProgressJson>
  poster: Poster
  clock: Clock
  log: Log
}

const LOOK_MS = 1000
/** Changes of before the start are told too, if nobody has; the store remembers longer what was. */
const LOOK_BACK_MS = 3_600_000
const AT_A_TIME = 32
/** Longer than a call can take. */
const HOLD_MS = 60_000
const FIRST_RETRY_MS = 10_000
const MAX_RETRY_MS = 3_600_000
/** The waits between so many attempts add up to a day. */
const MAX_ATTEMPTS = 32
const GONE = 410

export class WebhookSender implements Hearer {
  readonly #parts: SenderParts
  readonly #changes = new Changes()
  readonly #since: number
  readonly #stopping = new AbortController()
  #cancel: (() => void) | null = null
  #looking: Promise<void> = Promise.resolve()
  /** Calls under way: one that hangs keeps nobody else waiting. */
  readonly #calls = new Set<Promise<void>>()

  constructor(parts: SenderParts) {
    this.#parts = parts
    this.#since = parts.clock.now() - LOOK_BACK_MS
  }

  start(): void {
    this.#round()
  }

  /** Calls under way are cut off and come again, from this process or another. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#cancel?.()
    await this.#looking
    await Promise.all(this.#calls)
  }

  /** A change that was made here: of those that others make within a second only the last is seen. */
  async changed(progress: CrawlProgress): Promise<void> {
    const rows = await this.#parts.webhooks.list()
    if (rows.length > 0) await this.#queue(rows, this.#changes.takeOne(progress, this.#since))
  }

  removed(): void {
    // Nobody asked to hear of that.
  }

  /** Stores what has become due to be told, and begins to call what is due. Done when nothing is under way any more. */
  async step(): Promise<void> {
    await this.#look()
    await Promise.all(this.#calls)
  }

  #round(): void {
    this.#looking = this.#look()
      .catch((error: unknown) => this.#warn(error))
      .then(() => {
        if (!this.#stopping.signal.aborted) this.#cancel = this.#parts.clock.after(LOOK_MS, () => this.#round())
      })
  }

  async #look(): Promise<void> {
    const { webhooks, crawls, clock } = this.#parts
    const rows = await webhooks.list()
    if (rows.length === 0) return
    await this.#queue(rows, this.#changes.take(await crawls.list(), this.#since))
    const free = AT_A_TIME - this.#calls.size
    if (free <= 0 || this.#stopping.signal.aborted) return
    for (const delivery of await webhooks.takeDue(clock.now(), HOLD_MS, free)) {
      const call = this.#deliver(delivery, rows)
        .catch((error: unknown) => this.#warn(error))
        .finally(() => this.#calls.delete(call))
      this.#calls.add(call)
    }
  }

  #warn(error: unknown): void {
    const { code, message } = asAppError(error)
    if (!this.#stopping.signal.aborted) this.#parts.log.warn('webhooks not called', { code, message })
  }

  async #queue(rows: WebhookRow[], changes: Change[]): Promise<void> {
    const { webhooks, clock, tell } = this.#parts
    const dueAt = clock.now()
    const deliveries: Delivery[] = []
    for (const { event, at, progress } of changes) {
      const wanting = rows.filter(({ events, createdAt }) => events.includes(event) && at >= createdAt)
      if (wanting.length === 0) continue
      const { id: crawlId } = progress.crawl
      const body = JSON.stringify({ event, at: isoTime(at), crawl: await tell(progress) })
      for (const { id: webhookId } of wanting) {
        const id = `${webhookId}:${crawlId}:${event}:${at}`
        deliveries.push({ id, webhookId, event, body, attempts: 0, dueAt })
      }
    }
    if (deliveries.length > 0) await webhooks.queue(deliveries)
  }

  async #deliver(delivery: Delivery, rows: WebhookRow[]): Promise<void> {
    const { webhooks, poster, clock, log } = this.#parts
    const webhook = rows.find(({ id }) => id === delivery.webhookId)
    // It was made since the list was read, and is called when the hold is over.
    if (webhook === undefined) return
    const { url, secret, allowsPrivate } = webhook
    const headers = deliveryHeaders(delivery, secret, clock.now())
    const { signal } = this.#stopping
    const outcome = await poster.post({ url, headers, body: delivery.body, allowsPrivate }, signal)
    if (signal.aborted && outcome.status === null) return
    const at = clock.now()
    const waitMs = outcome.problem === null || outcome.status === GONE ? null : retryWaitMs(delivery.attempts + 1)
    await webhooks.settle(delivery.id, { at, ...outcome }, waitMs === null ? null : at + waitMs)
    const about = { webhook: webhook.id, delivery: delivery.id, host: new URL(url).host, status: outcome.status }
    if (outcome.problem === null) log('webhook called', about)
    else log.warn('webhook failed', { ...about, problem: outcome.problem, again_in_ms: waitMs })
  }
}

/** Null after the last of the attempts. */
export function retryWaitMs(attempts: number): number | null {
  return attempts >= MAX_ATTEMPTS ? null : Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempts - 1))
}
