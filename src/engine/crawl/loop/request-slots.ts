// The request slots of a crawl thread. A slot is taken while a request is in flight and while its response is
// processed. A response that waits for a document reader takes no slot.

import type { Clock } from '../../../lib/clock.ts'
import type { LeasedUrl } from '../../../ports/frontier.ts'
import type { Fetcher } from '../../fetch/fetch-result.ts'
import { Throttle, type ThrottleSettings } from '../../politeness/throttle.ts'
import type { FinishedRequest, LeasedHost } from '../hosts/leased-host.ts'
import type { PhaseSample } from '../stats/phase-recorder.ts'

export interface RequestSlotSettings extends ThrottleSettings {
  /** Requests in flight at a time, over all hosts. */
  concurrency: number
}

export interface RequestSlotDependencies {
  fetcher: Pick<Fetcher, 'knownAddress' | 'countUnsent'>
  clock: Clock
}

export interface StartedRequest extends Pick<FinishedRequest, 'startedAt' | 'concurrentRequests'> {
  /** Frees the slot. */
  end: () => void
}

export class RequestSlots {
  readonly throttle: Throttle
  readonly #concurrency: number
  readonly #dependencies: RequestSlotDependencies
  #inFlight = 0
  /** Responses being processed or waiting for it. */
  processing = 0
  /** Responses waiting for a document reader or being read by one. */
  inDocumentReaders = 0
  #isClosed = false

  constructor(settings: RequestSlotSettings, dependencies: RequestSlotDependencies) {
    this.throttle = new Throttle(settings)
    this.#concurrency = settings.concurrency
    this.#dependencies = dependencies
  }

  get inFlight(): number {
    return this.#inFlight
  }

  get isIdle(): boolean {
    return this.#inFlight === 0 && this.processing === 0 && this.inDocumentReaders === 0
  }

  get hasFree(): boolean {
    return !this.#isClosed && this.#inFlight + this.processing < this.#concurrency
  }

  /** The loop has ended: nothing starts, and results of requests in flight are ignored. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /** What the taken slots are busy with. */
  countTaken(): PhaseSample['taken'] {
    const { dns, connect } = this.#dependencies.fetcher.countUnsent()
    return { dns, connect, origin: Math.max(0, this.#inFlight - dns - connect), parse: this.processing }
  }

  begin(host: LeasedHost, url: LeasedUrl): StartedRequest {
    const address = host.address ?? this.#dependencies.fetcher.knownAddress(url.url)
    host.address = address
    // Read per request, not once per pump: requests started before this one would shorten its gap.
    const startedAt = this.#dependencies.clock.now()
    host.beginRequest(startedAt)
    this.#inFlight += 1
    this.throttle.beginRequest(address, startedAt)
    const end = () => {
      this.#inFlight -= 1
      this.throttle.endRequest(address)
    }
    return { startedAt, concurrentRequests: host.inFlight, end }
  }

  /** Responses being processed were dropped. Requests in flight keep their slots until they end. */
  dropResponses(): void {
    this.processing = 0
    this.inDocumentReaders = 0
  }

  close(): void {
    this.#isClosed = true
  }
}
