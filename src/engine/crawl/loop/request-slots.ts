// The request slots of a crawl thread. A slot is taken while a request is in flight and while its response is
// processed. A response that waits for a document reader takes no slot. A response that waits for the renderer or a
// hook keeps its slot; while it is rendered, its page makes requests within that slot.

import type { Clock } from '../../../lib/clock.ts'
import type { LeasedUrl } from '../../../ports/leases.ts'
import type { Fetcher } from '../../fetch/fetch-result.ts'
import { Throttle, type ThrottleSettings } from '../../politeness/throttle.ts'
import type { FinishedRequest } from '../hosts/finished-request.ts'
import type { LeasedHost } from '../hosts/leased-host.ts'
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
  /** Responses waiting for the renderer or being rendered. */
  rendering = 0
  /** Responses waiting for hooks of the program. */
  inHooks = 0
  /** Requests of rendered pages in flight. */
  #subrequests = 0
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
    const responses = this.processing + this.inDocumentReaders + this.rendering + this.inHooks
    return this.#inFlight === 0 && this.#subrequests === 0 && responses === 0
  }

  get hasFree(): boolean {
    return !this.#isClosed && this.#inFlight + this.processing + this.rendering + this.inHooks < this.#concurrency
  }

  /** The loop has ended: nothing starts, and results of requests in flight are ignored. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Taken slots by activity. */
  countTaken(): PhaseSample['taken'] {
    const { dns, connect } = this.#dependencies.fetcher.countUnsent()
    const origin = Math.max(0, this.#inFlight + this.#subrequests - dns - connect)
    const renderer = Math.max(0, this.rendering - this.#subrequests)
    return { dns, connect, origin, parse: this.processing, renderer, hooks: this.inHooks }
  }

  begin(host: LeasedHost, url: Pick<LeasedUrl, 'url'>): StartedRequest {
    const started = this.#start(host, url.url)
    this.#inFlight += 1
    return {
      ...started,
      end: () => {
        this.#inFlight -= 1
        started.end()
      },
    }
  }

  /** A request of a rendered page takes a slot of its host, but no additional slot of the thread. */
  beginSubrequest(host: LeasedHost, url: string): StartedRequest {
    const started = this.#start(host, url)
    this.#subrequests += 1
    return {
      ...started,
      end: () => {
        this.#subrequests -= 1
        started.end()
      },
    }
  }

  #start(host: LeasedHost, url: string): StartedRequest {
    const address = host.address ?? this.#dependencies.fetcher.knownAddress(url)
    host.address = address
    // Read per request, not once per pump: requests started before this one would shorten its gap.
    const startedAt = this.#dependencies.clock.now()
    host.beginRequest(startedAt)
    this.throttle.beginRequest(address, startedAt)
    return { startedAt, concurrentRequests: host.inFlight, end: () => this.throttle.endRequest(address) }
  }

  /** Responses being processed were dropped. Requests in flight keep their slots until they end. */
  dropResponses(): void {
    this.processing = 0
    this.inDocumentReaders = 0
    this.rendering = 0
    this.inHooks = 0
  }

  close(): void {
    this.#isClosed = true
  }
}
