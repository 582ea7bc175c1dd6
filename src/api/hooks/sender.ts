// Calls webhooks when crawls change. What is to be called is stored first, under an id that every process would give it,
// so that it is called once however many processes see the change, and also when they die in between.

import type { Clock } from '../../lib/clock.ts'
import { asAppError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { Delivery, WebhookRow, Webhooks } from '../../ports/access.ts'
import type { CrawlProgress, Crawls } from '../../ports/crawls.ts'
import { isoTime, type ProgressJson } from '../progress.ts'
import { Changes } from './changes.ts'
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
const AT_A_TIME = 8
/** Longer than a call can take. */
const HOLD_MS = 60_000
const FIRST_RETRY_MS = 10_000
const MAX_RETRY_MS = 3_600_000
/** The waits between so many attempts add up to a day. */
const MAX_ATTEMPTS = 32
const GONE = 410

export class WebhookSender {
  readonly #parts: SenderParts
  readonly #changes = new Changes()
  readonly #since: number
  readonly #stopping = new AbortController()
  #cancel: (() => void) | null = null
  #round: Promise<void> = Promise.resolve()

  constructor(parts: SenderParts) {
    this.#parts = parts
    this.#since = parts.clock.now() - LOOK_BACK_MS
  }

  start(): void {
    this.#round = this.step()
      .catch((error: unknown) => {
        const { code, message } = asAppError(error)
        if (!this.#stopping.signal.aborted) this.#parts.log.warn('webhooks not called', { code, message })
      })
      .then(() => {
        if (!this.#stopping.signal.aborted) this.#cancel = this.#parts.clock.after(LOOK_MS, () => this.start())
      })
  }

  /** Calls under way are cut off and come again, from this process or another. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#cancel?.()
    await this.#round
  }

  /** Stores what has become due to be told, and calls what is due. */
  async step(): Promise<void> {
    const { webhooks, crawls, clock } = this.#parts
    const rows = await webhooks.list()
    if (rows.length === 0) return
    await this.#queue(rows, await crawls.list())
    for (;;) {
      const due = await webhooks.takeDue(clock.now(), HOLD_MS, AT_A_TIME)
      await Promise.all(due.map((delivery) => this.#deliver(delivery, rows)))
      if (due.length < AT_A_TIME || this.#stopping.signal.aborted) return
    }
  }

  async #queue(rows: WebhookRow[], all: CrawlProgress[]): Promise<void> {
    const { webhooks, clock, tell } = this.#parts
    const dueAt = clock.now()
    const deliveries: Delivery[] = []
    for (const { event, at, progress } of this.#changes.take(all, this.#since)) {
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
    const { url, secret } = webhook
    const headers = deliveryHeaders(delivery, secret, clock.now())
    const { signal } = this.#stopping
    const outcome = await poster.post({ url, headers, body: delivery.body }, signal)
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
